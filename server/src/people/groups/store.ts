import {
  type BusinessRows,
  type Queryable,
  readDependants,
  rowsWhere,
  textArray,
} from '../../foundation/database/index.ts'
import type { Dependants } from '../../foundation/kernel/index.ts'
import type { Group, GroupContents, GroupPlace, View } from './types.ts'

/**
 * The condition of a statement that the group in this column is seen: nothing if the view sees
 * all. `seenValues` is the value of its parameter, the last one.
 * @param business the parameter that is the business.
 */
export function andSeen(
  { groups }: View,
  column: string,
  parameter: number,
  business = '$1',
): string {
  if (groups === 'all') return ''
  return `
  and ${column} in (
    select seen.id from groups_group seen
    where seen.business_id = ${business} and seen.path && $${parameter}::text[]
  )`
}

/** The value of the parameter of `andSeen`; none if the view sees everything. */
export function seenValues({ groups }: View): Buffer[] {
  return groups === 'all' ? [] : [textArray(groups)]
}

const selectSeen = `
select seen.id from groups_group seen where seen.business_id = $1 and seen.path && $2::text[]
limit $3`

/** The ids of groups that a view sees which does not see all: at most so many. */
export async function groupsSeen(queryable: Queryable, view: View, max: number): Promise<string[]> {
  const values = [view.businessId, ...seenValues(view), max]
  return (await queryable.rows<{ id: string }>(selectSeen, values)).map(({ id }) => id)
}

const columns = `g.id, g.business_id, g.name, g.description, g.custom_id, g.node_type_id,
  g.parent_id, g.path`

type Row = {
  id: string
  business_id: string
  name: string
  description: string
  custom_id: string | null
  node_type_id: string | null
  parent_id: string | null
  path: string[]
}

/** A group with the ids of all in which it lies, itself the last. */
export type StoredGroup = Group & { readonly path: readonly string[] }

function toGroup(row: Row, { groups }: View): StoredGroup {
  const above = row.path.slice(0, -1)
  const isParentSeen = groups === 'all' || above.some((id) => groups.includes(id))
  return {
    id: row.id,
    businessId: row.business_id,
    name: row.name,
    description: row.description,
    customId: row.custom_id,
    nodeTypeId: row.node_type_id,
    parentId: isParentSeen ? row.parent_id : null,
    depth: above.length,
    path: row.path,
  }
}

export type FreshGroup = Omit<Group, 'depth'> & { readonly path: readonly string[] }

const insertGroup = `
insert into groups_group
  (business_id, id, parent_id, depth, name, description, custom_id, path, node_type_id)
values ($1, $2, $3, $4, $5, $6, $7, $8::text[], $9)
on conflict do nothing`

/** False if the group is a root and the business has one. */
export async function addGroup(queryable: Queryable, group: FreshGroup): Promise<boolean> {
  const { businessId, id, parentId, name, description, customId, nodeTypeId, path } = group
  const place = [businessId, id, parentId, path.length - 1]
  const values = [...place, name, description, customId, textArray(path), nodeTypeId]
  return (await queryable.run(insertGroup, values)) > 0
}

/** The groups with these ids; those that the view does not see are missing. */
export async function groupsWithIds(
  queryable: Queryable,
  view: View,
  ids: readonly string[],
): Promise<StoredGroup[]> {
  const text = `
    select ${columns} from groups_group g
    where g.business_id = $1 and g.id = any($2::text[])${andSeen(view, 'g.id', 3)}
    order by g.depth, g.number`
  const values = [view.businessId, textArray(ids), ...seenValues(view)]
  return (await queryable.rows<Row>(text, values)).map((row) => toGroup(row, view))
}

const selectRoot = `
select ${columns} from groups_group g where g.business_id = $1 and g.parent_id is null`

