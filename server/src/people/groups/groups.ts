import { type Queryable, searchPattern, type Transaction } from '../../foundation/database/index.ts'
import {
  checkedDescription,
  checkedName,
  checkedPage,
  checkedText,
  type Dependants,
  Fault,
  invalid,
  limits,
  newUuid,
  type PageRange,
  requireConfirmed,
} from '../../foundation/kernel/index.ts'
import { groupLimits } from './limits.ts'
import { SeenGroups } from './seen-groups.ts'
import {
  addGroup,
  changeGroup,
  dropGroup,
  groupCount,
  groupPage,
  groupsAt,
  groupsBelow,
  groupsIn,
  groupsInside,
  groupsWithIds,
  holdForever,
  holdGroup,
  holdTree,
  moveGroup,
  readRoot,
  type StoredGroup,
} from './store.ts'
import {
  type Group,
  type GroupChange,
  type GroupContents,
  type GroupFilter,
  type GroupPlace,
  type Groups,
  type GroupsOptions,
  type NewGroup,
  type View,
  wholeView,
} from './types.ts'

/** Groups of one business. */
const groupsMax = 5_000

const rootName = 'Root'

export function createGroups(options: GroupsOptions): Groups {
  const { database } = options
  const contents: GroupContents[] = []
  const seen = new SeenGroups(options)
  async function changed<Result>(
    { businessId }: View,
    change: (held: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const result = await database.transaction(change)
    database.afterCommit(() => seen.changed(businessId))
    return result
  }
  return {
    create: (view, group) => changed(view, (held) => createGroup(options, held, view, group)),
    get: async (view, id) => shown(await requireGroup(database, view, id)),
    list: (view, filter, page) => listGroups(options, view, filter, page),
    some: async (view, ids) => (await groupsWithIds(database, view, ids)).map(shown),
    async children(view, ids) {
      const found = (await groupsIn(database, view, ids)).map(shown)
      return Map.groupBy(found, ({ parentId }) => parentId ?? '')
    },
    root: async (view) => shown(await rootGroup(options, database, view)),
    async widened(view) {
      if (view.groups === 'all') return view
      const root = await readRoot(database, view)
      const isWhole = root !== undefined && view.groups.includes(root.id)
      return isWhole ? wholeView(view.businessId) : view
    },
    async paths(view, ids) {
      const found = await groupsWithIds(database, view, ids)
      return new Map(found.map(({ id, path }) => [id, path]))
    },
    async below(view, id) {
      const group = await requireGroup(database, view, id)
      return (await groupsBelow(database, view.businessId, group.id)).map((below) => below.id)
    },
    seenIfFew: (view) => seen.find(view),
    update: (view, id, change) =>
      changed(view, (held) => updateGroup(options, held, view, id, change)),
    async dependants(view, id) {
      const group = await requireGroup(database, view, id)
      const dependants = await listContents(database, group, contents)
      return { id: group.id, name: group.name, dependants }
    },
    remove: (view, id, confirm) =>
      changed(view, (held) => removeGroup(options, held, view, { id, confirm, contents })),
    hold: async (held, view, id) => shown(await holdPlace(options, held, view, id)),
    idsAt: (held, places) => idsAt(options, held, places),
    onRemove(those) {
      contents.push(those)
    },
  }
}

function shown({ path, ...group }: StoredGroup): Group {
  return group
}

async function createGroup(
  options: GroupsOptions,
  transaction: Transaction,
  view: View,
  group: NewGroup,
): Promise<Group> {
  const { businessId } = view
  const described = checkedGroup(group)
  const { id: parentId } = await holdPlace(options, transaction, view, group.parentId)
  await holdTree(transaction, businessId, { share: true })
  const parent = await requireGroup(transaction, view, parentId)
  checkDepth(parent.depth + 1)
  if ((await groupCount(transaction, businessId)) >= groupsMax) {
    throw invalid(`a business has at most ${groupsMax} groups`)
  }
  const id = newUuid(options.random, options.clock.nowMs())
  const path = [...parent.path, id]
  await addGroup(transaction, { businessId, id, parentId, path, ...described })
  options.changes.publish(transaction, businessId, 'groups', [id])
  return shown(await requireGroup(transaction, view, id))
}

function checkedGroup({ name, description, customId, nodeTypeId }: NewGroup) {
  const { nameCharsMax } = limits
  return {
    name: checkedName(name),
    description: checkedDescription(description),
    customId: customId ? checkedText(customId, 'a custom_id', nameCharsMax) : null,
    nodeTypeId: nodeTypeId ? checkedText(nodeTypeId, 'the id of a type', nameCharsMax) : null,
  }
}

function checkDepth(depth: number): void {
  if (depth < groupLimits.groupDepthMax) return
  throw invalid(`at most ${groupLimits.groupDepthMax} groups lie in one another`)
}

async function listGroups(
  { database }: GroupsOptions,
  view: View,
  filter: GroupFilter = {},
  page?: PageRange,
): Promise<Group[]> {
  const { text, customId = null, nodeTypeId = null, groupId = null, recurse } = filter
  const pattern = text ? searchPattern(text) : null
  const asked = { pattern, customId, nodeTypeId, groupId, recurse: recurse === true }
  return (await groupPage(database, view, { ...asked, ...checkedPage(page) })).map(shown)
}

/** A group that is moved takes all below it along, and never goes into one of these. */
async function updateGroup(
  { changes }: GroupsOptions,
  transaction: Transaction,
  view: View,
  id: string,
  { parentId, ...change }: GroupChange,
): Promise<Group> {
  const { businessId } = view
  await holdTree(transaction, businessId)
  const group = await requireGroup(transaction, view, id)
  const { name, description, customId, nodeTypeId } = group
  const described = checkedGroup({
    name: change.name ?? name,
    description: change.description === undefined ? description : change.description,
    customId: change.customId === undefined ? customId : change.customId,
    nodeTypeId: change.nodeTypeId === undefined ? nodeTypeId : change.nodeTypeId,
  })
  await changeGroup(transaction, { ...group, ...described })
  const isMoved = parentId != null && parentId !== group.parentId
  if (isMoved) await move(transaction, view, group, parentId)
  // A group that is moved is seen where it was, and where it is.
  const before = isMoved && group.parentId !== null ? [group.parentId] : []
  changes.publish(transaction, businessId, 'groups', [id, ...before])
  return shown(await requireGroup(transaction, view, id))
}

async function move(
  transaction: Transaction,
  view: View,
  group: StoredGroup,
  parentId: string,
): Promise<void> {
  if (group.depth === 0) throw invalid('the root cannot be moved')
  if (isTop(view, group.id))
    throw invalid('the group that a view begins with cannot be moved in it')
  const parent = await requireGroup(transaction, view, parentId)
  if (parent.path.includes(group.id)) throw invalid('a group cannot lie in one that lies in it')
  const below = await groupsBelow(transaction, view.businessId, group.id)
  const height = Math.max(...below.map(({ depth }) => depth)) - group.depth
  checkDepth(parent.depth + 1 + height)
  await moveGroup(transaction, view.businessId, group.id, parent.id)
}

/**
 * A caller that sees a subtree may change what lies in it, but not the subtree's place or
 * existence.
 */
function isTop({ groups }: View, id: string): boolean {
  return groups !== 'all' && groups.includes(id)
}

type GroupRemoval = {
  readonly id: string
  readonly confirm: string | undefined
  readonly contents: readonly GroupContents[]
}

async function removeGroup(
  { changes }: GroupsOptions,
  transaction: Transaction,
  view: View,
  { id, confirm, contents }: GroupRemoval,
): Promise<Group> {
  const { businessId } = view
  await holdTree(transaction, businessId)
  const group = await requireGroup(transaction, view, id)
  const { parentId, name } = group
  if (group.depth === 0) throw invalid('the root cannot be removed')
  if (isTop(view, id) || parentId === null) {
    throw invalid('the group that a view begins with cannot be removed in it')
  }
  await holdForever(transaction, businessId, id)
  const found = await listContents(transaction, group, contents)
  requireConfirmed({ what: 'the group', names: [name, id], given: confirm }, found)
  for (const child of await groupsIn(transaction, wholeView(businessId), [id])) {
    await moveGroup(transaction, businessId, child.id, parentId)
  }
  for (const those of contents) await those.move?.(transaction, businessId, id, parentId)
  await dropGroup(transaction, businessId, id)
  changes.publish(transaction, businessId, 'groups', [parentId])
  return shown(group)
}

/**
 * The contents of a group, and what depends on it; kinds of which there is nothing are left out.
 */
async function listContents(
  queryable: Queryable,
  { businessId, id }: StoredGroup,
  contents: readonly GroupContents[],
): Promise<Dependants[]> {
  const found = await groupsInside(queryable, businessId, id)
  for (const those of contents) found.push(...(await those.dependants(queryable, businessId, id)))
  return found
}

/** The group that is named, or the one that the view sees, which is the root for all. */
async function holdPlace(
  options: GroupsOptions,
  transaction: Transaction,
  view: View,
  id: string | null | undefined,
): Promise<StoredGroup> {
  const place = id ?? (await defaultPlace(options, transaction, view))
  const group = await holdGroup(transaction, view, place)
  if (group === undefined) throw noGroup(place)
  return group
}

async function defaultPlace(
  options: GroupsOptions,
  queryable: Queryable,
  view: View,
): Promise<string> {
  if (view.groups === 'all') return (await rootGroup(options, queryable, view)).id
  const [first, ...others] = view.groups
  if (first === undefined || others.length > 0) {
    throw invalid('a group must be named by one who sees several and not the root')
  }
  return first
}

async function idsAt(
  options: GroupsOptions,
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
      groupId ??
      roots.get(businessId) ??
      (await rootGroup(options, queryable, wholeView(businessId))).id
    if (groupId === null) roots.set(businessId, id)
    ids.push(id)
  }
  return ids
}

/** Two calls at once for a missing root return the same one. */
async function rootGroup(
  { random, clock }: GroupsOptions,
  queryable: Queryable,
  view: View,
): Promise<StoredGroup> {
  const known = await readRoot(queryable, view)
  if (known !== undefined) return known
  const id = newUuid(random, clock.nowMs())
  const described = { name: rootName, description: '', customId: null, nodeTypeId: null }
  const { businessId } = view
  await addGroup(queryable, { businessId, id, parentId: null, path: [id], ...described })
  const root = await readRoot(queryable, view)
  if (root === undefined) throw new Fault('internal', 'the root group cannot be made')
  return root
}

async function requireGroup(queryable: Queryable, view: View, id: string): Promise<StoredGroup> {
  const [group] = await groupsWithIds(queryable, view, [id])
  if (group === undefined) throw noGroup(id)
  return group
}

function noGroup(id: string): Fault {
  return new Fault('not_found', `there is no group ${id}`)
}
