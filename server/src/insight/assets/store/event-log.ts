import { int8Array, type Queryable } from '../../../foundation/database/index.ts'
import { seenValues, type View } from '../../../people/groups/index.ts'
import type { EventFilter, LoggedEvent } from '../types.ts'
import { andAssetSeen } from './assets.ts'
import { type EventRow, eventColumns, toEvent } from './status-events.ts'

/** The events of all assets that the view sees, the last recorded first. */
export async function readEventLog(
  queryable: Queryable,
  view: View,
  { assetId, levels, category, from, to }: EventFilter = {},
  page: { readonly limit: number; readonly offset: number },
): Promise<LoggedEvent[]> {
  const text = `
    select e.at, ${eventColumns.map((column) => `e.${column}`).join(', ')} from assets_event e
    where e.business_id = $1
      and ($2::text is null or e.asset_id = $2)
      and ($3::bigint[] is null or e.level = any($3))
      and ($4::text is null or e.category = $4)
      and ($5::bigint is null or e.at >= $5) and ($6::bigint is null or e.at < $6)
      ${andAssetSeen(view, 'e.asset_id', 9)}
    order by e.at desc, e.number desc
    limit $7 offset $8`
  const filter = [assetId ?? null, levels ? int8Array(levels) : null, category ?? null]
  const values = [view.businessId, ...filter, from ?? null, to ?? null, page.limit, page.offset]
  const rows = await queryable.rows<EventRow & { at: number }>(text, [
    ...values,
    ...seenValues(view),
  ])
  return rows.map((row) => Object.assign(toEvent(row), { at: row.at }))
}
