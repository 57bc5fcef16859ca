import { int8Array, type Queryable, textArray } from '../../../foundation/database/index.ts'
import { seenValues, type View } from '../../../people/groups/index.ts'
import type {
  DeviceRef,
  Feed,
  OutletSource,
  OwnedDevice,
  Signal,
  SignalSource,
  Value,
} from '../types.ts'
import { andAssetSeen } from './assets.ts'
import { deviceKey } from './channels.ts'
import { chooseSlot, counted } from './structure.ts'
import { type ReceivedValueRow, toReceivedValue } from './value-rows.ts'

const described = `
  name, description, primitive_type, data_type, data_unit, precision, min, max, multiplier,
  value_offset, timeout_ms, tags, alias, channel, connector_id, identity, link_id, outlet,
  display, template_key`

const columns = `s.id, s.business_id, s.key, s.asset_id, ${described
  .split(',')
  .map((column) => `s.${column.trim()}`)
  .join(', ')}`

type Described = {
  name: string
  description: string
  primitive_type: Signal['primitiveType']
  data_type: string | null
  data_unit: string | null
  precision: number | null
  min: number | null
  max: number | null
  multiplier: number | null
  value_offset: number | null
  timeout_ms: number | null
  tags: string
  alias: string | null
  channel: string | null
  connector_id: string | null
  identity: string | null
  link_id: string | null
  outlet: number | null
  display: string
  template_key: string | null
}

type Row = Described & { id: string; business_id: string; key: number; asset_id: string }

/** Most signals have none; they share it. */
const noTags: Signal['tags'] = Object.freeze({})
const noDisplay: Signal['display'] = Object.freeze({})

function toSignal(row: Row): Signal {
  return {
    id: row.id,
    key: row.key,
    assetId: row.asset_id,
    businessId: row.business_id,
    name: row.name,
    description: row.description,
    primitiveType: row.primitive_type,
    dataType: row.data_type,
    dataUnit: row.data_unit,
    precision: row.precision,
    min: row.min,
    max: row.max,
    multiplier: row.multiplier,
    offset: row.value_offset,
    source: toSource(row),
    timeoutMs: row.timeout_ms,
    tags: row.tags === '{}' ? noTags : (JSON.parse(row.tags) as Signal['tags']),
    display: row.display === '{}' ? noDisplay : (JSON.parse(row.display) as Signal['display']),
    templateKey: row.template_key,
  }
}

function toSource(row: Row): SignalSource | null {
  if (row.link_id !== null && row.outlet !== null) {
    return { linkId: row.link_id, outlet: row.outlet }
  }
  if (row.alias === null) return null
  const { connector_id: connectorId, identity } = row
  return {
    alias: row.alias,
    ...(row.channel === null ? {} : { channel: row.channel }),
    ...(connectorId === null || identity === null ? {} : { device: { connectorId, identity } }),
  }
}

/** The columns that describe a signal. */
export function describedColumns(signal: Omit<Signal, 'key'>): Described {
  const source = signal.source
  const resource = source !== null && 'alias' in source ? source : undefined
  const outlet = source !== null && 'linkId' in source ? source : undefined
  return {
    name: signal.name,
    description: signal.description,
    primitive_type: signal.primitiveType,
    data_type: signal.dataType,
    data_unit: signal.dataUnit,
    precision: signal.precision,
    min: signal.min,
    max: signal.max,
    multiplier: signal.multiplier,
    value_offset: signal.offset,
    timeout_ms: signal.timeoutMs,
    tags: JSON.stringify(signal.tags),
    alias: resource?.alias ?? null,
    channel: resource?.channel ?? null,
    connector_id: resource?.device?.connectorId ?? null,
    identity: resource?.device?.identity ?? null,
    link_id: outlet?.linkId ?? null,
    outlet: outlet?.outlet ?? null,
    display: JSON.stringify(signal.display),
    template_key: signal.templateKey,
  }
}

const insertSignals = `
insert into assets_signal (business_id, asset_id, id, ${described}, look_at)
select business_id, asset_id, id, ${described}, case when timeout_ms is not null then 0 end
from json_to_recordset($1::json) as s (
  number integer, business_id text, asset_id text, id text, name text, description text,
  primitive_type text, data_type text, data_unit text, precision double precision,
  min double precision, max double precision, multiplier double precision,
  value_offset double precision, timeout_ms bigint, tags text, alias text, channel text,
  connector_id text, identity text, link_id text, outlet smallint, display text,
  template_key text
)
order by number
returning id, key`

