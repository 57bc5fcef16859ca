import {
  float8Array,
  int2Array,
  int8Array,
  type Queryable,
  type Statement,
  type Transaction,
  textArray,
} from '../../../foundation/database/index.ts'
import { seenValues, type View } from '../../../people/groups/index.ts'
import { parsePlace } from '../area.ts'
import type { NewValue, Value } from '../types.ts'
import { andAssetSeen } from './assets.ts'
import {
  arrays,
  columns,
  makeStatement,
  makeTexts,
  protocolCode,
  type ReceivedValueRow,
  type Stored,
  storedTime,
  toColumns,
  toReceivedValue,
  toValue,
} from './value-rows.ts'

const upsertHistory = makeTexts(
  (source) => `
insert into assets_value (${columns})
select ${columns} from ${source}
on conflict (signal_key, ts) do update
set v = excluded.v, t = excluded.t, received = excluded.received, protocol = excluded.protocol`,
)

/** Sorted by key and time, each of both once: so that two writers never wait for each other. */
export function replaceStatement(values: readonly NewValue[]): Statement {
  return makeStatement(upsertHistory, values)
}

const insertHistory = makeTexts(
  (source) => `
insert into assets_value (${columns})
select ${columns} from ${source}
on conflict do nothing`,
)

// Points that this transaction has inserted are not taken.
const selectTaken = `
select h.signal_key as key, h.ts
from unnest($1::bigint[], $2::bigint[]) as n (signal_key, ts)
join assets_value h on h.signal_key = n.signal_key and h.ts = n.ts
where h.xmin <> pg_current_xact_id()::xid`

/** Adds those of which the stamp is free; sorted as above, and once in a transaction. */
export function addStatement(values: readonly NewValue[]): Statement {
  return makeStatement(insertHistory, values)
}

/** @returns those of which the stamp was taken before this transaction, in their order. */
export async function readTaken(
  transaction: Transaction,
  values: readonly NewValue[],
): Promise<readonly NewValue[]> {
  const keys = toColumns(values).slice(0, 2)
  const rows = await transaction.rows<{ key: number; ts: number }>(selectTaken, keys)
  const taken = new Set(rows.map(({ key, ts }) => `${key}/${ts}`))
  return values.filter(({ key, ts }) => taken.has(`${key}/${ts}`))
}

const insertNextFree = makeTexts(
  (source) => `
insert into assets_value (${columns})
select n.signal_key, coalesce(free.ts, n.ts), n.v, n.t,
  case when n.protocol is null then n.received else coalesce(n.received, n.ts) end, n.protocol
from ${source}
left join lateral (
  select run.ts + 1 as ts
  from (
    select h.ts, lead(h.ts) over (order by h.ts) as next
    from assets_value h
    where h.signal_key = n.signal_key and h.ts >= n.ts
  ) as run
  where run.next is distinct from run.ts + 1
  order by run.ts
  limit 1
) as free on true
returning signal_key as key, ts`,
)

/**
 * Adds values, each of another signal, at the next microsecond that is free after a taken stamp.
 * @returns the microseconds, by key.
 */
export async function addAtNextFree(
  transaction: Transaction,
  values: readonly NewValue[],
): Promise<Map<number, number>> {
  const { text, values: parameters } = makeStatement(insertNextFree, values)
  const rows = await transaction.rows<{ key: number; ts: number }>(text, parameters)
  return new Map(rows.map(({ key, ts }) => [key, ts]))
}

/** A signal that is silent is looked at at once. */
function upsertLatest(source: string, next: number, more = ''): string {
  return `
with noticed as (
  update assets_signal set look_at = 0
  where key = any($1::bigint[]) and silent_from is not null and look_at > 0
)
insert into assets_latest (${columns}${more})
select ${columns}${more} from ${source}
on conflict (signal_key) do update
set ts = excluded.ts, v = excluded.v, t = excluded.t,
  received = excluded.received, protocol = excluded.protocol,
  latitude = excluded.latitude, longitude = excluded.longitude
where excluded.ts >= assets_latest.ts or assets_latest.ts > $${next}::bigint`
}

