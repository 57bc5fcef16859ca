import type { Database } from '../database/index.ts'
import { limits, parseJsonObject, presentUntil } from '../kernel/index.ts'
import type { ShownKind, WriteBody } from './entry.ts'
import {
  beforeAll,
  compareKeys,
  entryLineKinds,
  type Line,
  type LineKey,
  type LineKind,
  noteKinds,
  notePart,
  type Severity,
  sentenceOf,
  severities,
} from './line.ts'
import {
  type EntryLineRow,
  hasLinesAfter,
  type LineQuery,
  readEntryLines,
  readHorizon,
  readNotes,
} from './store/lines.ts'

/** Which lines are meant; what is left out matches all. */
export type LineFilter = {
  readonly identity?: string | undefined
  readonly kinds?: readonly LineKind[] | undefined
  readonly severity?: Severity | undefined
  /** Part of the message, or of what was written; letter case does not count. */
  readonly text?: string | undefined
}

export type LinesAsked = LineFilter & {
  /** Lines that are older than this one; without it the newest. */
  readonly before?: LineKey | undefined
  /** At most `limits.pageMax`. */
  readonly limit?: number | undefined
}

export type LinePage = {
  /** Newest first. */
  readonly lines: readonly Line[]
  /**
   * Where an older page begins; undefined at the end of the log. A search that finds little stops
   * after `limits.lineSearchMax` lines: then there is a next page although this one is not full,
   * or even empty.
   */
  readonly before: LineKey | undefined
}

export const oldestKey: LineKey = { at: 0, part: beforeAll, seq: 0 }
export const newestKey: LineKey = {
  at: Number.MAX_SAFE_INTEGER,
  part: limits.logPartitions,
  seq: 0,
}

/**
 * One connector's log, newest first: entries and notes in one order. Lines of the future, which a
 * clock that ran ahead has stamped, come after the oldest ones.
 */
export async function readPage(
  database: Database,
  businessId: string,
  connectorId: string,
  asked: LinesAsked,
  nowUs: number,
): Promise<LinePage> {
  const present: LineKey = { at: presentUntil(nowUs), part: beforeAll, seq: 0 }
  const { before = present } = asked
  const isPresent = before.at <= present.at
  const limit = Math.min(asked.limit ?? limits.pageDefault, limits.pageMax)
  const rows = searches(asked) ? limits.lineSearchMax : limit + 1
  const horizonUs = await readHorizon(database, connectorId, before.at, rows)
  const fromUs = isPresent ? horizonUs : Math.max(horizonUs, present.at)
  const newerThan = { ...oldestKey, at: fromUs }
  const range = { newerThan, olderThan: before, limit }
  const lines = await readRange(database, businessId, connectorId, asked, range)
  if (lines.length === limit) return { lines, before: lines.at(-1) }
  if (fromUs > (isPresent ? 0 : present.at)) return { lines, before: newerThan }
  const future = isPresent && (await hasLinesAfter(database, connectorId, present.at))
  return { lines, before: future ? newestKey : undefined }
}

/**
 * The newest `limit` lines of a range of keys, newest first. The range is to be one of which it is
 * known that it holds few rows: the planner may read all of it.
 */
export async function readRange(
  database: Database,
  businessId: string,
  connectorId: string,
  filter: LineFilter,
  range: Pick<LineQuery, 'newerThan' | 'olderThan' | 'limit'>,
): Promise<Line[]> {
  const { identity, kinds, severity } = filter
  const text = filter.text?.toLowerCase()
  const query: LineQuery = { businessId, connectorId, identity, text, ...range }
  const asked = (kind: LineKind) => kinds === undefined || kinds.includes(kind)
  const entries = entryKinds.filter((kind) => asked(entryLineKinds[kind]))
  const notes = noteKinds.filter(asked)
  const severe = severities.filter((one) => severity === undefined || one === severity)
  const bodyBytesMax = limits.lineBodyBytesMax
  const found = await Promise.all([
    entries.length === 0 || !severe.includes('info')
      ? []
      : readEntryLines(database, { ...query, kinds: entries, bodyBytesMax }),
    notes.length === 0
      ? []
      : readNotes(database, { ...query, kinds: notes, severities: severe, part: notePart }),
  ])
  const [entryRows, noteRows] = found
  return [...entryRows.map(entryLine), ...noteRows]
    .sort((a, b) => compareKeys(b, a))
    .slice(0, range.limit)
}

const entryKinds = Object.keys(entryLineKinds) as ShownKind[]

/** Whether lines may be looked at that are not shown. */
export function searches({ identity, kinds, severity, text }: LineFilter): boolean {
  return [identity, kinds, severity, text].some((one) => one !== undefined)
}

function entryLine(row: EntryLineRow): Line {
  const body: Partial<WriteBody> = row.body === null ? {} : (parseJsonObject(row.body) ?? {})
  const { ip = row.ip ?? '', protocol = row.protocol ?? '', payload } = body
  const message =
    row.body === null
      ? `${row.kind === 'set' ? 'Set' : 'Wrote'} ${row.bytes} bytes.`
      : sentenceOf(row.kind, body)
  return {
    ...{ at: row.at, part: row.part, seq: row.seq },
    ...{ kind: entryLineKinds[row.kind], severity: 'info', identity: row.identity },
    ...{ ip, protocol, code: null, message, count: 1 },
    ...(payload === undefined ? {} : { payload }),
  }
}