/** Returns the signals with their keys, in the order they came. The caller counts the change. */
export async function addSignals(
  queryable: Queryable,
  signals: readonly Omit<Signal, 'key'>[],
): Promise<Signal[]> {
  if (signals.length === 0) return []
  const records = signals.map((signal, number) => ({
    number,
    business_id: signal.businessId,
    asset_id: signal.assetId,
    id: signal.id,
    ...describedColumns(signal),
  }))
  const rows = await queryable.rows<{ id: string; key: number }>(insertSignals, [
    JSON.stringify(records),
  ])
  const keys = new Map(rows.map((row) => [row.id, row.key]))
  return signals.map((signal) => ({ ...signal, key: keys.get(signal.id) ?? 0 }))
}

export async function signalsWithIds(
  queryable: Queryable,
  view: View,
  ids: readonly string[],
): Promise<Signal[]> {
  const text = `
    select ${columns} from assets_signal s
    where s.business_id = $1 and s.id = any($2::text[])${andAssetSeen(view, 's.asset_id', 3)}
    order by s.key`
  return (await queryable.rows<Row>(text, ofIds(view, ids))).map(toSignal)
}

function ofIds(view: View, ids: readonly string[]): (string | Buffer)[] {
  return [view.businessId, textArray(ids), ...seenValues(view)]
}

export async function signalsOfAssets(
  queryable: Queryable,
  view: View,
  assetIds: readonly string[],
): Promise<Signal[]> {
  const text = `
    select ${columns} from assets_signal s
    where s.business_id = $1 and s.asset_id = any($2::text[])
      ${andAssetSeen(view, 's.asset_id', 3)}
    order by s.key`
  return (await queryable.rows<Row>(text, ofIds(view, assetIds))).map(toSignal)
}

/** The signals with their latest values in one question: most lists show both. */
export async function signalsWithLatest(
  queryable: Queryable,
  view: View,
  assetIds: readonly string[],
): Promise<{ signal: Signal; latest: Value | null }[]> {
  const text = `
    select ${columns}, l.ts, l.v, l.t, l.received, l.protocol from assets_signal s
    left join assets_latest l on l.signal_key = s.key
    where s.business_id = $1 and s.asset_id = any($2::text[])
      ${andAssetSeen(view, 's.asset_id', 3)}
    order by s.key`
  type Joined = Row & Omit<ReceivedValueRow, 'ts'> & { ts: number | null }
  const rows = await queryable.rows<Joined>(text, ofIds(view, assetIds))
  return rows.map((row) => ({
    signal: toSignal(row),
    latest: row.ts === null ? null : toReceivedValue({ ...row, ts: row.ts }),
  }))
}

export async function signalsOfLinks(
  queryable: Queryable,
  view: View,
  linkIds: readonly string[],
): Promise<Signal[]> {
  const text = `
    select ${columns} from assets_signal s
    where s.business_id = $1 and s.link_id = any($2::text[])${andAssetSeen(view, 's.asset_id', 3)}
    order by s.link_id, s.outlet, s.key`
  return (await queryable.rows<Row>(text, ofIds(view, linkIds))).map(toSignal)
}

const countSignals = `
select count(*) as count from assets_signal where business_id = $1 and asset_id = $2`

export async function signalCount(queryable: Queryable, businessId: string, assetId: string) {
  const row = await queryable.one<{ count: number }>(countSignals, [businessId, assetId])
  return row?.count ?? 0
}

// Each of these goes by an index whatever the planner knows of the tables: one statement that joins
// them went through the whole business where there were no statistics yet.
const selectFed = `
select business_id, id, connector_id, identity from assets_asset
where connector_id = any($1::text[]) and identity = any($2::text[])`

const selectOfFed = `
select ${columns} from assets_signal s
where s.business_id = any($1::text[]) and s.asset_id = any($2::text[])
  and s.alias is not null and s.connector_id is null
order by s.key`

const selectOfDevices = `
select ${columns} from assets_signal s
where s.connector_id = any($1::text[]) and s.identity = any($2::text[])
  and s.connector_id is not null and s.alias is not null
order by s.key`

type Fed = { business_id: string; id: string; connector_id: string; identity: string }

