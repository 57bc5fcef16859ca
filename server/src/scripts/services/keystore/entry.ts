import { Fault, type Json, parseOwnJson } from '../../../foundation/kernel/index.ts'

/** The value of a key. Readers drop expired entries. */
export type KeyEntry = Held & {
  /** Microseconds; undefined: it stays. */
  readonly expiresAt: number | undefined
}

export type Held =
  | { readonly kind: 'string'; readonly value: Json | Uint8Array }
  | { readonly kind: 'hash'; readonly fields: ReadonlyMap<string, Json> }
  | { readonly kind: 'list'; readonly items: readonly Json[] }
  | { readonly kind: 'set'; readonly members: ReadonlySet<string> }

/** An entry as its row has it. */
export type KeyRow = { readonly kind: string; readonly body: string }

export function toRow(held: Held): KeyRow {
  if (held.kind === 'hash') return { kind: 'hash', body: JSON.stringify([...held.fields]) }
  if (held.kind === 'list') return { kind: 'list', body: JSON.stringify(held.items) }
  if (held.kind === 'set') return { kind: 'set', body: JSON.stringify([...held.members]) }
  if (held.value instanceof Uint8Array) {
    return { kind: 'bytes', body: Buffer.from(held.value).toString('base64') }
  }
  return { kind: 'string', body: JSON.stringify(held.value) }
}

export function fromRow({ kind, body }: KeyRow): Held {
  if (kind === 'bytes') return { kind: 'string', value: Buffer.from(body, 'base64') }
  if (kind === 'hash') return { kind, fields: new Map(parseOwnJson<[string, Json][]>(body)) }
  if (kind === 'list') return { kind, items: parseOwnJson(body) }
  if (kind === 'set') return { kind, members: new Set(parseOwnJson<string[]>(body)) }
  return { kind: 'string', value: parseOwnJson(body) }
}

/** @throws Fault invalid_argument if the key holds something of another kind. */
export function expectKind<Kind extends Held['kind']>(
  entry: KeyEntry | undefined,
  kind: Kind,
): (KeyEntry & { readonly kind: Kind }) | undefined {
  if (entry !== undefined && entry.kind !== kind) {
    throw new Fault('invalid_argument', `the key holds a ${entry.kind}, not a ${kind}`)
  }
  return entry as (KeyEntry & { readonly kind: Kind }) | undefined
}
