export type { RunningConsumer } from './consumers.ts'
export { type EncodedEntry, encodeEntry } from './encoded-entry.ts'
export {
  type Consumer,
  type Entry,
  type EntryFailure,
  type EntryKind,
  entryKinds,
  entryTrackingId,
  type Failure,
  type LoggedEntry,
  type Position,
  type PresenceBody,
  type ProvisionedBody,
  type RotationStep,
  reportedPoints,
  type SignalWrite,
  signalsId,
  type ValuesBody,
  type WriteBody,
  type WritePoint,
} from './entry.ts'
export { type EntryFailures, failureId } from './entry-failures.ts'
export { createEventLog, type EventLog } from './eventlog.ts'
export {
  type HourCounts,
  hourCountsSchema,
  type Ledger,
  type StageSums,
  type Verdict,
  type WaitingStage,
} from './ledger.ts'
export type {
  ConnectorEntries,
  ConnectorEntry,
  EntryKey,
  LogStore,
} from './log-store/log-store.ts'
export { createPostgresqlLog, openPostgresqlLog } from './log-store/postgresql.ts'
export type { PartCounts } from './store/counts.ts'
