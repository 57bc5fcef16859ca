import { type Queryable, type Transaction, textArray } from '../../../foundation/database/index.ts'
import { andSeen, seenValues, type View } from '../../../people/groups/index.ts'
import type { Status } from '../identities/identity.ts'
import { type IdentityRow, identityColumns } from './identities.ts'
import { statusIs } from './list.ts'

/** A device of a business: a connector of it, and the identity there. */
export type DeviceName = { readonly connectorId: string; readonly identity: string }

export type PlacedIdentity = IdentityRow & {
  readonly connector_id: string
  /** Null: the root. */
  readonly group_id: string | null
  readonly name: string
  readonly description: string
}

export const deviceColumns = `i.connector_id, i.group_id, i.name, i.description, ${identityColumns}`

const tables = `provisioning_connector c
  join provisioning_identity i on i.connector_id = c.id
  left join provisioning_presence p
    on p.connector_id = i.connector_id and p.identity = i.identity`

/** Devices that have all that is given. */
export type DeviceQuery = {
  readonly connectorId?: string | undefined
  /** Any of these: an identity, or one of a connector. */
  readonly ids?: readonly string[] | undefined
  readonly names?: readonly DeviceName[] | undefined
  readonly status?: Status | undefined
  /** True if it was seen between these times, in microseconds. */
  readonly online?: { readonly is: boolean; readonly from: number; readonly to: number } | undefined
  /** In this group or below it. */
  readonly groupId?: string | undefined
  /** Behind this one in the order of the list. */
  readonly after?: DeviceName | undefined
  readonly descending?: boolean | undefined
  readonly limit: number
  readonly offset: number
}

/** Parameters: `$1` business, `$2` clock, `$3` rows, `$4` rows before; then what `add` takes. */
export function deviceConditions(
  view: View,
  query: DeviceQuery,
  add: (value: unknown) => string,
): string[] {
  const { connectorId, ids, names = [], status, online, groupId, after } = query
  const parts: string[] = []
  if (connectorId !== undefined) parts.push(`c.id = ${add(connectorId)}`)
  if (ids !== undefined) {
    const connectors = add(textArray(names.map((name) => name.connectorId)))
    const identities = add(textArray(names.map(({ identity }) => identity)))
    parts.push(`i.identity = any(${add(textArray(listIds(ids, names)))}::text[])`)
    parts.push(`(i.identity = any(${add(textArray(ids))}::text[]) or exists (
      select from unnest(${connectors}::text[], ${identities}::text[]) as n (connector_id, identity)
      where n.connector_id = i.connector_id and n.identity = i.identity))`)
  }
  if (status !== undefined) parts.push(statusIs[status])
  if (online !== undefined) {
    const between = `${add(online.from)}::bigint and ${add(online.to)}::bigint`
    parts.push(`coalesce(p.lastseen, 0) ${online.is ? '' : 'not '}between ${between}`)
  }
  if (after !== undefined) {
    const place = `(${add(after.connectorId)}::text, ${add(after.identity)}::text)`
    parts.push(`(i.connector_id, i.identity) ${query.descending ? '<' : '>'} ${place}`)
  }
  if (groupId !== undefined) parts.push(within({ ...view, groups: [groupId] }, add))
  if (view.groups !== 'all') parts.push(within(view, add))
  return parts
}

function listIds(ids: readonly string[], names: readonly DeviceName[]): string[] {
  return [...ids, ...names.map(({ identity }) => identity)]
}

function within(view: View, add: (value: unknown) => string): string {
  const parameter = Number(add(seenValues(view)[0]).slice(1))
  return andSeen(view, 'i.group_id', parameter).replace(/^\s*and /, '')
}

/** A page of the devices of a business, by connector and identity; see `searchPage` for letters. */
export async function devicePage(
  database: Queryable,
  view: View,
  nowUs: number,
  query: DeviceQuery,
): Promise<PlacedIdentity[]> {
  const values: unknown[] = [view.businessId, nowUs, query.limit, query.offset]
  const parts = deviceConditions(view, query, (value) => `$${values.push(value)}`)
  const way = query.descending ? 'desc' : 'asc'
  const text = `
    select ${deviceColumns} from ${tables}
    where ${['c.business_id = $1', ...parts].join(' and ')}
    order by i.connector_id ${way}, i.identity ${way}
    limit $3::bigint offset $4::bigint`
  return database.rows<PlacedIdentity>(text, values)
}

/** The devices of these names that the view sees. */
export async function devicesNamed(
  database: Queryable,
  view: View,
  nowUs: number,
  names: readonly DeviceName[],
): Promise<PlacedIdentity[]> {
  const text = `
    select ${deviceColumns} from ${tables}
      join unnest($3::text[], $4::text[]) as n (connector_id, identity)
        on n.connector_id = i.connector_id and n.identity = i.identity
    where c.business_id = $1${andSeen(view, 'i.group_id', 5)}
    order by i.connector_id, i.identity`
  const values = [view.businessId, nowUs, ...toColumns(names), ...seenValues(view)]
  return database.rows<PlacedIdentity>(text, values)
}