export async function readRoot(queryable: Queryable, view: View): Promise<StoredGroup | undefined> {
  const row = await queryable.one<Row>(selectRoot, [view.businessId])
  return row === undefined ? undefined : toGroup(row, view)
}

/** Holds the root, and with it the tree: others that change it wait. */
const holdRoot = `
select g.id from groups_group g where g.business_id = $1 and g.parent_id is null`

/** @param share if a group is only added: several may be at once, but no move. */
export function holdTree(queryable: Queryable, businessId: string, { share = false } = {}) {
  const text = `${holdRoot} ${share ? 'for share' : 'for no key update'}`
  return queryable.one<{ id: string }>(text, [businessId])
}

/** The group, which stays until the transaction ends. */
export async function holdGroup(
  queryable: Queryable,
  view: View,
  id: string,
): Promise<StoredGroup | undefined> {
  const text = `
    select ${columns} from groups_group g
    where g.business_id = $1 and g.id = $2${andSeen(view, 'g.id', 3)}
    for key share of g`
  const row = await queryable.one<Row>(text, [view.businessId, id, ...seenValues(view)])
  return row === undefined ? undefined : toGroup(row, view)
}

const selectNamed = `
select g.id, g.business_id as "businessId", g.parent_id as "parentId" from groups_group g
where g.business_id = any($1::text[]) and g.id = any($2::text[])`

const selectRoots = `
select g.id, g.business_id as "businessId", g.parent_id as "parentId" from groups_group g
where g.business_id = any($1::text[]) and g.parent_id is null`

/** Returns those of these groups that there are; of a place without an id the root. */
export async function groupsAt(
  queryable: Queryable,
  places: readonly GroupPlace[],
): Promise<Pick<Group, 'id' | 'businessId' | 'parentId'>[]> {
  type Placed = Pick<Group, 'id' | 'businessId' | 'parentId'>
  const businessIds = textArray([...new Set(places.map(({ businessId }) => businessId))])
  const ids = new Set(places.flatMap(({ groupId }) => groupId ?? []))
  const named =
    ids.size === 0
      ? []
      : await queryable.rows<Placed>(selectNamed, [businessIds, textArray([...ids])])
  const isRootAsked = places.some(({ groupId }) => groupId === null)
  const roots = isRootAsked ? await queryable.rows<Placed>(selectRoots, [businessIds]) : []
  return [...named, ...roots]
}

export type GroupQuery = {
  /** A pattern of `ilike`. */
  readonly pattern: string | null
  readonly customId: string | null
  readonly nodeTypeId: string | null
  /** This group, or with `recurse` all that lies below it as well. */
  readonly groupId: string | null
  readonly recurse: boolean
  readonly limit: number
  readonly offset: number
}

export async function groupPage(
  queryable: Queryable,
  view: View,
  query: GroupQuery,
): Promise<StoredGroup[]> {
  const text = `
    select ${columns} from groups_group g
    where g.business_id = $1
      and ($2::text is null or g.name ilike $2 or g.description ilike $2)
      and ($3::text is null or g.custom_id = $3)
      and ($4::text is null or g.id = $4 or ($5::boolean and $4 = any(g.path)))
      and ($8::text is null or g.node_type_id = $8)
      ${andSeen(view, 'g.id', 9)}
    order by g.depth, g.number
    limit $6 offset $7`
  const { pattern, customId, nodeTypeId, groupId, recurse, limit, offset } = query
  const filter = [view.businessId, pattern, customId, groupId, recurse]
  const page = [limit, offset, nodeTypeId]
  const rows = await queryable.rows<Row>(text, [...filter, ...page, ...seenValues(view)])
  return rows.map((row) => toGroup(row, view))
}

export async function groupsIn(
  queryable: Queryable,
  view: View,
  parentIds: readonly string[],
): Promise<StoredGroup[]> {
  const text = `
    select ${columns} from groups_group g
    where g.business_id = $1 and g.parent_id = any($2::text[])${andSeen(view, 'g.parent_id', 3)}
    order by g.number`
  const values = [view.businessId, textArray(parentIds), ...seenValues(view)]
  return (await queryable.rows<Row>(text, values)).map((row) => toGroup(row, view))
}