/** The signals that these devices feed, by their assets or by name. */
export async function readFeeds(
  queryable: Queryable,
  devices: readonly OwnedDevice[],
): Promise<Feed[]> {
  const asked = new Set(devices.map((device) => deviceKey(device.businessId, device)))
  const named = [
    textArray([...new Set(devices.map((device) => device.connectorId))]),
    textArray([...new Set(devices.map((device) => device.identity))]),
  ]
  const direct = await queryable.rows<Row>(selectOfDevices, named)
  const fed = (await queryable.rows<Fed>(selectFed, named)).filter((asset) =>
    asked.has(deviceKey(asset.business_id, toDevice(asset))),
  )
  const feeders = new Map(fed.map((asset) => [`${asset.business_id}/${asset.id}`, toDevice(asset)]))
  const through = await signalsOfFed(queryable, fed)
  return [...direct, ...through].flatMap((row) => {
    const own = feeders.get(`${row.business_id}/${row.asset_id}`)
    const feeder = row.connector_id === null ? own : toDevice(row)
    if (feeder === undefined || !asked.has(deviceKey(row.business_id, feeder))) return []
    return [{ signal: toSignal(row), ...feeder, ...toAlias(row) }]
  })
}

async function signalsOfFed(queryable: Queryable, fed: readonly Fed[]): Promise<Row[]> {
  if (fed.length === 0) return []
  return queryable.rows<Row>(selectOfFed, [
    textArray([...new Set(fed.map((asset) => asset.business_id))]),
    textArray(fed.map((asset) => asset.id)),
  ])
}

function toDevice(row: { connector_id: string | null; identity: string | null }): DeviceRef {
  return { connectorId: row.connector_id ?? '', identity: row.identity ?? '' }
}

function toAlias(row: Row): Pick<Feed, 'alias' | 'channel'> {
  return { alias: row.alias ?? '', ...(row.channel === null ? {} : { channel: row.channel }) }
}

const noteRemovedOfAsset = `
insert into assets_removed (signal_key, at)
select key, $3 from assets_signal where business_id = $1 and asset_id = $2`

/** Notes that the values of the asset's signals are nobody's from now on. */
export function noteRemoved(queryable: Queryable, businessId: string, assetId: string, at: number) {
  return queryable.run(noteRemovedOfAsset, [businessId, assetId, at])
}

const noteOneRemoved = `insert into assets_removed (signal_key, at) values ($1, $2)`
const deleteSignal = `
with s as (
  delete from assets_signal where business_id = $1 and id = $2
  returning id, business_id, key, asset_id, ${described}
), ${counted('s', '$3')}
select ${columns} from s`

export async function dropSignal(
  queryable: Queryable,
  businessId: string,
  id: string,
  at: number,
): Promise<Signal | undefined> {
  const row = await queryable.one<Row>(deleteSignal, [businessId, id, chooseSlot(id)])
  if (row === undefined) return undefined
  await queryable.run(noteOneRemoved, [row.key, at])
  return toSignal(row)
}

const updateOutlet = `
with s as (
  update assets_signal set link_id = $3, outlet = $4, name = coalesce($5, name)
  where business_id = $1 and id = $2
  returning id, business_id, key, asset_id, ${described}
), ${counted('s', '$6')}
select ${columns} from s`

/** Sets the outlet that feeds a signal, null for none, and its name where one is given. */
export async function changeOutlet(
  queryable: Queryable,
  businessId: string,
  id: string,
  outlet: OutletSource | null,
  name: string | undefined,
): Promise<Signal | undefined> {
  const { linkId = null, outlet: number = null } = outlet ?? {}
  const values = [businessId, id, linkId, number, name ?? null, chooseSlot(id)]
  const row = await queryable.one<Row>(updateOutlet, values)
  return row === undefined ? undefined : toSignal(row)
}

const selectNames = `
select s.business_id as "businessId", s.asset_id as "assetId", s.name
from assets_signal s
join assets_asset a on a.business_id = s.business_id and a.id = s.asset_id
where s.key = any($1::bigint[])
order by s.asset_id, s.key
for key share of a`

/** Reads the names of signals and of their assets, which stay until the transaction ends. */
export function holdNames(queryable: Queryable, keys: readonly number[]) {
  return queryable.rows<Pick<Signal, 'businessId' | 'assetId' | 'name'>>(selectNames, [
    int8Array(keys),
  ])
}
