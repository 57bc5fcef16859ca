import type { ProvisionedBody, RotationStep, ShownKind, WriteBody, WritePoint } from './entry.ts'

/** How much a line asks of its reader. */
export const severities = ['info', 'warning', 'error'] as const
export type Severity = (typeof severities)[number]

/** What a line tells: what is an entry of the log, and what is only noted. */
export type LineKind = (typeof entryLineKinds)[ShownKind] | NoteKind

/**
 * `refusal`: a device was told no; `content`: it fetched content; `log`: about the log itself, such
 * as lines that were left out.
 */
export const noteKinds = ['read', 'connect', 'disconnect', 'refusal', 'content', 'log'] as const
export type NoteKind = (typeof noteKinds)[number]

/** The line's name of each kind of entry that is one. */
export const entryLineKinds = {
  provisioned: 'provision',
  write: 'write',
  set: 'set',
  deleted: 'delete',
  expired: 'expire',
} as const satisfies Record<ShownKind, string>

export const lineKinds: readonly LineKind[] = [...Object.values(entryLineKinds), ...noteKinds]

/** Something that happened at a door and is no entry. What repeats is folded into one line. */
export type Note = {
  readonly businessId: string
  readonly connectorId: string
  readonly kind: NoteKind
  /** As the device gave it, where it is a refusal; null where it gave none. */
  readonly identity: string | null
  readonly ip: string
  /** `http`, `https`, `mqtt`, … */
  readonly protocol: string
  /** `warning` for a refusal, else `info`. */
  readonly severity?: Severity
  /** The short answer that the device was given. */
  readonly code?: string | undefined
  /** The sentence for the operator. */
  readonly message: string
}

/** A note with the time at which it happened last, in microseconds, and how often it did. */
export type CountedNote = Note & { readonly at: number; readonly count: number }

/** Where a line stands in the order of its connector's log; `at` is in microseconds. */
export type LineKey = { readonly at: number; readonly part: number; readonly seq: number }

/** One line of a connector's log. */
export type Line = LineKey & {
  readonly kind: LineKind
  readonly severity: Severity
  readonly identity: string | null
  readonly ip: string
  readonly protocol: string
  readonly code: string | null
  readonly message: string
  /** How often it happened since the line before of its kind. */
  readonly count: number
  /** What was written or set; left out where it is long. */
  readonly payload?: readonly WritePoint[]
}

/** Notes stand in no partition of the log; before all lines of a time is a place without one. */
export const notePart = -1
export const beforeAll = -2

export function compareKeys(a: LineKey, b: LineKey): number {
  return a.at - b.at || a.part - b.part || a.seq - b.seq
}

/** A key as one word: the id of a line, and where a list goes on. */
export function formatKey({ at, part, seq }: LineKey): string {
  return `${at}.${part === notePart ? 'n' : part === beforeAll ? 'b' : part}.${seq}`
}

/** Undefined where the text is no key. */
export function parseKey(text: string): LineKey | undefined {
  const match = /^(\d{1,16})\.([nb]|\d{1,4})\.(\d{1,16})$/.exec(text)
  if (match === null) return undefined
  const [at, seq] = [Number(match[1]), Number(match[3])]
  if (!Number.isSafeInteger(at) || !Number.isSafeInteger(seq)) return undefined
  const letters: Readonly<Record<string, number>> = { n: notePart, b: beforeAll }
  return { at, part: letters[match[2] ?? ''] ?? Number(match[2]), seq }
}

const shownPairs = 4
const shownChars = 60

/** What an entry says, in a sentence. */
export function sentenceOf(kind: ShownKind, body: Partial<WriteBody & ProvisionedBody>): string {
  switch (kind) {
    case 'provisioned':
      return provisionSentence(body)
    case 'deleted':
      return 'The identity was removed.'
    case 'expired':
      return 'The activation window closed.'
    case 'set':
      return `Set ${shownValues(body.payload ?? [])}.`
    case 'write':
      return `Wrote ${shownValues(body.payload ?? [])}.${shownUnknown(body.unknown ?? [])}`
  }
}

function provisionSentence({ anew, rotation }: Partial<ProvisionedBody>): string {
  if (rotation !== undefined) return rotationSentences[rotation]
  if (anew) return 'The device was provisioned; its values were cleared.'
  return 'The device was provisioned.'
}

const rotationSentences: Readonly<Record<RotationStep, string>> = {
  opened: 'A rotation of the credential was opened.',
  cancelled: 'The rotation of the credential was cancelled; the one before stays.',
  given: 'A new credential was given out; the one before still works.',
  used: 'The device used its new credential; the one before is refused from now on.',
  ended: 'The time of the rotation is over; the credential before is refused from now on.',
  lapsed: 'The time of the rotation is over without a new credential; the one before stays.',
}

function shownValues(payload: readonly WritePoint[]): string {
  const pairs = payload.flatMap(({ values }) => Object.entries(values))
  if (pairs.length === 0) return 'nothing that the connector defines'
  const shown = pairs.slice(0, shownPairs).map(([alias, value]) => `${alias}=${short(value)}`)
  return [...shown, ...more(pairs.length - shown.length)].join(', ')
}

function shownUnknown(aliases: readonly string[]): string {
  if (aliases.length === 0) return ''
  const shown = aliases.slice(0, shownPairs).map(short)
  return ` Not defined: ${[...shown, ...more(aliases.length - shown.length)].join(', ')}.`
}

function more(count: number): string[] {
  return count > 0 ? [`${count} more`] : []
}

function short(text: string): string {
  return text.length > shownChars ? `${text.slice(0, shownChars)}…` : text
}
