import { type Queryable, textArray } from '../../database/index.ts'
import type { Group } from '../types.ts'

const columns = `id, business_id as "businessId", name, parent_id as "parentId", depth`

const insertGroup = `
insert into assets_group (business_id, id, parent_id, depth, name)
values ($1, $2, $3, $4, $5)
on conflict do nothing
returning ${columns}`

/** Nothing where the group is a root and the business has one. */
export function addGroup(queryable: Queryable, group: Group): Promise<Group | undefined> {
  const { businessId, id, parentId, depth, name } = group
  return queryable.one<Group>(insertGroup, [businessId, id, parentId, depth, name])
}

const selectGroup = `select ${columns} from assets_group where business_id = $1 and id = $2`

export function groupOf(queryable: Queryable, businessId: string, id: string) {
  return queryable.one<Group>(selectGroup, [businessId, id])
}

const selectRoot = `
select ${columns} from assets_group where business_id = $1 and parent_id is null`

export function rootOf(queryable: Queryable, businessId: string) {
  return queryable.one<Group>(selectRoot, [businessId])
}

const selectNamed = `
select ${columns} from assets_group
where business_id = any($1::text[]) and id = any($2::text[])`

const selectRoots = `
select ${columns} from assets_group where business_id = any($1::text[]) and parent_id is null`

/** Returns those of these groups that there are; of a place without an id the root. */
export async function groupsAt(
  queryable: Queryable,
  places: readonly { readonly businessId: string; readonly groupId: string | null }[],
): Promise<Group[]> {
  const businessIds = textArray([...new Set(places.map(({ businessId }) => businessId))])
  const ids = new Set(places.flatMap(({ groupId }) => groupId ?? []))
  const named =
    ids.size === 0
      ? []
      : await queryable.rows<Group>(selectNamed, [businessIds, textArray([...ids])])
  const isRootAsked = places.some(({ groupId }) => groupId === null)
  const roots = isRootAsked ? await queryable.rows<Group>(selectRoots, [businessIds]) : []
  return [...named, ...roots]
}

const selectGroups = `
select ${columns} from assets_group where business_id = $1 order by depth, number`

export function groupsOf(queryable: Queryable, businessId: string) {
  return queryable.rows<Group>(selectGroups, [businessId])
}

const countGroups = `select count(*) as count from assets_group where business_id = $1`

export async function groupCount(queryable: Queryable, businessId: string): Promise<number> {
  const row = await queryable.one<{ count: number }>(countGroups, [businessId])
  return row?.count ?? 0
}

const selectBelow = `
with recursive below (id) as (
  select id from assets_group where business_id = $1 and id = $2
  union all
  select g.id from assets_group g join below b on g.parent_id = b.id where g.business_id = $1
)
select id from below`

export async function idsBelow(queryable: Queryable, businessId: string, id: string) {
  const rows = await queryable.rows<{ id: string }>(selectBelow, [businessId, id])
  return rows.map((row) => row.id)
}
