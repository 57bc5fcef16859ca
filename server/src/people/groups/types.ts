import type { Database, Queryable, Transaction } from '../../foundation/database/index.ts'
import {
  type Clock,
  component,
  type Dependants,
  Fault,
  limits,
  Nullable,
  type PageRange,
  type Preview,
  type Random,
  type StaticInput,
  type StaticResult,
  StrictObject,
  Type,
} from '../../foundation/kernel/index.ts'
import type { Changes } from '../../log/changes/index.ts'

/** The view of one caller: a business, and all of its groups or some of them. */
export type View = {
  readonly businessId: string
  /** The ids of the groups that are seen, each with all that lies below it. */
  readonly groups: 'all' | readonly string[]
}

/** The view of one who sees all of a business: its administrators, and the platform itself. */
export function wholeView(businessId: string): View {
  return { businessId, groups: 'all' }
}

/**
 * Refuses one who sees a part of the business what is of no group. `what` begins the sentence.
 * @throws Fault forbidden
 */
export function requireWhole({ groups }: View, what: string): void {
  if (groups === 'all') return
  throw new Fault('forbidden', `${what} needs a view of the whole business.`)
}

/** A view, or the id of a business of which all is seen. */
export type Viewer = View | string

export function toView(viewer: Viewer): View {
  return typeof viewer === 'string' ? wholeView(viewer) : viewer
}

/** A node of the business's tree. The root alone has no parent. */
export const groupSchema = component('Group', {
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  customId: Nullable(Type.String(), { description: 'What other systems call it.' }),
  parentId: Nullable(Type.String(), {
    description: 'The group in which it lies; null for the root, and for the first that is seen.',
  }),
  depth: Type.Integer({ description: '0 for the root.' }),
})

export type Group = StaticResult<typeof groupSchema> & {
  readonly businessId: string
  /** The type of group that it is, by their id; null if nobody gave one. */
  readonly nodeTypeId: string | null
}

const newName = Type.String({ minLength: 1, maxLength: limits.nameCharsMax })

const changedFields = {
  description: Type.Optional(Nullable(Type.String({ maxLength: limits.descriptionCharsMax }))),
  customId: Type.Optional(Nullable(Type.String())),
  parentId: Type.Optional(
    Nullable(Type.String(), { description: 'The id of the group in which it lies.' }),
  ),
}
type OfType = { readonly nodeTypeId?: string | null | undefined }

/** Without a parent the group lies in the group that the view sees, which is the root for all. */
export const newGroupSchema = StrictObject({ name: newName, ...changedFields })
export type NewGroup = StaticInput<typeof newGroupSchema> & OfType

/** Fields that are left out stay. A parent moves the group, with all below it. */
export const groupChangeSchema = StrictObject({
  name: Type.Optional(newName),
  ...changedFields,
})
export type GroupChange = StaticInput<typeof groupChangeSchema> & OfType

export type GroupFilter = {
  /** Letters of the name or of the description, in any case. */
  readonly text?: string | null | undefined
  readonly customId?: string | null | undefined
  readonly nodeTypeId?: string | null | undefined
  /** This group; with `recurse` all below it as well. */
  readonly groupId?: string | null | undefined
  readonly recurse?: boolean | null | undefined
}

/** Anything of a business that lies in a group; null: in the root. */
export type GroupPlace = { readonly businessId: string; readonly groupId: string | null }

/** The contents that a module puts into groups. */
export type GroupContents = {
  /** The contents of a group, and what depends on it. */
  dependants(queryable: Queryable, businessId: string, groupId: string): Promise<Dependants[]>
  /** Moves into another group all that it does not name as blocking. */
  move?(transaction: Transaction, businessId: string, from: string, to: string): Promise<void>
}

/** The groups of businesses. A group outside of the view is as one that does not exist. */
export type Groups = {
  /** @throws Fault `invalid_argument` past groupDepthMax or groupsMax; `not_found` (parent). */
  create(view: View, group: NewGroup): Promise<Group>
  /** @throws Fault `not_found`. */
  get(view: View, id: string): Promise<Group>
  /** Parents before their children. */
  list(view: View, filter?: GroupFilter, page?: PageRange): Promise<Group[]>
  /** The groups with these ids; unknown ids are missing. */
  some(view: View, ids: readonly string[]): Promise<Group[]>
  /** The groups that lie in each of these, by its id. */
  children(view: View, ids: readonly string[]): Promise<ReadonlyMap<string, Group[]>>
  /** The root, whatever the view sees; made if the business has none yet. */
  root(view: View): Promise<Group>
  /** The same view, as one of all groups if it begins with the root. */
  widened(view: View): Promise<View>
  /** The ids from the root to each of these groups, itself the last. */
  paths(view: View, ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
  /**
   * The ids of all groups that the view sees, if these are `groupsFewMax` at most, for
   * statements that name them; undefined for more. A change that another process has made may be
   * missing for `limits.accountCacheMs`, one of this process is not.
   */
  seenIfFew(view: View): Promise<readonly string[] | undefined>
  /** Ids of the group and of all below it. @throws Fault `not_found`. */
  below(view: View, id: string): Promise<string[]>
  /** Changes, or moves, a group. @throws Fault `not_found`, `invalid_argument`. */
  update(view: View, id: string, change: GroupChange): Promise<Group>
  /**
   * The contents of the group, and what depends on it.
   * @throws Fault `not_found`.
   */
  dependants(view: View, id: string): Promise<Preview>
  /**
   * Its contents move into its parent if the deletion is confirmed by the group's name.
   * @throws Fault `not_found`; `invalid_argument` for the root; `in_use` with what depends.
   */
  remove(view: View, id: string, confirm?: string): Promise<Group>
  /**
   * The group in which something new is to lie: the one that is named, or the one that the view
   * sees. It stays until the transaction ends. @throws Fault `not_found`, `invalid_argument`.
   */
  hold(transaction: Transaction, view: View, id: string | null | undefined): Promise<Group>
  /** The id of the group of each place. @throws Fault `not_found`. */
  idsAt(transaction: Transaction, places: readonly GroupPlace[]): Promise<string[]>
  /** To be called once by each module that puts something into groups. */
  onRemove(contents: GroupContents): void
}

export type GroupsOptions = {
  readonly database: Database
  readonly changes: Changes
  readonly clock: Clock
  readonly random: Random
}
