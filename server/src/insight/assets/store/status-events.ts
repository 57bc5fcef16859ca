import type { Queryable } from '../../../foundation/database/index.ts'
import type { Json } from '../../../foundation/kernel/index.ts'
import { type Level, levelName, type NewStatus, type StatusEvent } from '../types.ts'

const insertEvents = `
insert into assets_event
  (business_id, asset_id, rule_id, signal_id, category, ts, level, previous, type, value, at)
select business_id, asset_id, rule_id, signal_id, category, ts, level, previous, type, value, $2
from json_to_recordset($1::json) as e (
  place integer, business_id text, asset_id text, rule_id text, signal_id text, category text,
  ts bigint, level smallint, previous smallint, type text, value text
)
order by place
returning number`

type NewEvent = NewStatus & {
  readonly businessId: string
  readonly assetId: string
  readonly ruleId: string | null
  readonly previous: Level
}

/** @returns the ids of the events, in their order. */
export async function addEvents(
  queryable: Queryable,
  events: readonly NewEvent[],
  at: number,
): Promise<string[]> {
  const records = events.map((event, place) => ({
    place,
    business_id: event.businessId,
    asset_id: event.assetId,
    rule_id: event.ruleId,
    signal_id: event.signalId ?? null,
    category: event.category,
    ts: event.ts,
    level: event.level,
    previous: event.previous,
    type: event.type ?? null,
    value: event.value === undefined ? null : JSON.stringify(event.value),
  }))
  const values = [JSON.stringify(records), at]
  const rows = await queryable.rows<{ number: number }>(insertEvents, values)
  return rows.map(({ number }) => String(number))
}

export const eventColumns = [
  'asset_id',
  'number',
  'rule_id',
  'ts',
  'level',
  'previous',
  'type',
  'value',
  'category',
  'signal_id',
]

const selectEvents = `
select ${eventColumns.join(', ')} from assets_event
where business_id = $1 and asset_id = $2
order by number desc
limit $3 offset $4`

export type EventRow = {
  asset_id: string
  number: number
  rule_id: string | null
  ts: number
  level: Level
  previous: Level
  category: string
  signal_id: string | null
  type: string | null
  value: string | null
}

export async function readEvents(
  queryable: Queryable,
  businessId: string,
  assetId: string,
  page: { limit: number; offset: number },
): Promise<StatusEvent[]> {
  const values = [businessId, assetId, page.limit, page.offset]
  const rows = await queryable.rows<EventRow>(selectEvents, values)
  return rows.map(toEvent)
}

export function toEvent({ asset_id: assetId, number, ...row }: EventRow): StatusEvent {
  const { rule_id: ruleId, signal_id: signalId, category, ts, level, previous } = row
  const place = { id: String(number), assetId, ruleId, signalId, category }
  const event = Object.assign(place, { ts, level, name: levelName(level), previous })
  return Object.assign(event, toStatusFields(row))
}

/** The fields of a status that may be missing, from their columns. */
export function toStatusFields(row: {
  readonly type: string | null
  readonly value: string | null
}): {
  type?: string
  value?: Json
} {
  return {
    ...(row.type === null ? {} : { type: row.type }),
    ...(row.value === null ? {} : { value: JSON.parse(row.value) as Json }),
  }
}
