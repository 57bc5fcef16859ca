import { type Queryable, textArray } from '../../../foundation/database/index.ts'
import type { View } from '../../../people/groups/index.ts'
import { checkedDisplay, pickDisplay } from '../signals/display.ts'
import type { ChannelSpec, DeviceRef, Signal } from '../types.ts'

/** An asset of a business. */
export type AssetRef = Pick<Signal, 'businessId' | 'assetId'>

/** An asset as a key of maps. */
export function assetKey({ businessId, assetId }: AssetRef): string {
  return `${businessId}/${assetId}`
}

function toIdArrays(assets: readonly AssetRef[]): [Buffer, Buffer] {
  const businessIds = new Set(assets.map(({ businessId }) => businessId))
  const assetIds = new Set(assets.map(({ assetId }) => assetId))
  return [textArray([...businessIds]), textArray([...assetIds])]
}

/** A device of a business as a key of maps. */
export function deviceKey(businessId: string, { connectorId, identity }: DeviceRef): string {
  return `${businessId}\0${connectorId}\0${identity}`
}

type AssetRow = { business_id: string; asset_id: string }

function toRef(row: AssetRow): AssetRef {
  return { businessId: row.business_id, assetId: row.asset_id }
}

// Each of these goes by an index whatever the planner knows of the tables, as those of feeds.
// In one order, so that two transactions never wait for each other.
const selectHeld = `
select business_id, id as asset_id, connector_id, identity from assets_asset
where business_id = any($1::text[]) and id = any($2::text[])
order by business_id, id
for no key update`

type DeviceRow = { connector_id: string | null; identity: string | null }

function toDevice({ connector_id: connectorId, identity }: DeviceRow): DeviceRef | null {
  return connectorId === null || identity === null ? null : { connectorId, identity }
}

/**
 * Holds assets: nobody else adds signals to them or removes them until the transaction ends.
 * @returns the device of each that there is, by `assetKey`.
 */
export async function holdAssets(
  queryable: Queryable,
  assets: readonly AssetRef[],
): Promise<ReadonlyMap<string, DeviceRef | null>> {
  const rows = await queryable.rows<AssetRow & DeviceRow>(selectHeld, toIdArrays(assets))
  return new Map(rows.map((row) => [assetKey(toRef(row)), toDevice(row)]))
}

const countSignals = `
select business_id, asset_id, count(*) as count from assets_signal
where business_id = any($1::text[]) and asset_id = any($2::text[])
group by business_id, asset_id`

/** Counts the signals of assets, by `assetKey`; an asset without signals is missing. */
export async function signalCounts(
  queryable: Queryable,
  assets: readonly AssetRef[],
): Promise<ReadonlyMap<string, number>> {
  type Row = AssetRow & { count: number }
  const rows = await queryable.rows<Row>(countSignals, toIdArrays(assets))
  return new Map(rows.map((row) => [assetKey(toRef(row)), row.count]))
}

const selectChannels = `
select business_id, asset_id, connector_id, identity, channel, min(key) as key
from assets_signal
where business_id = any($1::text[]) and asset_id = any($2::text[])
  and alias = $3 and channel is not null
group by business_id, asset_id, connector_id, identity, channel`

type ChannelRow = AssetRow & DeviceRow & { channel: string; key: number }

/** The keys of signals by channel, by `feederKey`. */
export type ChannelKeys = ReadonlyMap<string, ReadonlyMap<string, number>>

/** The key of whatever feeds signals of an asset: a device, or null for the asset's own. */
export function feederKey(asset: AssetRef, device: DeviceRef | null): string {
  const { connectorId = '', identity = '' } = device ?? {}
  return `${assetKey(asset)}\0${connectorId}\0${identity}`
}

