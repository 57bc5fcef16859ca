export {
  type Consumer,
  type Entry,
  type EntryKind,
  entryKinds,
  type Failure,
  type LoggedEntry,
  type Position,
  type PresenceBody,
  type ProvisionedBody,
  type RotationStep,
  type WriteBody,
  type WritePoint,
} from './entry.ts'
export {
  type ConnectorEntries,
  createEventLog,
  type EventLog,
  type RunningConsumer,
} from './eventlog.ts'
export type { HourCounts, Ledger, StageSums, Verdict, WaitingStage } from './ledger.ts'
export type { PartCounts } from './store/append.ts'
export type { ConnectorEntry, EntryKey } from './store/connector-entries.ts'
