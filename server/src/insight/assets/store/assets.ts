import { int8Array, type Queryable, textArray } from '../../../foundation/database/index.ts'
import type { JsonObject } from '../../../foundation/kernel/index.ts'
import { andSeen, seenValues, type View } from '../../../people/groups/index.ts'
import type { Asset, DeviceRef, Intake, OwnedDevice } from '../types.ts'
import { deviceKey } from './channels.ts'
import { type AssetQuery, foundBy, pageClause } from './pages.ts'
import { chooseSlot, counted } from './structure.ts'

/** The condition that the asset in this column is seen, as `andSeen` is that of a group. */
export function andAssetSeen(view: View, column: string, parameter: number): string {
  if (view.groups === 'all') return ''
  return `
  and ${column} in (
    select own.id from assets_asset own
    where own.business_id = $1${andSeen(view, 'own.group_id', parameter)}
  )`
}

const columns = `
  id, business_id, group_id, name, description, connector_id, identity, created_at, meta,
  asset_type, locked, latitude, longitude, location_signal, template_id`

type Row = {
  id: string
  business_id: string
  group_id: string
  name: string
  description: string
  connector_id: string | null
  identity: string | null
  created_at: number
  meta: string
  asset_type: string | null
  locked: boolean
  latitude: number | null
  longitude: number | null
  location_signal: string | null
  template_id: string | null
}

/** Most assets have none; they share it. */
const noMeta: JsonObject = Object.freeze({})

function toAsset(row: Row): Asset {
  const { connector_id: connectorId, identity } = row
  return {
    id: row.id,
    businessId: row.business_id,
    name: row.name,
    description: row.description,
    groupId: row.group_id,
    device: connectorId === null || identity === null ? null : { connectorId, identity },
    meta: row.meta === '{}' ? noMeta : (JSON.parse(row.meta) as JsonObject),
    assetType: row.asset_type,
    location: toLocation(row),
    locked: row.locked,
    templateId: row.template_id,
    createdAt: row.created_at,
  }
}

function toLocation({ latitude, longitude, location_signal: signalId }: Row) {
  if (signalId !== null) return { signalId }
  return latitude === null || longitude === null ? null : { latitude, longitude }
}

const insertAsset = `
with added as (
  insert into assets_asset
    (business_id, id, group_id, name, description, connector_id, identity, by_intake, created_at,
      meta, asset_type, template_id, latitude, longitude)
  values ($1, $2, $3, $4, $5, $6, $7, false, $8, $10, $11, $12, $13, $14)
  returning id
), ${counted('added', '$9')}
select id from added`

/** An asset that somebody made. */
export async function addAsset(queryable: Queryable, asset: Asset): Promise<void> {
  const { businessId, id, groupId, name, description, device, createdAt } = asset
  const place = [businessId, id, groupId, name, description]
  const feeding = [device?.connectorId ?? null, device?.identity ?? null]
  const { location } = asset
  const fixed = location !== null && 'latitude' in location ? location : undefined
  const at = [fixed?.latitude ?? null, fixed?.longitude ?? null]
  const more = [JSON.stringify(asset.meta), asset.assetType, asset.templateId, ...at]
  await queryable.run(insertAsset, [...place, ...feeding, createdAt, chooseSlot(id), ...more])
}

const insertByIntake = `
insert into assets_asset
  (business_id, id, group_id, name, description, connector_id, identity, by_intake, created_at)
select business_id, id, group_id, name, '', connector_id, identity, true, created_at
from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[])
  with ordinality
  as a (business_id, id, group_id, name, connector_id, identity, created_at, number)
order by number
on conflict do nothing
returning id`

/** An asset that the intake makes of a device. */
export type IntakeAsset = Asset & { readonly device: DeviceRef }

/**
 * Adds assets of devices that the intake has made no asset of yet; the others are not stored.
 * @returns the ids of those that were. The caller counts the change.
 */
