import { int8Array, type Queryable, textArray } from '../../../foundation/database/index.ts'
import { seenValues, type View } from '../../../people/groups/index.ts'
import { andAssetSeen } from './assets.ts'

/** A signal, by the key of its values, and what says how long they are kept. */
export type RetainedSignal = {
  readonly id: string
  readonly key: number
  readonly businessId: string
  readonly assetId: string
  /** The connector whose device feeds it; null if none does. */
  readonly connectorId: string | null
  /** Its own period. */
  readonly hours: number | null
}

const feeding = 'case when s.alias is not null then coalesce(s.connector_id, a.connector_id) end'

const retained = `
select s.id, s.key, s.business_id as "businessId", s.asset_id as "assetId",
  ${feeding} as "connectorId", s.retention_hours as hours
from assets_signal s
join assets_asset a on a.business_id = s.business_id and a.id = s.asset_id`

/** The signals that the view sees of these. */
export function retainedWithIds(queryable: Queryable, view: View, ids: readonly string[]) {
  return queryable.rows<RetainedSignal>(
    `${retained} where s.business_id = $1 and s.id = any($2::text[])
       ${andAssetSeen(view, 's.asset_id', 3)}`,
    [view.businessId, textArray(ids), ...seenValues(view)],
  )
}

/** Signals with a period of their own, or of these businesses or connectors, or all. */
export function retainedAfter(
  queryable: Queryable,
  key: number,
  of: { readonly businesses: string[]; readonly connectors: string[]; readonly all: boolean },
  max: number,
) {
  return queryable.rows<RetainedSignal>(
    `${retained} where s.key > $1 and ($2 or s.retention_hours is not null
       or s.business_id = any($3::text[]) or ${feeding} = any($4::text[]))
     order by s.key limit $5`,
    [key, of.all, textArray(of.businesses), textArray(of.connectors), max],
  )
}

export async function longestOfSignals(queryable: Queryable): Promise<number> {
  const row = await queryable.one<{ hours: number | null }>(
    `select max(retention_hours) as hours from assets_signal where retention_hours is not null`,
  )
  return row?.hours ?? 0
}

export function setSignalHours(
  queryable: Queryable,
  businessId: string,
  id: string,
  hours: number | null,
) {
  return queryable.run(
    'update assets_signal set retention_hours = $3::bigint where business_id = $1 and id = $2',
    [businessId, id, hours],
  )
}

/** Removes at most so many values of these signals from one partition. @returns how many. */
export function dropValuesIn(
  queryable: Queryable,
  partition: string,
  keys: readonly number[],
  beforeUs: number,
  rowsMax: number,
): Promise<number> {
  return queryable.run(
    `delete from ${partition} where (signal_key, ts) in (
       select signal_key, ts from ${partition}
       where signal_key = any($1::bigint[]) and ts < $2 limit $3)`,
    [int8Array(keys), beforeUs, rowsMax],
  )
}