function toColumns(names: readonly DeviceName[]): Buffer[] {
  return [
    textArray(names.map(({ connectorId }) => connectorId)),
    textArray(names.map(({ identity }) => identity)),
  ]
}

const selectInGroups = `
  select ${deviceColumns}, g.id as in_group
  from unnest($3::text[]) as g (id)
  cross join lateral (
    select i.connector_id, i.identity from provisioning_connector c
    join provisioning_identity i on i.connector_id = c.id
    where c.business_id = $1
      and (i.group_id = g.id or (i.group_id is null and g.id = $6))
    order by i.connector_id, i.identity
    limit $4::bigint offset $5::bigint
  ) n
  join provisioning_identity i on i.connector_id = n.connector_id and i.identity = n.identity
  left join provisioning_presence p
    on p.connector_id = i.connector_id and p.identity = i.identity
  order by g.id, i.connector_id, i.identity`

/** A page of the devices of each of these groups, which the view sees, by group. */
export async function devicesInGroups(
  database: Queryable,
  { businessId }: View,
  nowUs: number,
  groupIds: readonly string[],
  { rootId, limit, offset }: { rootId: string; limit: number; offset: number },
): Promise<ReadonlyMap<string, PlacedIdentity[]>> {
  type Placed = PlacedIdentity & { in_group: string }
  const values = [businessId, nowUs, textArray(groupIds), limit, offset, rootId]
  const rows = await database.rows<Placed>(selectInGroups, values)
  return Map.groupBy(rows, (row) => row.in_group)
}

const countInGroups = `
  select coalesce(i.group_id, $3) as id, count(*) as count
  from provisioning_connector c join provisioning_identity i on i.connector_id = c.id
  where c.business_id = $1 and coalesce(i.group_id, $3) = any($2::text[])
  group by 1`

/** Counts the devices of groups, by group; groups without one are missing. */
export async function deviceCounts(
  database: Queryable,
  { businessId }: View,
  groupIds: readonly string[],
  rootId: string,
): Promise<ReadonlyMap<string, number>> {
  const values = [businessId, textArray(groupIds), rootId]
  const rows = await database.rows<{ id: string; count: number }>(countInGroups, values)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** Returns whether the view sees a device that is there; undefined if it is not there. */
export async function isDeviceSeen(
  database: Queryable,
  view: View,
  { connectorId, identity }: DeviceName,
): Promise<boolean | undefined> {
  const text = `
    select (true${andSeen(view, 'i.group_id', 4)}) as seen
    from provisioning_connector c join provisioning_identity i on i.connector_id = c.id
    where c.business_id = $1 and c.id = $2 and i.identity = $3`
  const values = [view.businessId, connectorId, identity, ...seenValues(view)]
  const row = await database.one<{ seen: boolean | null }>(text, values)
  return row && row.seen === true
}

/** A change of devices; fields that are left out stay. */
export type DeviceUpdate = {
  /** Null: the root. */
  readonly groupId?: string | null | undefined
  readonly name?: string | undefined
  readonly description?: string | undefined
}

/** Holds the devices of these names that the view sees. @returns how many there are. */
export async function holdDevices(
  transaction: Transaction,
  view: View,
  names: readonly DeviceName[],
): Promise<DeviceName[]> {
  const text = `
    select i.connector_id as "connectorId", i.identity
    from provisioning_connector c
    join provisioning_identity i on i.connector_id = c.id
    join unnest($2::text[], $3::text[]) as n (connector_id, identity)
      on n.connector_id = i.connector_id and n.identity = i.identity
    where c.business_id = $1${andSeen(view, 'i.group_id', 4)}
    order by i.connector_id, i.identity
    for no key update of i`
  const values = [view.businessId, ...toColumns(names), ...seenValues(view)]
  return transaction.rows<DeviceName>(text, values)
}

const updateDevices = `
  update provisioning_identity i set
    group_id = case when $3::boolean then $4::text else i.group_id end,
    name = coalesce($5::text, i.name),
    description = coalesce($6::text, i.description),
    searchable = i.searchable and $5::text is null and $6::text is null
  from unnest($1::text[], $2::text[]) as n (connector_id, identity)
  where i.connector_id = n.connector_id and i.identity = n.identity`

/** Changes devices that are held. */
export function changeDevices(
  transaction: Transaction,
  names: readonly DeviceName[],
  { groupId, name, description }: DeviceUpdate,
): Promise<number> {
  const place = [groupId !== undefined, groupId ?? null]
  const values = [...toColumns(names), ...place, name ?? null, description ?? null]
  return transaction.run(updateDevices, values)
}
