import { int8Array, type Queryable, textArray } from '../../../foundation/database/index.ts'
import { seenValues, type View } from '../../../people/groups/index.ts'
import type { SeriesAggregate, StatusEvent, Value } from '../types.ts'
import { andAssetSeen } from './assets.ts'
import { type EventRow, eventColumns, toEvent } from './status-events.ts'
import { type ReceivedValueRow, toReceivedValue } from './value-rows.ts'
import type { ValueRange } from './values.ts'

type Row = ReceivedValueRow & { key: number }

function selectHistories(order: ValueRange['order']): string {
  return `
select k.key, h.ts, h.v, h.t, h.received, h.protocol
from unnest($1::bigint[]) as k (key)
cross join lateral (
  select ts, v, t, received, protocol from assets_value
  where signal_key = k.key and ts >= $2 and ts < $3
  order by ts ${order}
  limit $4
) h`
}

const historiesText = { asc: selectHistories('asc'), desc: selectHistories('desc') }

/** The values of several signals in one statement, in the order of the range, by key. */
export async function readHistories(
  queryable: Queryable,
  keys: readonly number[],
  range: ValueRange,
): Promise<ReadonlyMap<number, Value[]>> {
  const values = [int8Array(keys), range.from, range.to, range.limit]
  return byKey(await queryable.rows<Row>(historiesText[range.order], values))
}

function byKey(rows: readonly Row[]): ReadonlyMap<number, Value[]> {
  const found = new Map<number, Value[]>()
  for (const row of rows) {
    const value = toReceivedValue(row)
    const list = found.get(row.key)
    if (list === undefined) found.set(row.key, [value])
    else list.push(value)
  }
  return found
}

/** Intervals of so many microseconds; their first one begins on Monday, 1970-01-05. */
export type Buckets = ValueRange & { readonly widthUs: number; readonly aggregate: SeriesAggregate }

const firstMondayUs = 4 * 24 * 3_600 * 1_000_000

const aggregates: Readonly<Record<SeriesAggregate, string>> = {
  avg: 'avg(v) as v, null as t',
  min: 'min(v) as v, null as t',
  max: 'max(v) as v, null as t',
  sum: 'sum(v) as v, null as t',
  count: 'count(*)::double precision as v, null as t',
  first: '(array_agg(v order by ts))[1] as v, (array_agg(t order by ts))[1] as t',
  last: '(array_agg(v order by ts desc))[1] as v, (array_agg(t order by ts desc))[1] as t',
}

/** A point for each interval that has a value, in the order of the range, by key. */
export async function readBuckets(
  queryable: Queryable,
  keys: readonly number[],
  { from, to, limit, order, widthUs, aggregate }: Buckets,
): Promise<ReadonlyMap<number, Value[]>> {
  const since = `(ts - ${firstMondayUs})`
  const text = `
    select k.key, b.ts, b.v, b.t, null::bigint as received, null::smallint as protocol
    from unnest($1::bigint[]) as k (key)
    cross join lateral (
      select h.bucket as ts, ${aggregates[aggregate]}
      from (
        select v, t, ts, ts - mod(mod(${since}, $5) + $5, $5) as bucket
        from assets_value
        where signal_key = k.key and ts >= $2 and ts < $3
      ) h
      group by h.bucket
      order by h.bucket ${order}
      limit $4
    ) b`
  const values = [int8Array(keys), from, to, limit, widthUs]
  return byKey(await queryable.rows<Row>(text, values))
}

const selectRuleEvents = `
select ${eventColumns.map((column) => `e.${column}`).join(', ')}
from unnest($2::text[], $3::text[]) as r (asset_id, rule_id)
cross join lateral (
  select ${eventColumns.join(', ')} from assets_event
  where business_id = $1 and rule_id = r.rule_id and asset_id = r.asset_id
    and ts >= $4 and ts < $5
  order by number desc
  limit $6
) e`

/** The changes of the levels of rules, newest first, by rule. */
export async function readRuleEvents(
  queryable: Queryable,
  { businessId }: View,
  rules: readonly { readonly assetId: string; readonly ruleId: string }[],
  { from, to, limit }: Pick<ValueRange, 'from' | 'to' | 'limit'>,
): Promise<ReadonlyMap<string, StatusEvent[]>> {
  const places = [
    textArray(rules.map(({ assetId }) => assetId)),
    textArray(rules.map(({ ruleId }) => ruleId)),
  ]
  const values = [businessId, ...places, from, to, limit]
  const rows = await queryable.rows<EventRow>(selectRuleEvents, values)
  return Map.groupBy(rows.map(toEvent), ({ ruleId }) => ruleId ?? '')
}

const selectNewest = `
select s.asset_id, max(l.ts) as ts
from assets_signal s
join assets_latest l on l.signal_key = s.key
where s.business_id = $1 and s.asset_id = any($2::text[])`

/** The time of the newest value of each asset's signals; those without any are missing. */
export async function readNewestTimes(
  queryable: Queryable,
  view: View,
  assetIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  type Newest = { asset_id: string; ts: number }
  const text = `${selectNewest}${andAssetSeen(view, 's.asset_id', 3)} group by s.asset_id`
  const values = [view.businessId, textArray(assetIds), ...seenValues(view)]
  const rows = await queryable.rows<Newest>(text, values)
  return new Map(rows.map(({ asset_id: id, ts }) => [id, ts]))
}
