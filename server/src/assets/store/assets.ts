import { type Queryable, textArray } from '../../database/index.ts'
import type { Asset, DeviceRef, Intake } from '../types.ts'
import { counted, slotOf } from './structure.ts'

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
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict do nothing
  returning id
), ${counted('added', '$10')}
select id from added`

/** False where the intake has made an asset of this device already. */
export async function addAsset(
  queryable: Queryable,
  asset: Asset,
  { byIntake }: { byIntake: boolean },
): Promise<boolean> {
  const { businessId, id, groupId, name, description, device, createdAt } = asset
  const place = [businessId, id, groupId, name, description]
  const feeding = [device?.connectorId ?? null, device?.identity ?? null]
  const row = await queryable.one(insertAsset, [
    ...place,
    ...feeding,
    byIntake,
    createdAt,
    slotOf(id),
  ])
  return row !== undefined
}

const selectAsset = `select ${columns} from assets_asset where business_id = $1 and id = $2`

export async function findAsset(queryable: Queryable, businessId: string, id: string) {
  const row = await queryable.one<Row>(selectAsset, [businessId, id])
  return row === undefined ? undefined : assetOf(row)
}

/** Holds the asset: nobody else adds signals to it or removes it until the transaction ends. */
export async function holdAsset(queryable: Queryable, businessId: string, id: string) {
  const row = await queryable.one<Row>(`${selectAsset} for no key update`, [businessId, id])
  return row === undefined ? undefined : assetOf(row)
}

const selectOfDevice = `
select ${columns} from assets_asset
where business_id = $1 and connector_id = $2 and identity = $3
order by number
limit 1`

export async function assetOfDevice(
  queryable: Queryable,
  businessId: string,
  { connectorId, identity }: DeviceRef,
) {
  const row = await queryable.one<Row>(selectOfDevice, [businessId, connectorId, identity])
  return row === undefined ? undefined : assetOf(row)
}

const selectPage = `
select ${columns} from assets_asset
where business_id = $1
order by number
limit $2 offset $3`

const selectPageOfGroups = `
select ${columns} from assets_asset
where business_id = $1 and group_id = any($4::text[])
order by number
limit $2 offset $3`

export async function assetPage(
  queryable: Queryable,
  businessId: string,
  page: { limit: number; offset: number },
  groupIds?: readonly string[],
): Promise<Asset[]> {
  const values = [businessId, page.limit, page.offset]
  const rows =
    groupIds === undefined
      ? await queryable.rows<Row>(selectPage, values)
      : await queryable.rows<Row>(selectPageOfGroups, [...values, textArray(groupIds)])
  return rows.map(assetOf)
}

const countAssets = `select count(*) as count from assets_asset where business_id = $1`

export async function assetCount(queryable: Queryable, businessId: string): Promise<number> {
  const row = await queryable.one<{ count: number }>(countAssets, [businessId])
  return row?.count ?? 0
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

const selectIntake = `
select business_id as "businessId", group_id as "groupId"
from assets_intake
where connector_id = $1`

export function intakeOf(queryable: Queryable, connectorId: string) {
  return queryable.one<Intake>(selectIntake, [connectorId])
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
