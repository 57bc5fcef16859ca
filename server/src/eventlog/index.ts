export type {
  Consumer,
  Entry,
  EntryKind,
  Failure,
  LoggedEntry,
  Position,
  PresenceBody,
  ProvisionedBody,
  RotationStep,
  WriteBody,
  WritePoint,
} from './entry.ts'
export { createEventLog, type EventLog, type RunningConsumer } from './eventlog.ts'
export type { HourCounts, Ledger, StageSums, Verdict, WaitingStage } from './ledger.ts'
export {
  formatKey,
  type Line,
  type LineKey,
  type LineKind,
  lineKinds,
  type Note,
  type NoteKind,
  parseKey,
  type Severity,
  severities,
} from './line.ts'
export type { LineFilter, LinePage, LinesAsked } from './lines.ts'
export type { PartCounts } from './store/append.ts'
