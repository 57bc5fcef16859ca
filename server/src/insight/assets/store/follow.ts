import { int8Array, type Queryable, textArray } from '../../../foundation/database/index.ts'
import { andSeen, seenValues, type View } from '../../../people/groups/index.ts'
import type { SignalReading, StatusEvent } from '../types.ts'
import { andAssetSeen } from './assets.ts'
import { type EventRow, toEvent } from './status-events.ts'
import { toValue } from './value-rows.ts'

/** By signal id the time of the value after which others are read, in microseconds. */
export type ValuePositions = ReadonlyMap<string, number>

const selectValues = (seen: string) => `
select s.id, n.ts, n.v, n.t
from unnest($2::text[], $3::bigint[]) as asked (id, after)
join assets_signal s on s.business_id = $1 and s.id = asked.id${seen}
cross join lateral (
  select h.ts, h.v, h.t from assets_value h
  where h.signal_key = s.key and h.ts > asked.after
  order by h.ts limit $4
) as n
order by n.ts, s.id
limit $4`

/** The values after these positions, oldest first. */
export async function valuesAfter(
  queryable: Queryable,
  view: View,
  positions: ValuePositions,
  limit: number,
): Promise<SignalReading[]> {
  type Row = { id: string; ts: number; v: number | null; t: string | null }
  const rows = await queryable.rows<Row>(selectValues(andAssetSeen(view, 's.asset_id', 5)), [
    view.businessId,
    textArray([...positions.keys()]),
    int8Array([...positions.values()]),
    limit,
    ...seenValues(view),
  ])
  return rows.map((row) => ({ signalId: row.id, ...toValue(row) }))
}

const selectEventsAfter = (seen: string) => `
select asked.asset_id, n.number, n.rule_id, n.ts, n.level, n.previous, n.type, n.value,
  n.category, n.signal_id
from unnest($2::text[]) as asked (asset_id)
cross join lateral (
  select e.number, e.rule_id, e.ts, e.level, e.previous, e.type, e.value, e.category, e.signal_id
  from assets_event e
  where e.business_id = $1 and e.asset_id = asked.asset_id and e.number > $3
  order by e.number limit $4
) as n
where true${seen}
order by n.number
limit $4`

/** The events after this number, oldest first. */
export async function eventsAfter(
  queryable: Queryable,
  view: View,
  assetIds: readonly string[],
  { number, limit }: { readonly number: number; readonly limit: number },
): Promise<StatusEvent[]> {
  const rows = await queryable.rows<EventRow>(
    selectEventsAfter(andAssetSeen(view, 'asked.asset_id', 5)),
    [view.businessId, textArray(assetIds), number, limit, ...seenValues(view)],
  )
  return rows.map(toEvent)
}

const selectNewest = `
select max(number) as number from assets_event
where business_id = $1 and asset_id = any($2::text[])`

/** The number of the newest event of these assets; 0 if there is none. */
export async function newestEvent(
  queryable: Queryable,
  view: View,
  assetIds: readonly string[],
): Promise<number> {
  const values = [view.businessId, textArray(assetIds)]
  return (await queryable.one<{ number: number | null }>(selectNewest, values))?.number ?? 0
}

/** The first of these assets that does not exist or is not seen. */
export function unseenAsset(
  queryable: Queryable,
  view: View,
  ids: readonly string[],
): Promise<string | undefined> {
  const seen = andSeen(view, 's.group_id', 3)
  return firstUnseen(queryable, view, ids, `assets_asset s${whereSame}${seen}`)
}

/** The first of these signals that does not exist or is not seen. */
export function unseenSignal(
  queryable: Queryable,
  view: View,
  ids: readonly string[],
): Promise<string | undefined> {
  const seen = andAssetSeen(view, 's.asset_id', 3)
  return firstUnseen(queryable, view, ids, `assets_signal s${whereSame}${seen}`)
}

const whereSame = ' where s.business_id = $1 and s.id = asked.id'

async function firstUnseen(
  queryable: Queryable,
  view: View,
  ids: readonly string[],
  same: string,
): Promise<string | undefined> {
  const text = `
    select asked.id from unnest($2::text[]) with ordinality as asked (id, place)
    where not exists (select from ${same})
    order by asked.place limit 1`
  const values = [view.businessId, textArray(ids), ...seenValues(view)]
  return (await queryable.one<{ id: string }>(text, values))?.id
}