/** Returns the oldest signal of each channel of these assets. */
export async function channelKeys(
  queryable: Queryable,
  assets: readonly AssetRef[],
  alias: string,
): Promise<ChannelKeys> {
  const rows = await queryable.rows<ChannelRow>(selectChannels, [...toIdArrays(assets), alias])
  const byFeeder = Map.groupBy(rows, (row) => feederKey(toRef(row), toDevice(row)))
  const keys = [...byFeeder].map(([feeder, those]) => {
    return [feeder, new Map(those.map(({ channel, key }) => [channel, key]))] as const
  })
  return new Map(keys)
}

const updateChannels = `
update assets_signal s set
  name = c.name, description = c.description, primitive_type = c.primitive_type,
  data_type = c.data_type, data_unit = c.data_unit, precision = c.precision, min = c.min,
  max = c.max, multiplier = c.multiplier, value_offset = c.value_offset, timeout_ms = c.timeout_ms,
  display = (s.display::jsonb || c.display)::text,
  look_at = case when s.timeout_ms is distinct from c.timeout_ms then 0 else s.look_at end
from json_to_recordset($3::json) as c (
  key bigint, name text, description text, primitive_type text, data_type text, data_unit text,
  precision double precision, min double precision, max double precision,
  multiplier double precision, value_offset double precision, timeout_ms bigint, display jsonb
)
where s.business_id = any($1::text[]) and s.asset_id = any($2::text[]) and s.key = c.key
  and (s.name, s.description, s.primitive_type, s.data_type, s.data_unit, s.precision, s.min,
    s.max, s.multiplier, s.value_offset, s.timeout_ms, s.display::jsonb)
  is distinct from (c.name, c.description, c.primitive_type, c.data_type, c.data_unit,
    c.precision, c.min, c.max, c.multiplier, c.value_offset, c.timeout_ms,
    s.display::jsonb || c.display)
returning s.key`

/**
 * Makes signals what channels describe, of assets that the transaction holds.
 * @returns the keys of those that were different. The caller counts the change.
 */
export async function describeSignals(
  queryable: Queryable,
  assets: readonly AssetRef[],
  channels: readonly (ChannelSpec & { readonly key: number })[],
): Promise<ReadonlySet<number>> {
  if (channels.length === 0) return new Set()
  const records = channels.map((channel) => ({
    key: channel.key,
    name: channel.name,
    description: channel.description,
    primitive_type: channel.primitiveType,
    data_type: channel.dataType,
    data_unit: channel.dataUnit,
    precision: channel.precision,
    min: channel.min,
    max: channel.max,
    multiplier: channel.multiplier,
    value_offset: channel.offset,
    timeout_ms: channel.timeoutMs,
    display: checkedDisplay(pickDisplay(channel)),
  }))
  const values = [...toIdArrays(assets), JSON.stringify(records)]
  const rows = await queryable.rows<{ key: number }>(updateChannels, values)
  return new Set(rows.map(({ key }) => key))
}

const countUses = `
select used.connector_id || '.' || used.identity as id, count(distinct used.asset_id) as count
from unnest($2::text[], $3::text[]) as d (connector_id, identity)
cross join lateral (
  select connector_id, identity, id as asset_id from assets_asset
  where business_id = $1 and connector_id = d.connector_id and identity = d.identity
  union all
  select connector_id, identity, asset_id from assets_signal
  where business_id = $1 and connector_id = d.connector_id and identity = d.identity
) used
group by used.connector_id, used.identity`

/** Counts the assets that each of these devices feeds, by `<connector>.<identity>`. */
export async function countDeviceUses(
  queryable: Queryable,
  { businessId }: View,
  devices: readonly DeviceRef[],
): Promise<ReadonlyMap<string, number>> {
  const names = [
    textArray(devices.map(({ connectorId }) => connectorId)),
    textArray(devices.map(({ identity }) => identity)),
  ]
  type Counted = { id: string; count: number }
  const rows = await queryable.rows<Counted>(countUses, [businessId, ...names])
  return new Map(rows.map(({ id, count }) => [id, count]))
}
