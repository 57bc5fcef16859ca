import { int8Array, type Queryable, textArray } from '../../../foundation/database/index.ts'
import { andSeen, seenValues, type View } from '../../../people/groups/index.ts'
import {
  type AssetStatus,
  defaultCategory,
  type Level,
  levelName,
  type RuleStatus,
  type SignalStatus,
  timeoutCategory,
  timeoutLevel,
} from '../types.ts'
import { andAssetSeen } from './assets.ts'
import { toStatusFields } from './status-events.ts'

// The rows of the assets are read so that nothing is kept of an asset that is gone.
const upsertStatuses = `
insert into assets_status as s
  (business_id, asset_id, rule_id, ts, since, level, previous, type, value, category, signal_id)
select a.business_id, a.id, n.rule_id, n.ts, n.ts, n.level, 0, n.type, n.value, n.category,
  n.signal_id
from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[],
  $7::text[], $8::text[], $9::text[]) with ordinality as n
  (business_id, asset_id, rule_id, ts, level, type, value, category, signal_id, place)
join assets_asset a on a.business_id = n.business_id and a.id = n.asset_id
order by n.place
on conflict (business_id, asset_id, rule_id) do update set
  ts = excluded.ts,
  since = case when s.level = excluded.level then s.since else excluded.since end,
  previous = s.level,
  level = excluded.level,
  type = excluded.type,
  value = excluded.value,
  category = excluded.category,
  signal_id = excluded.signal_id
where s.ts <= excluded.ts or s.ts > $10::bigint
returning s.business_id, s.asset_id, s.rule_id, s.previous, s.level`

type LevelRow = {
  readonly business_id: string
  readonly asset_id: string
  readonly rule_id: string
  readonly previous: Level
  readonly level: Level
}

/**
 * Stores statuses, each of another rule; sorted, so that two writers never wait for each other. A
 * status with a time after `presentUntilUs` is of a clock that ran ahead: anything is newer.
 * @returns for each the levels before and after; undefined if it was old or its asset is gone.
 */
export async function keepStatuses(
  queryable: Queryable,
  statuses: readonly RuleStatus[],
  presentUntilUs: number,
): Promise<({ readonly previous: Level; readonly level: Level } | undefined)[]> {
  const texts = (of: (status: RuleStatus) => string | null) => textArray(statuses.map(of))
  const rows = await queryable.rows<LevelRow>(upsertStatuses, [
    texts(({ businessId }) => businessId),
    texts(({ assetId }) => assetId),
    texts(({ ruleId }) => ruleId),
    int8Array(statuses.map(({ ts }) => ts)),
    int8Array(statuses.map(({ level }) => level)),
    texts(({ type }) => type ?? null),
    texts(({ value }) => (value === undefined ? null : JSON.stringify(value))),
    texts(({ category }) => category ?? defaultCategory),
    texts(({ signalId }) => signalId ?? null),
    presentUntilUs,
  ])
  const kept = new Map(
    rows.map((row) => [ruleKey(row.business_id, row.asset_id, row.rule_id), row]),
  )
  return statuses.map(({ businessId, assetId, ruleId }) =>
    kept.get(ruleKey(businessId, assetId, ruleId)),
  )
}

function ruleKey(...ids: readonly [businessId: string, assetId: string, ruleId: string]): string {
  return ids.join('/')
}

const deleteRule = `delete from assets_status where business_id = $1 and rule_id = $2`

export function dropRule(queryable: Queryable, businessId: string, ruleId: string) {
  return queryable.run(deleteRule, [businessId, ruleId])
}

// If several rules are equally bad the first one counts; an asset is normal since its last rule is.
const selectStatuses = `
select a.id, r.level, r.since, r.type, r.value, r.rule_id, r.signal_id, r.category, exists (
  select 1 from assets_signal s
  join assets_latest l on l.signal_key = s.key
  where s.business_id = a.business_id and s.asset_id = a.id
    and s.timeout_ms is not null and l.ts + s.timeout_ms * 1000 < $3
) as timeout
from assets_asset a
left join lateral (
  select s.level, s.since, s.type, s.value, s.rule_id, s.signal_id, s.category
  from assets_status s
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
  rule_id: string | null
  signal_id: string | null
  category: string | null
}

export async function readStatuses(
  queryable: Queryable,
  view: View,
  assetIds: readonly string[],
  nowUs: number,
): Promise<Map<string, AssetStatus>> {
  const text = selectStatuses + andSeen(view, 'a.group_id', 4)
  const values = [view.businessId, textArray(assetIds), nowUs, ...seenValues(view)]
  const rows = await queryable.rows<StatusRow>(text, values)
  return new Map(
    rows.map((row) => {
      const level = row.level ?? 0
      const status = { level, name: levelName(level), since: row.since, timeout: row.timeout }
      return [row.id, Object.assign(status, toStatusFields(row), toPlace(row))]
    }),
  )
}

function toPlace({ rule_id, signal_id, category }: StatusRow) {
  if (rule_id === null || category === null) return {}
  return { ruleId: rule_id, category, ...(signal_id === null ? {} : { signalId: signal_id }) }
}

function selectAll(view: View): string {
  return `
    select s.asset_id, s.rule_id, s.signal_id, s.category, s.level, s.ts, s.since, s.type, s.value
    from assets_status s
    where s.business_id = $1 and s.asset_id = any($2::text[])
      ${andAssetSeen(view, 's.asset_id', 6)}
    union all
    select s.asset_id, null, s.id, $4, $5::smallint, l.ts, l.ts + s.timeout_ms * 1000, null, null
    from assets_signal s
    join assets_latest l on l.signal_key = s.key
    where s.business_id = $1 and s.asset_id = any($2::text[])
      and s.timeout_ms is not null and l.ts + s.timeout_ms * 1000 < $3::bigint
      ${andAssetSeen(view, 's.asset_id', 6)}
    order by level desc, since desc, rule_id, signal_id`
}

type AnyStatusRow = StatusFields & {
  asset_id: string
  rule_id: string | null
  signal_id: string | null
  category: string
  level: Level
  ts: number
  since: number
}

/** The statuses of the rules and of the silent signals of assets, the worst and newest first. */
export async function readAllStatuses(
  queryable: Queryable,
  view: View,
  assetIds: readonly string[],
  nowUs: number,
): Promise<Map<string, SignalStatus[]>> {
  const timeout = [timeoutCategory, timeoutLevel]
  const values = [view.businessId, textArray(assetIds), nowUs, ...timeout, ...seenValues(view)]
  const rows = await queryable.rows<AnyStatusRow>(selectAll(view), values)
  const byAsset = Map.groupBy(rows, (row) => row.asset_id)
  return new Map([...byAsset].map(([assetId, own]) => [assetId, own.map(toSignalStatus)]))
}

function toSignalStatus(row: AnyStatusRow): SignalStatus {
  const { rule_id: ruleId, signal_id: signalId, category, level, ts, since } = row
  const status = { ruleId, signalId, category, level, name: levelName(level), ts, since }
  return Object.assign(status, toStatusFields(row))
}
