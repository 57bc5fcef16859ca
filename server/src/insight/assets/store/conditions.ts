import type { Queryable, Transaction } from '../../../foundation/database/index.ts'
import type { Json } from '../../../foundation/kernel/index.ts'
import { seenValues, type View } from '../../../people/groups/index.ts'
import type {
  Condition,
  ConditionComment,
  ConditionFilter,
  ConditionOrder,
  ConditionState,
} from '../conditions/condition.ts'
import { type Level, levelFor, levelName, type OwnedStatusEvent } from '../types.ts'
import { andAssetSeen } from './assets.ts'

// A condition that came back, or got worse than ever, is to be acknowledged anew.
const upsertConditions = `
insert into assets_condition as c
  (business_id, id, asset_id, source_id, rule_id, signal_id, category, level, worst, type, value,
    ts, opened_at)
select business_id, id, asset_id, coalesce(rule_id, signal_id, ''), rule_id, signal_id, category,
  level, level, type, value, ts, ts
from json_to_recordset($1::json) as e (
  place integer, business_id text, id text, asset_id text, rule_id text, signal_id text,
  category text, level smallint, type text, value text, ts bigint
)
order by place
on conflict (business_id, asset_id, source_id) where cleared_at is null do update set
  signal_id = excluded.signal_id,
  category = excluded.category,
  level = excluded.level,
  worst = greatest(c.worst, excluded.level),
  type = excluded.type,
  value = excluded.value,
  ts = excluded.ts,
  ended_at = null,
  acknowledged_at =
    case when c.ended_at is null and excluded.level <= c.worst then c.acknowledged_at end,
  acknowledged_by =
    case when c.ended_at is null and excluded.level <= c.worst then c.acknowledged_by end`

type OpeningEvent = OwnedStatusEvent & { readonly conditionId: string }

/** Opens the conditions of statuses, each of another source, or changes those that are open. */
export async function openConditions(
  transaction: Transaction,
  events: readonly OpeningEvent[],
): Promise<void> {
  if (events.length === 0) return
  const records = events.map((event, place) => ({
    place,
    business_id: event.businessId,
    id: event.conditionId,
    asset_id: event.assetId,
    rule_id: event.ruleId,
    signal_id: event.signalId,
    category: event.category,
    level: event.level,
    type: event.type ?? null,
    value: toText(event.value),
    ts: event.ts,
  }))
  await transaction.run(upsertConditions, [JSON.stringify(records)])
}

const endOpen = `
update assets_condition set level = 0, type = $4, value = $5, ts = $3, ended_at = $3
where business_id = $1 and source_id = $2 and cleared_at is null and ended_at is null`

/** The status of a rule or a signal is normal, or gone. */
export function endConditions(
  queryable: Queryable,
  businessId: string,
  sourceId: string,
  { ts, type, value }: { ts: number; type?: string | undefined; value?: Json | undefined },
): Promise<number> {
  return queryable.run(endOpen, [businessId, sourceId, ts, type ?? null, toText(value)])
}

const state = `
case when c.cleared_at is not null then 'cleared'
  when c.acknowledged_at is not null then 'acknowledged' else 'open' end`

const columns = `
c.id, c.asset_id, c.rule_id, c.signal_id, c.category, c.level, c.worst, c.type, c.value, c.ts,
c.opened_at, c.ended_at, c.acknowledged_at, c.acknowledged_by, c.cleared_at, c.cleared_by,
${state} as state`

type ConditionRow = {
  id: string
  asset_id: string
  rule_id: string | null
  signal_id: string | null
  category: string
  level: Level
  worst: Level
  type: string | null
  value: string | null
  ts: number
  opened_at: number
  ended_at: number | null
  acknowledged_at: number | null
  acknowledged_by: string | null
  cleared_at: number | null
  cleared_by: string | null
  state: ConditionState
}

function conditionFrom(row: ConditionRow): Condition {
  return {
    id: row.id,
    assetId: row.asset_id,
    ruleId: row.rule_id,
    signalId: row.signal_id,
    category: row.category,
    level: row.level,
    name: levelName(row.level),
    worst: row.worst,
    type: row.type,
    value: row.value === null ? null : (JSON.parse(row.value) as Json),
    ts: row.ts,
    openedAt: row.opened_at,
    endedAt: row.ended_at,
    state: row.state,
    acknowledgedAt: row.acknowledged_at,
    acknowledgedBy: row.acknowledged_by,
    clearedAt: row.cleared_at,
    clearedBy: row.cleared_by,
  }
}

const selectOne = `
select ${columns} from assets_condition c where c.business_id = $1 and c.id = $2`

export async function readCondition(
  queryable: Queryable,
  view: View,
  id: string,
): Promise<Condition | undefined> {
  const text = selectOne + andAssetSeen(view, 'c.asset_id', 3)
  const row = await queryable.one<ConditionRow>(text, [view.businessId, id, ...seenValues(view)])
  return row === undefined ? undefined : conditionFrom(row)
}

/** The condition, held until the transaction ends. */
export async function holdCondition(
  transaction: Transaction,
  view: View,
  id: string,
): Promise<Condition | undefined> {
  const text = `${selectOne}${andAssetSeen(view, 'c.asset_id', 3)} for no key update of c`
  const row = await transaction.one<ConditionRow>(text, [view.businessId, id, ...seenValues(view)])
  return row === undefined ? undefined : conditionFrom(row)
}

