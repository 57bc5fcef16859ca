import { type JsonObject, limits } from '../../foundation/kernel/index.ts'

/** The place of a line in the order of its log; `at` is in microseconds. */
export type LineKey = { readonly at: number; readonly part: number; readonly seq: number }

/** A line, whose id is its key as one word. */
export type KeyedLine = LineKey & { readonly id: string }

/** A line on its way to the table, of whatever log. */
export type NewStoredLine = {
  readonly businessId: string
  /** The connector, the solution or the asset. */
  readonly ownerId: string
  readonly at: number
  readonly kind: string
  readonly severity: string
  /** By what lines are found in this log, beside kind and severity: an identity, a tracking id. */
  readonly subject: string | null
  /** A short word for programs. */
  readonly code: string | null
  readonly text: string
  /** The number of times that it happened since the line before of its kind. */
  readonly count: number
  /** The other fields of the log's lines. */
  readonly details: JsonObject
}

export type StoredLine = LineKey & Omit<NewStoredLine, 'businessId' | 'ownerId'>

/** Restricts a read; a part that is left out matches all lines. */
export type StoredFilter = {
  readonly kinds?: readonly string[] | undefined
  readonly severities?: readonly string[] | undefined
  readonly subject?: string | undefined
  /** Part of the text, or the whole code; letter case does not count. */
  readonly text?: string | undefined
}

/**
 * Describes one kind of logs: how its lines are stored and shown, and which of them are alike.
 */
export type LogSchema<Line extends KeyedLine, NewLine, Filter> = {
  /** The name in the table. */
  readonly owner: string
  /** The kind and the severity of lines about the log itself. */
  readonly about: { readonly kind: string; readonly severity: string }
  retentionHours(): number
  /** Lines with the same key are folded into one with a count; undefined: never. */
  foldKey(line: NewStoredLine): string | undefined
  /** Lines with the same key share what the log takes in a minute. */
  budgetKey(line: NewStoredLine): string
  /** A phrase that names lines with this line's budget, such as "of calls"; or empty. */
  budgetName(line: NewStoredLine): string
  toStored(line: NewLine, at: number): NewStoredLine
  fromStored(line: StoredLine): Line
  toFilter(filter: Filter): StoredFilter
}

/** Stored lines have no partition of the event log; before all lines of a time is a key without. */
export const storedPart = -1
const beforeAll = -2

/** The key before all lines of a time. */
export function startKey(at: number): LineKey {
  return { at, part: beforeAll, seq: 0 }
}

export const oldestKey = startKey(0)
export const newestKey = startKey(Number.MAX_SAFE_INTEGER)

export function compareKeys(a: LineKey, b: LineKey): number {
  return a.at - b.at || a.part - b.part || a.seq - b.seq
}

/** A key as one word: the id of a line, and where a list goes on. */
export function formatKey({ at, part, seq }: LineKey): string {
  return `${at}.${part === storedPart ? 'n' : part === beforeAll ? 'b' : part}.${seq}`
}

/** Returns undefined if the text is no key. */
export function parseKey(text: string): LineKey | undefined {
  const match = /^(\d{1,16})\.([nb]|\d{1,4})\.(\d{1,16})$/.exec(text)
  if (match === null) return undefined
  const [at, seq] = [Number(match[1]), Number(match[3])]
  if (!Number.isSafeInteger(at) || !Number.isSafeInteger(seq)) return undefined
  const letters: Readonly<Record<string, number>> = { n: storedPart, b: beforeAll }
  return { at, part: letters[match[2] ?? ''] ?? Number(match[2]), seq }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it replaces
const controls = /[\u0000-\u001f\u007f-\u009f]/g
const nul = /\0/g

/** Returns what a device sent as one line of text that can be stored and shown. */
export function cleanLine(text: string, charsMax: number): string {
  return text.slice(0, charsMax).toWellFormed().replace(controls, '\ufffd')
}

/** Returns a text of several lines as it can be stored. */
export function cleanText(text: string): string {
  return text.slice(0, limits.lineCharsMax).toWellFormed().replace(nul, '\ufffd')
}
