import type { Transaction } from '../../foundation/database/index.ts'
import { Fault, invalidField } from '../../foundation/kernel/index.ts'
import { type Groups, requireWhole, wholeView } from '../groups/index.ts'
import { accountLimits } from './limits.ts'
import { isPlain } from './parse.ts'
import { knownPermissions, type Principal, permissions, requirePermission } from './permissions.ts'
import type { User } from './schema.ts'
import type { Store } from './store/store.ts'

/** Groups that one user or API token has; all below them are seen, too. */
const groupsOfHolderMax = 50

/**
 * The one for whom something is done: a principal, who gives nobody more than it has itself; or the
 * platform, for all of the business with this id.
 */
export type Requester = Principal | string

export type Rights = ReturnType<typeof createRights>

export function toPrincipal(caller: Requester): Principal {
  if (typeof caller !== 'string') return caller
  const view = wholeView(caller)
  return { businessId: caller, subject: 'platform', permissions: new Set(permissions), view }
}

/** The rules of who may give what to whom; every change of users, roles and tokens asks them. */
export function createRights(options: {
  store: Pick<Store, 'role' | 'roles'>
  groups: Pick<Groups, 'hold' | 'below' | 'root'>
}) {
  const { store, groups } = options

  /** Faults: invalid_argument for no role; forbidden for one that permits more than the caller. */
  async function requireRole(by: Principal, name: string): Promise<void> {
    const role = isPlain(name) ? await store.role(by.businessId, name) : undefined
    if (role === undefined) throw invalidField('role', 'names no role of the business')
    requireAll(by, role.permissions)
  }

  /** The ids of all groups that the caller sees; null: all of the business. */
  async function seen({ view }: Pick<Principal, 'view'>): Promise<string[] | null> {
    if (view.groups === 'all') return null
    const lists = await Promise.all(view.groups.map((id) => groups.below(view, id)))
    return [...new Set(lists.flat())]
  }

  /** The same user. Faults: not_found for one who sees more groups; forbidden: more permissions. */
  async function requireUser(by: Principal, user: User | undefined): Promise<User> {
    const isSeen = user !== undefined && isWithin(await seen(by), user.groups)
    if (!isSeen) throw new Fault('not_found', 'There is no such user.')
    const role = await store.role(by.businessId, user.role)
    requireAll(by, role?.permissions ?? [])
    return user
  }

  /**
   * Asks for all that any user of the business may have, for a setting by which a caller could act
   * as another user: such as who says who signs in. Faults: forbidden.
   */
  async function requireEveryRole(by: Principal, what: string): Promise<void> {
    requireWhole(by.view, what)
    const roles = await store.roles(by.businessId, accountLimits.rolesMax)
    requireAll(
      by,
      roles.flatMap(({ permissions }) => permissions),
    )
  }

  const holdGroups = (
    transaction: Transaction,
    by: Principal,
    ids: readonly string[] | null | undefined,
  ) => heldGroups(groups, transaction, by, ids)
  const root = ({ view }: Principal) => groups.root(view)

  return {
    requireRole,
    requireAll,
    holdGroups,
    seen,
    root,
    requireUser,
    requireEveryRole,
  }
}

function requireAll(by: Principal, names: readonly string[]): void {
  for (const permission of knownPermissions(names)) requirePermission(by, permission)
}

/**
 * The groups that a new holder gets, each of which the caller sees; those of the caller if none
 * are named. Null: the whole business. Faults: invalid_argument, not_found.
 */
async function heldGroups(
  groups: Pick<Groups, 'hold'>,
  transaction: Transaction,
  { view }: Principal,
  ids: readonly string[] | null | undefined,
): Promise<readonly string[] | null> {
  if (ids === undefined || ids === null) return view.groups === 'all' ? null : [...view.groups]
  const wanted = [...new Set(ids)].sort()
  if (wanted.length === 0 || wanted.length > groupsOfHolderMax) {
    throw invalidField('groups', `are 1 to ${groupsOfHolderMax}`)
  }
  let isWhole = false
  for (const id of wanted) {
    const group = await groups.hold(transaction, view, id)
    isWhole ||= group.depth === 0
  }
  return isWhole ? null : wanted
}

/** Returns whether groups lie within others; null stands for the whole business. */
export function isWithin(outer: readonly string[] | null, inner: readonly string[] | null) {
  if (outer === null) return true
  return inner?.every((id) => outer.includes(id)) ?? false
}