const countGroups = 'select count(*) as count from groups_group where business_id = $1'

export async function groupCount(queryable: Queryable, businessId: string): Promise<number> {
  return (await queryable.one<{ count: number }>(countGroups, [businessId]))?.count ?? 0
}

const selectBelow = `
select id, depth from groups_group where business_id = $1 and path && array[$2::text]`

/** The group and all that lies below it, with their depths. */
export function groupsBelow(queryable: Queryable, businessId: string, id: string) {
  return queryable.rows<{ id: string; depth: number }>(selectBelow, [businessId, id])
}

const updateGroup = `
update groups_group set name = $3, description = $4, custom_id = $5, node_type_id = $6
where business_id = $1 and id = $2`

export function changeGroup(queryable: Queryable, group: Group): Promise<number> {
  const { businessId, id, name, description, customId, nodeTypeId } = group
  const values = [businessId, id, name, description, customId, nodeTypeId]
  return queryable.run(updateGroup, values)
}

// The path of what is moved, and of all below it, begins anew with that of the new parent.
const moveGroups = `
update groups_group g set
  path = p.path || g.path[m.depth + 1:],
  depth = cardinality(p.path) + cardinality(g.path) - m.depth - 1,
  parent_id = case when g.id = m.id then p.id else g.parent_id end
from groups_group m, groups_group p
where m.business_id = $1 and m.id = $2 and p.business_id = $1 and p.id = $3
  and g.business_id = $1 and g.path && array[$2::text]`

export function moveGroup(queryable: Queryable, businessId: string, id: string, parentId: string) {
  return queryable.run(moveGroups, [businessId, id, parentId])
}

const holdForRemoval = `
select id from groups_group where business_id = $1 and id = $2 for update`

/** No row can be put into the group until the transaction ends. */
export function holdForever(queryable: Queryable, businessId: string, id: string) {
  return queryable.one<{ id: string }>(holdForRemoval, [businessId, id])
}

const deleteGroup = 'delete from groups_group where business_id = $1 and id = $2'

export function dropGroup(queryable: Queryable, businessId: string, id: string): Promise<number> {
  return queryable.run(deleteGroup, [businessId, id])
}

/** The groups of a business, those at the ends of its tree first. */
export const groupRows: BusinessRows = (queryable, businessId) =>
  rowsWhere(
    queryable,
    'groups_group',
    `business_id = $1 and not exists (
      select 1 from groups_group c where c.business_id = d.business_id and c.parent_id = d.id)`,
    businessId,
  )

/** The groups of a business, without its root. */
export function groupDependants(queryable: Queryable, businessId: string): Promise<Dependants[]> {
  const from = 'groups_group where business_id = $1 and parent_id is not null'
  const asked = { effect: 'deleted', values: [businessId] } as const
  return readDependants(queryable, asked, [{ kind: 'groups', from, name: 'name' }])
}

/** The groups that lie directly in a group. */
export function groupsInside(
  queryable: Queryable,
  businessId: string,
  groupId: string,
): Promise<Dependants[]> {
  const from = 'groups_group where business_id = $1 and parent_id = $2'
  const asked = { effect: 'moved', values: [businessId, groupId] } as const
  return readDependants(queryable, asked, [{ kind: 'groups', from, name: 'name' }])
}

/** Moves rows into another group, of tables with the columns `business_id` and `group_id`. */
export function movesRows(...tables: readonly string[]): NonNullable<GroupContents['move']> {
  return async (transaction, businessId, from, to) => {
    for (const table of tables) {
      const text = `update ${table} set group_id = $3 where business_id = $1 and group_id = $2`
      await transaction.run(text, [businessId, from, to])
    }
  }
}
