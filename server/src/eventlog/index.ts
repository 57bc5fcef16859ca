export type {
  Consumer,
  Entry,
  EntryKind,
  Failure,
  LoggedEntry,
  Position,
  ProvisionedBody,
  WriteBody,
  WritePoint,
} from './entry.ts'
export { createEventLog, type EventLog, type RunningConsumer } from './eventlog.ts'
export type { HourCounts, Ledger, StageSums, Verdict } from './ledger.ts'
