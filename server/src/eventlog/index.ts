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
