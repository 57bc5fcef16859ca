import {
  float8Array,
  int2Array,
  int8Array,
  type Statement,
  textArray,
} from '../../../foundation/database/index.ts'
import type { Json } from '../../../foundation/kernel/index.ts'
import type { NewValue, Reception, Value } from '../types.ts'

/** The codes under which protocols are stored are their places here: only add to the end. */
const protocols: readonly (string | undefined)[] = [undefined, 'http', 'https', 'mqtt', 'mqtts']
const codes: ReadonlyMap<string | null | undefined, number> = new Map(
  protocols.flatMap((name, code) => (name === undefined ? [] : [[name, code]])),
)

/** The columns of it: `received` is null if a value with a protocol came at its own time. */
type ReceivedRow = { readonly received: number | null; readonly protocol: number | null }

/**
 * The row of a value with a protocol has the time of arrival only if it differs from the value's.
 */
export function storedTime({ ts, received }: NewValue): number | null {
  if (received === undefined) return null
  return received.at === ts && codes.has(received.protocol) ? null : received.at
}

export function protocolCode({ received }: NewValue): number | null {
  return codes.get(received?.protocol) ?? null
}

function toReception(ts: number, row: ReceivedRow): { readonly received?: Reception } {
  const { received, protocol: code } = row
  if (received === null && code === null) return {}
  const protocol = (code !== null && protocols[code]) || null
  return { received: { protocol, at: received ?? ts } }
}

export type Stored = { readonly v: number | null; readonly t: string | null }

/** A number is `v` alone; anything else is JSON in `t`, a boolean with 0 or 1 beside it. */
function toStored(value: Json): Stored {
  if (typeof value === 'number') return { v: value, t: null }
  if (value === null) return { v: null, t: null }
  return { v: typeof value === 'boolean' ? Number(value) : null, t: JSON.stringify(value) }
}

/** A value as it was stored. */
export function toValue(row: Stored & { readonly ts: number }): Value {
  return { ts: row.ts, value: row.t === null ? row.v : (JSON.parse(row.t) as Json) }
}

export type ReceivedValueRow = Stored & ReceivedRow & { readonly ts: number }

/** The same, with how and when it came. */
export function toReceivedValue(row: ReceivedValueRow): Value {
  return { ...toValue(row), ...toReception(row.ts, row) }
}

export function toColumns(values: readonly NewValue[]): Buffer[] {
  const stored = values.map((value) => toStored(value.value))
  return [
    int8Array(values.map((value) => value.key)),
    int8Array(values.map((value) => value.ts)),
    float8Array(stored.map((one) => one.v)),
    textArray(stored.map((one) => one.t)),
  ]
}

export const columns = 'signal_key, ts, v, t, received, protocol'
export const arrays = '$1::bigint[], $2::bigint[], $3::float8[], $4::text[]'

/** A statement that stores values: by its source of rows, and the number of a further parameter. */
type Storing = (source: string, next: number) => string

/** Its texts: values that came at their own times over one protocol need no arrays of these. */
export function makeTexts(storing: Storing) {
  const alike = `(
    select signal_key, ts, v, t, null::bigint as received, $5::int2 as protocol
    from unnest(${arrays}) as n (signal_key, ts, v, t)
  ) as n`
  const mixed = `unnest(${arrays}, $5::bigint[], $6::int2[]) as n (${columns})`
  return { alike: storing(alike, 6), mixed: storing(mixed, 7) }
}

export function makeStatement(
  texts: ReturnType<typeof makeTexts>,
  values: readonly NewValue[],
): Statement & { readonly values: readonly unknown[] } {
  const received = values.map(storedTime)
  const codes = values.map(protocolCode)
  const [code = null] = codes
  const isAlike = received.every((at) => at === null) && codes.every((one) => one === code)
  return isAlike
    ? { text: texts.alike, values: [...toColumns(values), code] }
    : { text: texts.mixed, values: [...toColumns(values), int8Array(received), int2Array(codes)] }
}
