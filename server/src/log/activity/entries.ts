import { parseOwnJson } from '../../foundation/kernel/index.ts'
import {
  type ConnectorEntries,
  type ConnectorEntry,
  entryKinds,
  type ProvisionedBody,
  type RotationStep,
  type WriteBody,
  type WritePoint,
} from '../eventlog/index.ts'
import type { ShownEntryKind } from './kinds.ts'
import { activityLimits } from './limits.ts'
import { formatKey } from './line.ts'
import type { LineSource } from './page.ts'
import type { ConnectorLine } from './schema.ts'

type ShownEntry = ConnectorEntry & { readonly kind: ShownEntryKind }

const severity = 'info' as const
const shownKinds = (Object.keys(entryKinds) as (keyof typeof entryKinds)[]).filter(
  (kind): kind is ShownEntryKind => 'line' in entryKinds[kind],
)

/** The entries of the event log that are lines of their connector. */
export function entryLines(entries: ConnectorEntries): LineSource<ConnectorLine> {
  return {
    async read({ businessId, ownerId }, { kinds, severities, subject, text }, range) {
      const isWanted = (kind: ShownEntryKind) => kinds?.includes(entryKinds[kind].line) ?? true
      const wanted = shownKinds.filter(isWanted)
      if (wanted.length === 0 || severities?.includes(severity) === false) return []
      const bodyBytesMax = activityLimits.lineBodyBytesMax
      const owner = { businessId, connectorId: ownerId, identity: subject, text }
      const found = await entries.read({ ...owner, ...range, kinds: wanted, bodyBytesMax })
      return (found as ShownEntry[]).map(entryLine)
    },
    horizon: entries.horizon,
    hasAfter: entries.hasAfter,
  }
}

function entryLine(entry: ShownEntry): ConnectorLine {
  const { at, part, seq, kind, identity, bytes } = entry
  const body = parseOwnJson<Partial<WriteBody>>(entry.body ?? '{}')
  const { ip = entry.ip ?? '', protocol = entry.protocol ?? '', payload } = body
  const message =
    entry.body === null
      ? `${kind === 'set' ? 'Set' : 'Wrote'} ${bytes} bytes.`
      : describeEntry(kind, body)
  const key = { at, part, seq }
  const line = { kind: entryKinds[kind].line, severity, identity, ip, protocol }
  return {
    ...key,
    id: formatKey(key),
    ...line,
    code: null,
    message,
    count: 1,
    ...(payload && { payload }),
  }
}

const shownPairs = 4
const shownChars = 60

/** Describes an entry in a sentence. */
function describeEntry(kind: ShownEntryKind, body: Partial<WriteBody & ProvisionedBody>): string {
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

function provisionSentence({ anew, again, rotation }: Partial<ProvisionedBody>): string {
  if (rotation !== undefined) return rotationSentences[rotation]
  if (again) return 'The device was provisioned again; it never used its first token, which ended.'
  if (anew) return 'The device was provisioned; its values were cleared.'
  return 'The device was provisioned.'
}

const rotationSentences: Readonly<Record<RotationStep, string>> = {
  opened: 'A rotation of the credential was opened.',
  cancelled: 'The rotation of the credential was cancelled; the one before stays.',
  given: 'A new credential was given out; the one before still works.',
  used: 'The device used its new credential; the one before is refused from now on.',
  ended: 'The rotation has ended; the old credential is refused from now on.',
  lapsed: 'The rotation has ended without a new credential; the old one stays.',
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