export async function addIntakeAssets(
  queryable: Queryable,
  assets: readonly IntakeAsset[],
): Promise<ReadonlySet<string>> {
  if (assets.length === 0) return new Set()
  const rows = await queryable.rows<{ id: string }>(insertByIntake, [
    textArray(assets.map(({ businessId }) => businessId)),
    textArray(assets.map(({ id }) => id)),
    textArray(assets.map(({ groupId }) => groupId)),
    textArray(assets.map(({ name }) => name)),
    textArray(assets.map(({ device }) => device.connectorId)),
    textArray(assets.map(({ device }) => device.identity)),
    int8Array(assets.map(({ createdAt }) => createdAt)),
  ])
  return new Set(rows.map(({ id }) => id))
}

const selectAsset = `select ${columns} from assets_asset where business_id = $1 and id = $2`

export async function findAsset(queryable: Queryable, view: View, id: string) {
  const text = selectAsset + andSeen(view, 'group_id', 3)
  const row = await queryable.one<Row>(text, [view.businessId, id, ...seenValues(view)])
  return row === undefined ? undefined : toAsset(row)
}

const selectSome = `
select ${columns} from assets_asset where business_id = $1 and id = any($2::text[])`

/** The assets with these ids; those that the view does not see are missing. */
export async function assetsWithIds(queryable: Queryable, view: View, ids: readonly string[]) {
  const text = `${selectSome}${andSeen(view, 'group_id', 3)} order by number`
  const values = [view.businessId, textArray(ids), ...seenValues(view)]
  return (await queryable.rows<Row>(text, values)).map(toAsset)
}

/** Holds the asset: nobody else adds signals to it or removes it until the transaction ends. */
export async function holdAsset(queryable: Queryable, view: View, id: string) {
  const text = `${selectAsset}${andSeen(view, 'group_id', 3)} for no key update of assets_asset`
  const row = await queryable.one<Row>(text, [view.businessId, id, ...seenValues(view)])
  return row === undefined ? undefined : toAsset(row)
}

const selectOfDevices = `
select ${columns} from assets_asset
where connector_id = any($1::text[]) and identity = any($2::text[])
order by number desc`

/** Returns the oldest asset of each of these devices that has one, by `deviceKey`. */
export async function assetsOfDevices(
  queryable: Queryable,
  devices: readonly OwnedDevice[],
): Promise<Map<string, Asset>> {
  if (devices.length === 0) return new Map()
  const asked = new Set(devices.map((device) => deviceKey(device.businessId, device)))
  const rows = await queryable.rows<Row>(selectOfDevices, [
    textArray([...new Set(devices.map(({ connectorId }) => connectorId))]),
    textArray([...new Set(devices.map(({ identity }) => identity))]),
  ])
  const found = new Map<string, Asset>()
  for (const asset of rows.map(toAsset)) {
    const key = asset.device === null ? '' : deviceKey(asset.businessId, asset.device)
    if (asked.has(key)) found.set(key, asset)
  }
  return found
}

export async function assetPage(
  queryable: Queryable,
  view: View,
  query: AssetQuery,
): Promise<Asset[]> {
  const { clause, values } = pageClause(view, query)
  return (await queryable.rows<Row>(`select ${columns} ${clause}`, values)).map(toAsset)
}

const updateAsset = `
with changed as (
  update assets_asset set
    group_id = $3, name = $4, description = $5, connector_id = $6, identity = $7, meta = $8,
    asset_type = $9, locked = $10, latitude = $11, longitude = $12, location_signal = $13
  where business_id = $1 and id = $2
  returning id
), ${counted('changed', '$14')}
select id from changed`

export async function changeAsset(queryable: Queryable, asset: Asset): Promise<void> {
  const { businessId, id, groupId, name, description, device, location } = asset
  const fixed = location !== null && 'latitude' in location ? location : undefined
  const signalId = location !== null && 'signalId' in location ? location.signalId : null
  await queryable.run(updateAsset, [
    businessId,
    id,
    groupId,
    name,
    description,
    device?.connectorId ?? null,
    device?.identity ?? null,
    JSON.stringify(asset.meta),
    asset.assetType,
    asset.locked,
    fixed?.latitude ?? null,
    fixed?.longitude ?? null,
    signalId,
    chooseSlot(id),
  ])
}