const fits = `
c.business_id = $1 and ($2::json is null or exists (
  select 1
  from json_to_recordset($2::json) as f (
    asset_id text, rule_id text, signal_id text, category text, levels smallint[], states text[],
    after bigint, before bigint
  )
  where (f.asset_id is null or f.asset_id = c.asset_id)
    and (f.rule_id is null or f.rule_id = c.rule_id)
    and (f.signal_id is null or f.signal_id = c.signal_id)
    and (f.category is null or f.category = c.category)
    and (f.levels is null or c.level = any(f.levels))
    and (f.states is null or ${state} = any(f.states))
    and (f.after is null or c.opened_at >= f.after)
    and (f.before is null or c.opened_at < f.before)
))`

export async function countConditions(
  queryable: Queryable,
  view: View,
  filters: readonly ConditionFilter[],
): Promise<number> {
  const seen = andAssetSeen(view, 'c.asset_id', 3)
  const text = `select count(*) as total from assets_condition c where ${fits}${seen}`
  const values = [view.businessId, filterText(filters), ...seenValues(view)]
  return (await queryable.one<{ total: number }>(text, values))?.total ?? 0
}

export type ConditionPage = {
  readonly filters: readonly ConditionFilter[]
  readonly order: readonly ConditionOrder[]
  readonly page: { readonly limit: number; readonly offset: number }
}

const orderColumns: Readonly<Record<ConditionOrder['by'], string>> = {
  openedAt: 'c.opened_at',
  ts: 'c.ts',
  level: 'c.level',
  worst: 'c.worst',
}

export async function pageOfConditions(
  queryable: Queryable,
  view: View,
  { filters, order, page }: ConditionPage,
): Promise<Condition[]> {
  const wanted = order.map(({ by, order: way }) => {
    return `${orderColumns[by]} ${way === 'asc' ? 'asc' : 'desc'}`
  })
  const text = `
    select ${columns} from assets_condition c
    where ${fits}${andAssetSeen(view, 'c.asset_id', 5)}
    order by ${[...new Set(wanted), 'c.number desc'].join(', ')}
    limit $3 offset $4`
  const { limit, offset } = page
  const values = [view.businessId, filterText(filters), limit, offset, ...seenValues(view)]
  return (await queryable.rows<ConditionRow>(text, values)).map(conditionFrom)
}

function filterText(filters: readonly ConditionFilter[]): string | null {
  if (filters.length === 0) return null
  const records = filters.map((filter) => ({
    asset_id: filter.assetId ?? null,
    rule_id: filter.ruleId ?? null,
    signal_id: filter.signalId ?? null,
    category: filter.category ?? null,
    levels: filter.levels?.map(levelFor) ?? null,
    states: filter.states ?? null,
    after: filter.from ?? null,
    before: filter.to ?? null,
  }))
  return JSON.stringify(records)
}

type Mark = { readonly by: string; readonly at: number }

const acknowledge = `
update assets_condition set acknowledged_at = $3, acknowledged_by = $4
where business_id = $1 and id = $2 and acknowledged_at is null and cleared_at is null`

export function markAcknowledged(queryable: Queryable, businessId: string, id: string, mark: Mark) {
  return queryable.run(acknowledge, [businessId, id, mark.at, mark.by])
}

const clear = `
update assets_condition set cleared_at = $3, cleared_by = $4
where business_id = $1 and id = $2 and cleared_at is null`

export function markCleared(queryable: Queryable, businessId: string, id: string, mark: Mark) {
  return queryable.run(clear, [businessId, id, mark.at, mark.by])
}

const commentColumns = 'number, comment, written_by as by, at'
type CommentRow = { number: number; comment: string; by: string; at: number }

function commentFrom({ number, comment, by, at }: CommentRow): ConditionComment {
  return { id: String(number), comment, by, createdAt: at }
}

const countComments = `
select count(*) as count from assets_condition_comment
where business_id = $1 and condition_id = $2`

export async function commentCount(queryable: Queryable, businessId: string, id: string) {
  return (await queryable.one<{ count: number }>(countComments, [businessId, id]))?.count ?? 0
}

const insertComment = `
insert into assets_condition_comment (business_id, condition_id, comment, written_by, at)
values ($1, $2, $3, $4, $5)
returning ${commentColumns}`

export async function addComment(
  transaction: Transaction,
  businessId: string,
  id: string,
  { comment, by, at }: Mark & { readonly comment: string },
): Promise<ConditionComment> {
  const values = [businessId, id, comment, by, at]
  const [row] = await transaction.rows<CommentRow>(insertComment, values)
  if (row === undefined) throw new Error('the comment was not stored')
  return commentFrom(row)
}

const selectComments = `
select ${commentColumns} from assets_condition_comment
where business_id = $1 and condition_id = $2
order by number
limit $3 offset $4`

export async function readComments(
  queryable: Queryable,
  businessId: string,
  id: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<ConditionComment[]> {
  const values = [businessId, id, page.limit, page.offset]
  return (await queryable.rows<CommentRow>(selectComments, values)).map(commentFrom)
}

const deleteCleared = `
delete from assets_condition
where cleared_at < $1 and cleared_at <= coalesce((
  select cleared_at from assets_condition
  where cleared_at < $1 order by cleared_at limit 1 offset $2
), $1)`

/** Removes about so many conditions that were cleared before a time. */
export function dropClearedBefore(queryable: Queryable, us: number, rowsMax: number) {
  return queryable.run(deleteCleared, [us, rowsMax])
}

function toText(value: Json | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
