import {
  type BusinessRows,
  databaseClock,
  int8Array,
  type Queryable,
  readDependants,
  rowsByIndex,
  rowsByScan,
} from '../../../foundation/database/index.ts'
import { type Dependants, limits } from '../../../foundation/kernel/index.ts'
import { movesRows } from '../../../people/groups/index.ts'
import { dropValues } from './retention.ts'

const before = rowsByIndex(
  'assets_event',
  'assets_condition_comment',
  'assets_condition',
  'assets_status',
)
const after = rowsByIndex(
  'assets_asset',
  'assets_template_version',
  'assets_template',
  'assets_structure',
)
const others = rowsByScan('assets_intake')

/** Everything of a business; the values of its signals first. */
export const assetRows: BusinessRows = async function* (queryable, businessId) {
  yield* before(queryable, businessId)
  yield* signalRows(queryable, businessId)
  yield* after(queryable, businessId)
  yield* others(queryable, businessId)
}

const selectKeys = 'select key from assets_signal where business_id = $1 order by key limit $2'

// Values that a batch under way still writes are removed as those of any removed signal.
const dropSignals = `
with gone as (
  delete from assets_signal where business_id = $1 and key = any($2::bigint[]) returning key
), latest as (
  delete from assets_latest where signal_key = any($2::bigint[])
)
insert into assets_removed (signal_key, at)
select key, ${databaseClock} from gone`

async function* signalRows(queryable: Queryable, businessId: string): AsyncGenerator<number> {
  const { businessRemovalBatchMax: most } = limits
  for (;;) {
    const rows = await queryable.rows<{ key: number }>(selectKeys, [businessId, most])
    const keys = rows.map(({ key }) => key)
    for (const key of keys) yield* dropSignalValues(queryable, key)
    if (keys.length > 0) await queryable.run(dropSignals, [businessId, int8Array(keys)])
    yield keys.length
    if (keys.length < most) return
  }
}

async function* dropSignalValues(queryable: Queryable, key: number): AsyncGenerator<number> {
  const most = limits.retentionBatchMax
  for (;;) {
    const removed = await dropValues(queryable, key, most)
    yield removed
    if (removed <= most) return
  }
}

export function assetDependants(queryable: Queryable, businessId: string): Promise<Dependants[]> {
  const from = 'assets_asset where business_id = $1'
  const asked = { effect: 'deleted', values: [businessId] } as const
  return readDependants(queryable, asked, [{ kind: 'assets', from, name: 'name' }])
}

/** Assets of the connector's devices, and signals that its resources feed: both are kept. */
export function connectorFedAssets(
  queryable: Queryable,
  businessId: string,
  connectorId: string,
): Promise<Dependants[]> {
  const where = 'where s.business_id = $1 and s.connector_id = $2'
  const fed = `assets_signal s left join assets_asset a
    on a.business_id = s.business_id and a.id = s.asset_id
    where s.business_id = $1 and coalesce(s.connector_id, a.connector_id) = $2
      and s.alias is not null`
  return readDependants(queryable, { effect: 'kept', values: [businessId, connectorId] }, [
    { kind: 'assets', from: `assets_asset s ${where}`, name: 's.name' },
    { kind: 'signals', from: fed, name: 's.name' },
  ])
}

/** Assets of a group, and connectors of which the new devices' assets go to it. */
export function groupAssets(
  queryable: Queryable,
  businessId: string,
  groupId: string,
): Promise<Dependants[]> {
  const where = 'where business_id = $1 and group_id = $2'
  return readDependants(queryable, { effect: 'moved', values: [businessId, groupId] }, [
    { kind: 'assets', from: `assets_asset ${where}`, name: 'name' },
    { kind: 'connectors', from: `assets_intake ${where}`, name: 'connector_id' },
  ])
}

export const moveGroupAssets = movesRows('assets_asset', 'assets_intake')
