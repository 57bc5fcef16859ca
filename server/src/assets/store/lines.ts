import { int8Array, type Queryable } from '../../database/index.ts'
import { limits } from '../../kernel/index.ts'
import type { LogLine } from '../types.ts'

// The row of the asset is read so that nothing is kept of an asset that is gone.
const insertLine = `
insert into assets_line (business_id, asset_id, at, severity, text)
select a.business_id, a.id, $3, $4, $5
from assets_asset a
where a.business_id = $1 and a.id = $2`

// Lines that another transaction is removing are left to it: nobody waits for a log line.
const deleteSurplus = `
delete from assets_line
where business_id = $1 and asset_id = $2 and number in (
  select number from assets_line
  where business_id = $1 and asset_id = $2 and number <= (
    select number from assets_line
    where business_id = $1 and asset_id = $2
    order by number desc
    limit 1 offset $3
  )
  order by number
  limit $4
  for update skip locked
)`

export async function addLine(
  queryable: Queryable,
  businessId: string,
  assetId: string,
  line: LogLine,
): Promise<void> {
  await queryable.run(insertLine, [businessId, assetId, line.at, line.severity, line.text])
  const kept = [limits.assetLinesMax, limits.retentionBatchMax]
  await queryable.run(deleteSurplus, [businessId, assetId, ...kept])
}

const insertLinesOfSignals = `
insert into assets_line (business_id, asset_id, at, severity, text)
select s.business_id, s.asset_id, $2, 'warning', s.name || ': ' || $3
from assets_signal s
where s.key = any($1::bigint[])`

/** One line for each of the signals, in the logs of their assets. */
export function addLinesOfSignals(
  queryable: Queryable,
  keys: readonly number[],
  at: number,
  text: string,
) {
  return queryable.run(insertLinesOfSignals, [int8Array(keys), at, text])
}

const selectLines = `
select at, severity, text
from assets_line
where business_id = $1 and asset_id = $2
order by number desc
limit $3 offset $4`

export function linesOf(
  queryable: Queryable,
  businessId: string,
  assetId: string,
  page: { limit: number; offset: number },
) {
  return queryable.rows<LogLine>(selectLines, [businessId, assetId, page.limit, page.offset])
}