const selectInGroups = `
select ${columns
  .split(',')
  .map((column) => `a.${column.trim()}`)
  .join(', ')}
from unnest($2::text[]) as g (id)
cross join lateral (
  select ${columns} from assets_asset
  where business_id = $1 and group_id = g.id
  order by number
  limit $3 offset $4
) a`

/** A page of the assets of each of these groups, which the view sees, by group. */
export async function assetsInGroups(
  queryable: Queryable,
  { businessId }: View,
  groupIds: readonly string[],
  page: { readonly limit: number; readonly offset: number },
): Promise<ReadonlyMap<string, Asset[]>> {
  const values = [businessId, textArray(groupIds), page.limit, page.offset]
  const rows = await queryable.rows<Row>(selectInGroups, values)
  return Map.groupBy(rows.map(toAsset), ({ groupId }) => groupId)
}

const countInGroups = `
select group_id as id, count(*) as count from assets_asset
where business_id = $1 and group_id = any($2::text[])
group by group_id`

/** Counts the assets of groups, by group; groups without one are missing. */
export async function countsInGroups(
  queryable: Queryable,
  { businessId }: View,
  groupIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  type Counted = { id: string; count: number }
  const values = [businessId, textArray(groupIds)]
  const rows = await queryable.rows<Counted>(countInGroups, values)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** Counts the assets that a filter finds, whatever page of them is asked. */
export async function assetCount(
  queryable: Queryable,
  view: View,
  query: AssetQuery,
): Promise<number> {
  const { from, values } = foundBy(view, query)
  const text = `select count(*) as count ${from}`
  return (await queryable.one<{ count: number }>(text, values))?.count ?? 0
}

const selectPresent = `
select id from assets_asset where business_id = $1 and id = $2 for key share`

/** Returns whether there is such an asset; then it stays until the transaction ends. */
export async function holdPresent(queryable: Queryable, businessId: string, id: string) {
  return (await queryable.one(selectPresent, [businessId, id])) !== undefined
}

const deleteAsset = `
with removed as (
  delete from assets_asset where business_id = $1 and id = $2 returning id
), ${counted('removed', '$3')}
select id from removed`

export function dropAsset(queryable: Queryable, businessId: string, id: string) {
  return queryable.run(deleteAsset, [businessId, id, chooseSlot(id)])
}

const selectIntakes = `
select connector_id as "connectorId", business_id as "businessId", group_id as "groupId"
from assets_intake
where connector_id = any($1::text[])`

/** Returns the intakes of connectors, by connector id; those without one are missing. */
export async function readIntakes(
  queryable: Queryable,
  connectorIds: readonly string[],
): Promise<Map<string, Intake>> {
  if (connectorIds.length === 0) return new Map()
  type Row = Intake & { connectorId: string }
  const values = [textArray([...new Set(connectorIds)])]
  const rows = await queryable.rows<Row>(selectIntakes, values)
  return new Map(rows.map(({ connectorId, ...intake }) => [connectorId, intake]))
}

const upsertIntake = `
insert into assets_intake (connector_id, business_id, group_id)
values ($2, $1, $3)
on conflict (connector_id) do update set group_id = excluded.group_id
where assets_intake.business_id = excluded.business_id`

/** False where another business holds the connector's intake. */
export async function keepIntake(
  queryable: Queryable,
  businessId: string,
  connectorId: string,
  groupId: string | null,
): Promise<boolean> {
  return (await queryable.run(upsertIntake, [businessId, connectorId, groupId])) > 0
}

const deleteIntake = `delete from assets_intake where business_id = $1 and connector_id = $2`

export function dropIntake(queryable: Queryable, businessId: string, connectorId: string) {
  return queryable.run(deleteIntake, [businessId, connectorId])
}
