import { int8Array, type Queryable, textArray } from '../../database/index.ts'
import { andSeen, seenValues, type View } from '../../groups/index.ts'
import type { Asset, DeviceRef, Intake, OwnedDevice } from '../types.ts'
import { deviceKey } from './channels.ts'
import { counted, slotOf } from './structure.ts'

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
  id, business_id, group_id, name, description, connector_id, identity, created_at`

type Row = {
  id: string
  business_id: string
  group_id: string
  name: string
  description: string
  connector_id: string | null
  identity: string | null
  created_at: number
}

function assetOf(row: Row): Asset {
  const { connector_id: connectorId, identity } = row
  return {
    id: row.id,
    businessId: row.business_id,
    name: row.name,
    description: row.description,
    groupId: row.group_id,
    device: connectorId === null || identity === null ? null : { connectorId, identity },
    createdAt: row.created_at,
  }
}

const insertAsset = `
with added as (
  insert into assets_asset
    (business_id, id, group_id, name, description, connector_id, identity, by_intake, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, false, $8)
  returning id
), ${counted('added', '$9')}
select id from added`

/** An asset that somebody made. */
export async function addAsset(queryable: Queryable, asset: Asset): Promise<void> {
  const { businessId, id, groupId, name, description, device, createdAt } = asset
  const place = [businessId, id, groupId, name, description]
  const feeding = [device?.connectorId ?? null, device?.identity ?? null]
  await queryable.run(insertAsset, [...place, ...feeding, createdAt, slotOf(id)])
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
  return row === undefined ? undefined : assetOf(row)
}

const selectSome = `
select ${columns} from assets_asset where business_id = $1 and id = any($2::text[])`

/** The assets with these ids; those that the view does not see are missing. */
export async function assetsWithIds(queryable: Queryable, view: View, ids: readonly string[]) {
  const text = `${selectSome}${andSeen(view, 'group_id', 3)} order by number`
  const values = [view.businessId, textArray(ids), ...seenValues(view)]
  return (await queryable.rows<Row>(text, values)).map(assetOf)
}

/** Holds the asset: nobody else adds signals to it or removes it until the transaction ends. */
export async function holdAsset(queryable: Queryable, view: View, id: string) {
  const text = `${selectAsset}${andSeen(view, 'group_id', 3)} for no key update of assets_asset`
  const row = await queryable.one<Row>(text, [view.businessId, id, ...seenValues(view)])
  return row === undefined ? undefined : assetOf(row)
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
  for (const asset of rows.map(assetOf)) {
    const key = asset.device === null ? '' : deviceKey(asset.businessId, asset.device)
    if (asked.has(key)) found.set(key, asset)
  }
  return found
}

/** @param groupIds that are seen; without them all that the view sees */
export async function assetPage(
  queryable: Queryable,
  view: View,
  page: { limit: number; offset: number },
  groupIds?: readonly string[],
): Promise<Asset[]> {
  const inGroups = groupIds === undefined ? andSeen(view, 'group_id', 4) : andInGroups
  const text = `
    select ${columns} from assets_asset where business_id = $1${inGroups}
    order by number
    limit $2 offset $3`
  const those = groupIds === undefined ? seenValues(view) : [textArray(groupIds)]
  const values = [view.businessId, page.limit, page.offset, ...those]
  return (await queryable.rows<Row>(text, values)).map(assetOf)
}

const andInGroups = ' and group_id = any($4::text[])'

const countAssets = `select count(*) as count from assets_asset where business_id = $1`

export async function assetCount(queryable: Queryable, view: View): Promise<number> {
  const text = countAssets + andSeen(view, 'group_id', 2)
  const row = await queryable.one<{ count: number }>(text, [view.businessId, ...seenValues(view)])
  return row?.count ?? 0
}

const countInGroup = `
select count(*) as count from assets_asset where business_id = $1 and group_id = $2`

export async function assetCountIn(queryable: Queryable, businessId: string, groupId: string) {
  return (await queryable.one<{ count: number }>(countInGroup, [businessId, groupId]))?.count ?? 0
}

const selectIntakeIn = `
select connector_id from assets_intake where business_id = $1 and group_id = $2 limit 1`

/** Returns the connector of which the new devices' assets go to this group, if there is one. */
export async function intakeInto(queryable: Queryable, businessId: string, groupId: string) {
  const row = await queryable.one<{ connector_id: string }>(selectIntakeIn, [businessId, groupId])
  return row?.connector_id
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
  return queryable.run(deleteAsset, [businessId, id, slotOf(id)])
}

const selectIntakes = `
select connector_id as "connectorId", business_id as "businessId", group_id as "groupId"
from assets_intake
where connector_id = any($1::text[])`

/** Returns the intakes of connectors, by connector id; those without one are missing. */
export async function intakesOf(
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
