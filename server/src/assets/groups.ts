import type { Queryable } from '../database/index.ts'
import { Fault, limits, newId } from '../kernel/index.ts'
import { checkedName, invalid } from './check.ts'
import type { Groups } from './public.ts'
import {
  addGroup,
  groupCount,
  groupOf,
  groupsAt,
  groupsOf,
  idsBelow,
  rootOf,
} from './store/groups.ts'
import type { AssetsOptions, Group, NewGroup } from './types.ts'

const rootName = 'All'

export function createGroups(options: AssetsOptions): Groups {
  const { database } = options
  return {
    create: (businessId, group) => createGroup(options, businessId, group),
    get: (businessId, id) => requireGroup(database, businessId, id),
    list: (businessId) => groupsOf(database, businessId),
    root: (businessId) => rootGroup(options, database, businessId),
    below: (businessId, id) => groupsBelow(database, businessId, id),
  }
}

async function createGroup(
  options: AssetsOptions,
  businessId: string,
  { name, parentId }: NewGroup,
): Promise<Group> {
  const { database, random } = options
  const parent = await groupOrRoot(options, database, businessId, parentId)
  const depth = parent.depth + 1
  if (depth >= limits.groupDepthMax) {
    throw invalid(`at most ${limits.groupDepthMax} groups lie in one another`)
  }
  if ((await groupCount(database, businessId)) >= limits.groupsMax) {
    throw invalid(`a business has at most ${limits.groupsMax} groups`)
  }
  const place = { businessId, id: newId(random), parentId: parent.id, depth }
  const group = { ...place, name: checkedName(name) }
  await addGroup(database, group)
  return group
}

/** The group that is named, or the root where none is. @throws Fault `not_found`. */
export async function groupOrRoot(
  options: AssetsOptions,
  queryable: Queryable,
  businessId: string,
  id: string | null | undefined,
): Promise<Group> {
  if (id === null || id === undefined) return rootGroup(options, queryable, businessId)
  return requireGroup(queryable, businessId, id)
}

type GroupPlace = { readonly businessId: string; readonly groupId: string | null }

/**
 * Returns the id of the group of each place: the one that is named, or the root of the business.
 * @throws Fault `not_found`.
 */
export async function groupIdsAt(
  options: AssetsOptions,
  queryable: Queryable,
  places: readonly GroupPlace[],
): Promise<string[]> {
  if (places.length === 0) return []
  const groups = await groupsAt(queryable, places)
  const named = new Set(groups.map(({ businessId, id }) => `${businessId}/${id}`))
  const roots = new Map(
    groups.flatMap((group) => (group.parentId === null ? [[group.businessId, group.id]] : [])),
  )
  const ids: string[] = []
  for (const { businessId, groupId } of places) {
    if (groupId !== null && !named.has(`${businessId}/${groupId}`)) throw noGroup(groupId)
    const id =
      groupId ?? roots.get(businessId) ?? (await rootGroup(options, queryable, businessId)).id
    if (groupId === null) roots.set(businessId, id)
    ids.push(id)
  }
  return ids
}

/** Two calls at once for a missing root return the same one. */
async function rootGroup(
  { random }: AssetsOptions,
  queryable: Queryable,
  businessId: string,
): Promise<Group> {
  const known = await rootOf(queryable, businessId)
  if (known !== undefined) return known
  const fresh = { businessId, id: newId(random), parentId: null, depth: 0, name: rootName }
  const root = (await addGroup(queryable, fresh)) ?? (await rootOf(queryable, businessId))
  if (root === undefined) throw new Fault('internal', 'the root group cannot be made')
  return root
}

export async function requireGroup(
  queryable: Queryable,
  businessId: string,
  id: string,
): Promise<Group> {
  const group = await groupOf(queryable, businessId, id)
  if (group === undefined) throw noGroup(id)
  return group
}

function noGroup(id: string): Fault {
  return new Fault('not_found', `there is no group ${id}`)
}

async function groupsBelow(queryable: Queryable, businessId: string, id: string) {
  const group = await requireGroup(queryable, businessId, id)
  return idsBelow(queryable, businessId, group.id)
}
