import { type Queryable, textArray } from '../../database/index.ts'
import type { Json } from '../../kernel/index.ts'
import {
  type AssetStatus,
  type Level,
  levelName,
  type NewStatus,
  type StatusEvent,
} from '../types.ts'

// The row of the asset is read so that nothing is kept of an asset that is gone.
const upsertStatus = `
insert into assets_status as s
  (business_id, asset_id, rule_id, ts, since, level, previous, type, value)
select a.business_id, a.id, $3, $4, $4, $5, 0, $6, $7
from assets_asset a
where a.business_id = $1 and a.id = $2
on conflict (business_id, asset_id, rule_id) do update set
  ts = excluded.ts,
  since = case when s.level = excluded.level then s.since else excluded.since end,
  previous = s.level,
  level = excluded.level,
  type = excluded.type,
  value = excluded.value
where s.ts <= excluded.ts or s.ts > $8::bigint
returning previous, level`

/**
 * The levels before and after; nothing if the status was old or the asset is gone. What is
 * stored after `presentUntilUs` is of a clock that ran ahead: anything is newer.
 */
export function keepStatus(
  queryable: Queryable,
  businessId: string,
  assetId: string,
  ruleId: string,
  status: NewStatus,
  presentUntilUs: number,
) {
  const place = [businessId, assetId, ruleId]
  const fields = [status.ts, status.level, status.type ?? null, textOf(status.value)]
  const values = [...place, ...fields, presentUntilUs]
  return queryable.one<{ previous: Level; level: Level }>(upsertStatus, values)
}

const insertEvent = `
insert into assets_event
  (business_id, asset_id, rule_id, ts, level, type, value, at, previous)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`

export function addEvent(
  queryable: Queryable,
  businessId: string,
  event: NewStatus & { assetId: string; ruleId: string; at: number; previous: Level },
) {
  const place = [businessId, event.assetId, event.ruleId]
  const fields = [event.ts, event.level, event.type ?? null, textOf(event.value)]
  return queryable.run(insertEvent, [...place, ...fields, event.at, event.previous])
}

const deleteRule = `delete from assets_status where business_id = $1 and rule_id = $2`

export function dropRule(queryable: Queryable, businessId: string, ruleId: string) {
  return queryable.run(deleteRule, [businessId, ruleId])
}

// Of rules that are equally bad the first one counts; an asset is normal since its last rule is.
const selectStatuses = `
select a.id, r.level, r.since, r.type, r.value, exists (
  select 1 from assets_signal s
  join assets_latest l on l.signal_key = s.key
  where s.business_id = a.business_id and s.asset_id = a.id
    and s.timeout_ms is not null and l.ts + s.timeout_ms * 1000 < $3
) as timeout
from assets_asset a
left join lateral (
  select s.level, s.since, s.type, s.value from assets_status s
  where s.business_id = a.business_id and s.asset_id = a.id
  order by s.level desc, case when s.level = 0 then -s.since else s.since end
  limit 1
) r on true
where a.business_id = $1 and a.id = any($2::text[])`

type StatusFields = { type: string | null; value: string | null }
type StatusRow = StatusFields & {
  id: string
  level: Level | null
  since: number | null
  timeout: boolean
}

export async function statusesOf(
  queryable: Queryable,
  businessId: string,
  assetIds: readonly string[],
  nowUs: number,
): Promise<Map<string, AssetStatus>> {
  const values = [businessId, textArray(assetIds), nowUs]
  const rows = await queryable.rows<StatusRow>(selectStatuses, values)
  return new Map(
    rows.map((row) => {
      const level = row.level ?? 0
      const status = { level, name: levelName(level), since: row.since, timeout: row.timeout }
      return [row.id, { ...status, ...statusFieldsOf(row) }]
    }),
  )
}

const selectEvents = `
select number, rule_id, ts, level, previous, type, value
from assets_event
where business_id = $1 and asset_id = $2
order by number desc
limit $3 offset $4`

type EventRow = StatusFields & {
  number: number
  rule_id: string
  ts: number
  level: Level
  previous: Level
}

export async function eventsOf(
  queryable: Queryable,
  businessId: string,
  assetId: string,
  page: { limit: number; offset: number },
): Promise<StatusEvent[]> {
  const values = [businessId, assetId, page.limit, page.offset]
  const rows = await queryable.rows<EventRow>(selectEvents, values)
  return rows.map((row) => ({
    id: String(row.number),
    assetId,
    ruleId: row.rule_id,
    ts: row.ts,
    level: row.level,
    name: levelName(row.level),
    previous: row.previous,
    ...statusFieldsOf(row),
  }))
}

function textOf(value: Json | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

function statusFieldsOf(row: StatusFields): { type?: string; value?: Json } {
  return {
    ...(row.type === null ? {} : { type: row.type }),
    ...(row.value === null ? {} : { value: JSON.parse(row.value) as Json }),
  }
}
