import {
  float8Array,
  int8Array,
  type Queryable,
  type Statement,
  type Transaction,
  textArray,
} from '../../database/index.ts'
import { seenValues, type View } from '../../groups/index.ts'
import type { Json } from '../../kernel/index.ts'
import { placeOf } from '../area.ts'
import type { NewValue, Value } from '../types.ts'
import { andAssetSeen } from './assets.ts'

type Stored = { readonly v: number | null; readonly t: string | null }

/** A number is `v` alone; anything else is JSON in `t`, a boolean with 0 or 1 beside it. */
function storedOf(value: Json): Stored {
  if (typeof value === 'number') return { v: value, t: null }
  if (value === null) return { v: null, t: null }
  return { v: typeof value === 'boolean' ? Number(value) : null, t: JSON.stringify(value) }
}

/** A value as it was stored. */
export function readingOf(row: Stored & { readonly ts: number }): Value {
  return { ts: row.ts, value: row.t === null ? row.v : (JSON.parse(row.t) as Json) }
}

function columnsOf(values: readonly NewValue[]): Buffer[] {
  const stored = values.map((value) => storedOf(value.value))
  return [
    int8Array(values.map((value) => value.key)),
    int8Array(values.map((value) => value.ts)),
    float8Array(stored.map((one) => one.v)),
    textArray(stored.map((one) => one.t)),
  ]
}

const upsertHistory = `
insert into assets_value (signal_key, ts, v, t)
select signal_key, ts, v, t
from unnest($1::bigint[], $2::bigint[], $3::float8[], $4::text[]) as n (signal_key, ts, v, t)
on conflict (signal_key, ts) do update set v = excluded.v, t = excluded.t`

/** Sorted by key and time, each of both once: so that two writers never wait for each other. */
export function replaceStatement(values: readonly NewValue[]): Statement {
  return { text: upsertHistory, values: columnsOf(values) }
}

const insertHistory = `
insert into assets_value (signal_key, ts, v, t)
select signal_key, ts, v, t
from unnest($1::bigint[], $2::bigint[], $3::float8[], $4::text[]) as n (signal_key, ts, v, t)
on conflict do nothing`

// Points that this transaction has inserted are not taken.
const selectTaken = `
select h.signal_key as key, h.ts
from unnest($1::bigint[], $2::bigint[]) as n (signal_key, ts)
join assets_value h on h.signal_key = n.signal_key and h.ts = n.ts
where h.xmin <> pg_current_xact_id()::xid`

/** Adds those of which the stamp is free; sorted as above, and once in a transaction. */
export function addStatement(values: readonly NewValue[]): Statement {
  return { text: insertHistory, values: columnsOf(values) }
}

/** @returns those of which the stamp was taken before this transaction, in their order. */
export async function takenOf(
  transaction: Transaction,
  values: readonly NewValue[],
): Promise<readonly NewValue[]> {
  const columns = columnsOf(values)
  const rows = await transaction.rows<{ key: number; ts: number }>(selectTaken, columns.slice(0, 2))
  const taken = new Set(rows.map(({ key, ts }) => `${key}/${ts}`))
  return values.filter(({ key, ts }) => taken.has(`${key}/${ts}`))
}

const insertNextFree = `
insert into assets_value (signal_key, ts, v, t)
select n.signal_key, coalesce(free.ts, n.ts), n.v, n.t
from unnest($1::bigint[], $2::bigint[], $3::float8[], $4::text[]) as n (signal_key, ts, v, t)
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
returning signal_key as key, ts`

/**
 * Adds values, each of another signal, at the next microsecond that is free after a taken stamp.
 * @returns the microseconds, by key.
 */
export async function addAtNextFree(
  transaction: Transaction,
  values: readonly NewValue[],
): Promise<Map<number, number>> {
  const columns = columnsOf(values)
  const rows = await transaction.rows<{ key: number; ts: number }>(insertNextFree, columns)
  return new Map(rows.map(({ key, ts }) => [key, ts]))
}

// A signal that is silent is looked at at once.
const upsertLatest = `
with noticed as (
  update assets_signal set look_at = 0
  where key = any($1::bigint[]) and silent_from is not null and look_at > 0
)
insert into assets_latest (signal_key, ts, v, t)
select signal_key, ts, v, t
from unnest($1::bigint[], $2::bigint[], $3::float8[], $4::text[]) as n (signal_key, ts, v, t)
on conflict (signal_key) do update
set ts = excluded.ts, v = excluded.v, t = excluded.t,
  latitude = excluded.latitude, longitude = excluded.longitude
where excluded.ts >= assets_latest.ts or assets_latest.ts > $5::bigint`

/** The same of values of which some are places. */
const upsertPlaces = upsertLatest
  .replace('(signal_key, ts, v, t)', '(signal_key, ts, v, t, latitude, longitude)')
  .replace('select signal_key, ts, v, t', 'select signal_key, ts, v, t, lat, lng')
  .replace('$4::text[])', '$4::text[], $6::float8[], $7::float8[])')
  .replace('n (signal_key, ts, v, t)', 'n (signal_key, ts, v, t, lat, lng)')

/** Sorted by key, each once. What is stored after `presentUntilUs` is of a clock that ran ahead. */
export function keepLatestStatement(
  values: readonly NewValue[],
  presentUntilUs: number,
): Statement {
  const columns = [...columnsOf(values), presentUntilUs]
  const places = values.map(({ value }) => placeOf(value))
  if (places.every((place) => place === undefined)) return { text: upsertLatest, values: columns }
  const latitudes = float8Array(places.map((place) => place?.lat ?? null))
  const longitudes = float8Array(places.map((place) => place?.lng ?? null))
  return { text: upsertPlaces, values: [...columns, latitudes, longitudes] }
}

const selectLatest = `
select s.id, l.ts, l.v, l.t
from assets_signal s
join assets_latest l on l.signal_key = s.key
where s.business_id = $1 and s.id = any($2::text[])`

export async function latestOf(
  queryable: Queryable,
  view: View,
  signalIds: readonly string[],
): Promise<Map<string, Value>> {
  type Row = Stored & { id: string; ts: number }
  const text = selectLatest + andAssetSeen(view, 's.asset_id', 3)
  const values = [view.businessId, textArray(signalIds), ...seenValues(view)]
  const rows = await queryable.rows<Row>(text, values)
  return new Map(rows.map((row) => [row.id, readingOf(row)]))
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

export async function valuesOf(
  queryable: Queryable,
  key: number,
  range: ValueRange,
): Promise<Value[]> {
  const values = [key, range.from, range.to, range.limit]
  const rows = await queryable.rows<Stored & { ts: number }>(anyText[range.order], values)
  return rows.map(readingOf)
}

/**
 * The same, answered by the key's index without touching the table; undefined where one of the
 * values is not a number alone.
 */
export async function numbersOf(
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
