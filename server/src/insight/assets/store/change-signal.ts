import type { Queryable } from '../../../foundation/database/index.ts'
import type { Signal } from '../types.ts'
import { describedColumns } from './signals.ts'
import { chooseSlot, counted } from './structure.ts'

const updateSignal = `
with changed as (
  update assets_signal s set
    asset_id = n.asset_id, name = n.name, description = n.description, data_type = n.data_type,
    data_unit = n.data_unit, precision = n.precision, min = n.min, max = n.max,
    multiplier = n.multiplier, value_offset = n.value_offset, timeout_ms = n.timeout_ms,
    tags = n.tags, alias = n.alias, channel = n.channel, connector_id = n.connector_id,
    identity = n.identity, display = n.display,
    silent_from = case when s.asset_id = n.asset_id then s.silent_from end,
    look_at = case
      when s.timeout_ms is distinct from n.timeout_ms or s.asset_id <> n.asset_id then 0
      else s.look_at end
  from json_to_record($3::json) as n (
    asset_id text, name text, description text, data_type text, data_unit text,
    precision double precision, min double precision, max double precision,
    multiplier double precision, value_offset double precision, timeout_ms bigint, tags text,
    alias text, channel text, connector_id text, identity text, display text
  )
  where s.business_id = $1 and s.id = $2
  returning s.id
), ${counted('changed', '$4')}
select id from changed`

/**
 * Stores everything of a signal but its primitive type, as which its values are kept, and the
 * outlet that feeds it. In another asset it is not silent until that is found there.
 */
export async function changeSignal(queryable: Queryable, signal: Signal): Promise<void> {
  const record = JSON.stringify({ asset_id: signal.assetId, ...describedColumns(signal) })
  const values = [signal.businessId, signal.id, record, chooseSlot(signal.assetId)]
  await queryable.run(updateSignal, values)
}
