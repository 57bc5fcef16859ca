import type { Database, Transaction } from '../../foundation/database/index.ts'
import { Fault, invalidField, limits, requireConfirmed } from '../../foundation/kernel/index.ts'
import type { Changes } from '../../log/changes/index.ts'
import { requireWhole } from '../groups/index.ts'
import type { AuditNote } from './audit.ts'
import { endExcess, noteEnded, toEndedNames } from './excess.ts'
import { accountLimits } from './limits.ts'
import { isPlain, parseName, parseRateLimits } from './parse.ts'
import { knownPermissions, permissions } from './permissions.ts'
import { type Requester, type Rights, toPrincipal } from './rights.ts'
import type { EndedNames, ListedRole, NewRole, RateLimits } from './schema.ts'
import { roleHolders } from './store/removal.ts'
import type { Store } from './store/store.ts'

export type Roles = {
  listRoles(by: Requester): Promise<ListedRole[]>
  /** Faults: invalid_argument, already_exists, forbidden. */
  createRole(by: Requester, role: NewRole): Promise<ListedRole>
  /**
   * Holds everywhere within a second. API tokens and invitations that users of the role have made,
   * and could not make any more, end with it. Faults: invalid_argument, not_found, forbidden,
   * in_use.
   */
  changeRole(
    by: Requester,
    name: string,
    change: Pick<NewRole, 'permissions'>,
  ): Promise<ListedRole & { readonly ended: EndedNames }>
  /**
   * Sets the limits of the role's tokens in the graph API, but for those that have their own; what
   * is left out is as the instance has it. Faults: invalid_argument, not_found, forbidden.
   */
  setRoleRates(by: Requester, name: string, rateLimits: RateLimits): Promise<ListedRole>
  /** Faults: not_found, forbidden, in_use with the names of those that have the role. */
  removeRole(by: Requester, name: string): Promise<void>
}

export type RolesOptions = {
  database: Database
  store: Store
  rights: Rights
  note: AuditNote
  changed: (businessId: string) => void
  changes: Changes
}

export function createRoles(options: RolesOptions): Roles {
  return { ...createRoleChanges(options), setRoleRates: setsRates(options) }
}

function setsRates({ store, rights, changed, changes }: RolesOptions): Roles['setRoleRates'] {
  return changes.publishing('accounts', async (by, name, rateLimits) => {
    const principal = toPrincipal(by)
    const { businessId } = principal
    requireWhole(principal.view, 'A change of roles')
    const rates = parseRateLimits(rateLimits)
    const role = isPlain(name) ? await store.role(businessId, name) : undefined
    if (role === undefined) throw new Fault('not_found', 'There is no such role.')
    rights.requireAll(principal, role.permissions)
    await store.setRoleRates(businessId, name, rates)
    changed(businessId)
    return { ...role, rateLimits: rates }
  })
}

const unlimited = { requests: null, timeMs: null }

const { rolesMax } = accountLimits

function createRoleChanges(options: RolesOptions): Omit<Roles, 'setRoleRates'> {
  const { database, store, rights, changed, changes, note } = options

  /** Roles count for the whole business, so only who sees all of it makes them. */
  function check(by: Requester, names: readonly string[]) {
    const principal = toPrincipal(by)
    requireWhole(principal.view, 'A change of roles')
    const unknown = names.find((name) => !permissions.includes(name as never))
    if (unknown !== undefined) {
      throw invalidField('permissions', `are of: ${permissions.join(', ')}`)
    }
    rights.requireAll(principal, names)
    return { principal, wanted: [...knownPermissions(names)] }
  }

  async function requireRole(transaction: Transaction, businessId: string, name: string) {
    const roles = await store.holdRoles(transaction, businessId)
    const role = roles.find((one) => one.name === name)
    if (role === undefined) throw new Fault('not_found', 'There is no such role.')
    return role
  }

  return {
    listRoles: (by) => store.roles(toPrincipal(by).businessId, limits.pageMax),
    createRole: changes.publishing('accounts', async (by, role) => {
      const { principal, wanted } = check(by, role.permissions)
      const made = { name: parseName(role.name), permissions: wanted }
      const { businessId } = principal
      await database.transaction(async (transaction) => {
        const roles = await store.holdRoles(transaction, businessId)
        if (roles.length >= rolesMax) {
          throw new Fault('invalid_argument', `A business has at most ${rolesMax} roles.`)
        }
        const added = await store.addRole(transaction, businessId, made)
        if (added === 0) throw new Fault('already_exists', 'A role with that name already exists.')
      })
      return { ...made, rateLimits: unlimited }
    }),
    changeRole: changes.publishing('accounts', async (by, name, change) => {
      const { principal, wanted } = check(by, change.permissions)
      const { businessId } = principal
      const role = { name, permissions: wanted }
      const excess = await database.transaction(async (transaction) => {
        const { permissions: before } = await requireRole(transaction, businessId, name)
        rights.requireAll(principal, before)
        await store.changeRole(transaction, businessId, role)
        const lost = before.includes('User Management') && !wanted.includes('User Management')
        if (lost) await requireAdministrator(store, transaction, businessId)
        const holders = await store.usersOfRole(transaction, businessId, name)
        return endExcess(transaction, businessId, holders, { permissions: wanted, within: null })
      })
      changed(businessId)
      await noteEnded(note, principal, excess)
      const { rateLimits = unlimited } = (await store.role(businessId, name)) ?? {}
      return { ...role, rateLimits, ended: toEndedNames(excess) }
    }),
    removeRole: changes.publishing('accounts', async (by, name) => {
      const { principal } = check(by, [])
      const { businessId } = principal
      if (!isPlain(name)) throw new Fault('not_found', 'There is no such role.')
      await database.transaction(async (transaction) => {
        rights.requireAll(principal, (await requireRole(transaction, businessId, name)).permissions)
        const holders = await roleHolders(transaction, businessId, name)
        requireConfirmed({ what: `the role ${name}`, names: [name], given: undefined }, holders)
        await store.removeRole(transaction, businessId, name)
      })
    }),
  }
}

/**
 * A business that had users keeps one who can manage the others. The roles are held by the caller's
 * transaction, so that two changes at once do not each rely on the other's user.
 * @throws Fault in_use
 */
export async function requireAdministrator(
  store: Store,
  transaction: Transaction,
  businessId: string,
): Promise<void> {
  if ((await store.countHolders(transaction, businessId, 'User Management')) > 0) return
  const sentence = 'The business needs a user who sees all of it and has "User Management".'
  throw new Fault('in_use', sentence)
}