const latestTexts = makeTexts(upsertLatest)

/** The same of values of which some are places. */
const upsertPlaces = upsertLatest(
  `unnest(${arrays}, $5::bigint[], $6::int2[], $8::float8[], $9::float8[])
    as n (${columns}, latitude, longitude)`,
  7,
  ', latitude, longitude',
)

/**
 * Sorted by key, each once. A value with a time after `presentUntilUs` is of a clock that ran
 * ahead.
 */
export function keepLatestStatement(
  values: readonly NewValue[],
  presentUntilUs: number,
): Statement {
  const places = values.map(({ value }) => parsePlace(value))
  if (places.every((place) => place === undefined)) {
    const { text, values: parameters } = makeStatement(latestTexts, values)
    return { text, values: [...parameters, presentUntilUs] }
  }
  const receptions = [int8Array(values.map(storedTime)), int2Array(values.map(protocolCode))]
  const degrees = [
    float8Array(places.map((place) => place?.lat ?? null)),
    float8Array(places.map((place) => place?.lng ?? null)),
  ]
  const parameters = [...toColumns(values), ...receptions, presentUntilUs, ...degrees]
  return { text: upsertPlaces, values: parameters }
}

const selectLatest = (more: string) => `
select s.id, l.ts, l.v, l.t${more}
from assets_signal s
join assets_latest l on l.signal_key = s.key
where s.business_id = $1 and s.id = any($2::text[])`

export async function readLatest(
  queryable: Queryable,
  view: View,
  signalIds: readonly string[],
): Promise<Map<string, Value>> {
  type Row = Stored & { id: string; ts: number }
  const text = selectLatest('') + andAssetSeen(view, 's.asset_id', 3)
  const values = [view.businessId, textArray(signalIds), ...seenValues(view)]
  const rows = await queryable.rows<Row>(text, values)
  return new Map(rows.map((row) => [row.id, toValue(row)]))
}

/** The same, with how and when they came. */
export async function readReceivedLatest(
  queryable: Queryable,
  view: View,
  signalIds: readonly string[],
): Promise<Map<string, Value>> {
  const text = selectLatest(', l.received, l.protocol') + andAssetSeen(view, 's.asset_id', 3)
  const values = [view.businessId, textArray(signalIds), ...seenValues(view)]
  const rows = await queryable.rows<ReceivedValueRow & { id: string }>(text, values)
  return new Map(rows.map((row) => [row.id, toReceivedValue(row)]))
}

export type ValueRange = {
  readonly from: number
  readonly to: number
  readonly limit: number
  readonly order: 'asc' | 'desc'
}

function selectHistory(columns: string, order: ValueRange['order']): string {
  return `
select ${columns} from assets_value
where signal_key = $1 and ts >= $2 and ts < $3
order by ts ${order}
limit $4`
}

const numbersText = { asc: selectHistory('ts, v', 'asc'), desc: selectHistory('ts, v', 'desc') }
const anyText = { asc: selectHistory('ts, v, t', 'asc'), desc: selectHistory('ts, v, t', 'desc') }

export async function readValues(
  queryable: Queryable,
  key: number,
  range: ValueRange,
): Promise<Value[]> {
  const values = [key, range.from, range.to, range.limit]
  const rows = await queryable.rows<Stored & { ts: number }>(anyText[range.order], values)
  return rows.map(toValue)
}

/**
 * The same, answered by the key's index without touching the table; undefined where one of the
 * values is not a number alone.
 */
export async function readNumbers(
  queryable: Queryable,
  key: number,
  range: ValueRange,
): Promise<Value[] | undefined> {
  const values = [key, range.from, range.to, range.limit]
  type Row = { ts: number; v: number | null }
  const rows = await queryable.rows<Row>(numbersText[range.order], values)
  if (rows.some((row) => row.v === null)) return undefined
  return rows.map((row) => ({ ts: row.ts, value: row.v }))
}
