import type { Database } from '../../foundation/database/index.ts'
import {
  type Clock,
  checkedPage,
  Fault,
  limits,
  type PageRange,
  type Passwords,
  requireConfirmed,
} from '../../foundation/kernel/index.ts'
import type { Changes } from '../../log/changes/index.ts'
import type { AuditNote } from './audit.ts'
import { endExcess, noteEnded, toEndedNames } from './excess.ts'
import { insertUser, type PrepareUser } from './new-user.ts'
import {
  emailKey,
  isPlain,
  parseEmail,
  parseNewEmail,
  parsePassword,
  parsePersonName,
} from './parse.ts'
import { type Principal, parseUserId } from './permissions.ts'
import type { QuotaGuard } from './quotas/quotas.ts'
import { replacePassword } from './recovery.ts'
import { isWithin, type Requester, type Rights, toPrincipal } from './rights.ts'
import { requireAdministrator } from './roles.ts'
import type { CredentialHolder, EndedNames, NewUser, User, UserChange } from './schema.ts'
import { attemptAccounts } from './sign-in/lockout.ts'
import { removeMadeBy, userDependants } from './store/removal.ts'
import type { Store } from './store/store.ts'

export type Users = {
  /**
   * An e-mail address is unique in the whole platform, in any letter case. The role is named.
   * Faults: invalid_argument, already_exists, forbidden, not_found (a group), overloaded.
   */
  createUser(by: Requester, user: NewUser): Promise<User>
  /** The users who see no more than the caller. Faults: invalid_argument. */
  listUsers(by: Requester, page?: PageRange): Promise<User[]>
  /** Undefined if the caller sees none of that id, or of that e-mail address. */
  findUser(by: Requester, wanted: Wanted): Promise<User | undefined>
  /** Faults: unknown_credential if its business was deleted. */
  describeCaller(principal: Principal): Promise<CredentialHolder>
  /** The users of the business with these ids, as authors of what was written or done. */
  someUsers(by: Requester, ids: readonly string[]): Promise<User[]>
  /**
   * Users by the groups that they have; of those that the caller sees. Users of the whole business
   * have the root.
   */
  usersIn(by: Principal, groupIds: readonly string[]): Promise<ReadonlyMap<string, User[]>>
  /** Counts the users of each of these groups; 0 are missing. */
  countUsersIn(by: Principal, groupIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  /**
   * Holds everywhere within a second. API tokens and invitations that the user has made, and could
   * not make any more, end with it. Faults: invalid_argument, not_found, forbidden, in_use.
   */
  changeUser(
    by: Requester,
    id: string,
    change: UserChange,
  ): Promise<User & { readonly ended: EndedNames }>
  /**
   * Ends the user's sessions and open links that set a password, too.
   * Faults: invalid_argument, not_found, forbidden, overloaded.
   */
  setPassword(by: Requester, email: string, password: string): Promise<void>
  /** Ends a lock after failed sign-ins. Faults: not_found, forbidden. */
  unlockUser(by: Requester, id: string): Promise<void>
  /** Adds when the lock after failed sign-ins of the user ends, in milliseconds. */
  withLock<Some extends User>(user: Some): Promise<Locked<Some>>
  withLocks<Some extends User>(users: readonly Some[]): Promise<readonly Locked<Some>[]>
  /**
   * Ends the user's sessions too. A user with dependants is removed only if the e-mail address or
   * the id confirms it. Faults: not_found, forbidden, in_use (also for the last who may).
   */
  removeUser(by: Requester, userId: string, confirm?: string): Promise<void>
}

type Locked<Some> = Some & { readonly lockedUntil: number | null }

export type UsersOptions = {
  database: Database
  store: Store
  rights: Rights
  passwords: Passwords
  prepareUser: PrepareUser
  quotas: Pick<QuotaGuard, 'require'>
  note: AuditNote
  changed: (businessId: string) => void
  changes: Changes
  clock: Clock
}

export function createUsers(options: UsersOptions): Users {
  const find = finder(options.store)
  return {
    ...createUserReads(options, find),
    ...createUserChanges(options, find),
    ...createUserRemoval(options, find),
    ...createUserLocks(options, find),
  }
}

type Wanted = { readonly id: string } | { readonly email: string }
type Find = ReturnType<typeof finder>

function finder(store: Store) {
  return async (by: Requester, wanted: Wanted): Promise<User | undefined> => {
    const { businessId } = toPrincipal(by)
    if ('id' in wanted) return isPlain(wanted.id) ? store.user(businessId, wanted.id) : undefined
    const key = emailKey(wanted.email)
    return key === undefined ? undefined : store.userOfEmail(businessId, key)
  }
}

function createUserReads({ store, rights }: UsersOptions, find: Find) {
  return {
    async listUsers(by: Requester, page?: PageRange) {
      const principal = toPrincipal(by)
      const within = await rights.seen(principal)
      return store.users(principal.businessId, {
        within,
        ...checkedPage(page ?? { limit: limits.pageMax }),
      })
    },
    async findUser(by: Requester, wanted: Wanted) {
      const user = await find(by, wanted)
      const principal = toPrincipal(by)
      const isOwn = user !== undefined && principal.subject === `user:${user.id}`
      if (user === undefined || isOwn) return user
      return isWithin(await rights.seen(principal), user.groups) ? user : undefined
    },
    async describeCaller({ businessId, subject, permissions, view }: Principal) {
      const business = await store.businessNamed(businessId)
      if (business === undefined) throw new Fault('unknown_credential')
      const id = parseUserId(subject)
      const user = id === undefined ? undefined : await find(businessId, { id })
      const groups = view.groups === 'all' ? null : [...view.groups]
      const email = user?.email ?? null
      return { business, subject, email, permissions: [...permissions], groups }
    },
    async usersIn(by: Principal, groupIds: readonly string[]) {
      const within = await rights.seen(by)
      const { id: rootId } = await rights.root(by)
      const rowsMax = limits.pageMax
      const asked = { groupIds, rootId, within, rowsMax }
      const rows = await store.usersInGroups(by.businessId, asked)
      const byGroup = Map.groupBy(rows, ({ inGroup }) => inGroup)
      return new Map(
        [...byGroup].map(([id, own]) => [id, own.map(({ inGroup: _, ...one }) => one)]),
      )
    },
    async countUsersIn(by: Principal, groupIds: readonly string[]) {
      const { id: rootId } = await rights.root(by)
      const counts = await store.userCounts(by.businessId, groupIds, rootId)
      return new Map(counts.map(({ id, count }) => [id, count]))
    },
    someUsers: (by: Requester, ids: readonly string[]) =>
      store.usersWithIds(toPrincipal(by).businessId, ids.filter(isPlain)),
  } satisfies Partial<Users>
}

function createUserLocks({ database, store, rights, clock, changes }: UsersOptions, find: Find) {
  async function withLocks<Some extends User>(users: readonly Some[]): Promise<Locked<Some>[]> {
    const ids = new Map(
      users.map(({ id, email }) => [attemptAccounts(makeEmailKey(email)).password, id]),
    )
    const locks = await store.findLocks([...ids.keys()], clock.nowMs())
    const ends = new Map(locks.map(({ account, until }) => [ids.get(account), until]))
    return users.map((user) => ({ ...user, lockedUntil: ends.get(user.id) ?? null }))
  }

  return {
    unlockUser: changes.publishing('accounts', async (by: Requester, id: string) => {
      const { email } = await rights.requireUser(toPrincipal(by), await find(by, { id }))
      await store.clearAttempts(database, Object.values(attemptAccounts(makeEmailKey(email))))
    }),
    withLocks,
    async withLock<Some extends User>(user: Some) {
      const [locked] = await withLocks([user])
      return locked ?? { ...user, lockedUntil: null }
    },
  } satisfies Partial<Users>
}

function createUserChanges(options: UsersOptions, find: Find) {
  const { database, store, rights, passwords, prepareUser, quotas } = options
  const { changed, changes, note } = options

  async function changeUser(by: Requester, id: string, change: UserChange) {
    const principal = toPrincipal(by)
    const user = await rights.requireUser(principal, await find(by, { id }))
    const { businessId } = principal
    if (change.role !== undefined) await rights.requireRole(principal, change.role)
    const { name = user.name, role = user.role, groups } = change
    const manages = await managesAll(store, businessId, user)
    const described = { ...user, name: parsePersonName(name), role }
    const { wanted, excess } = await database.transaction(async (transaction) => {
      const roles = await store.holdRoles(transaction, businessId)
      const held =
        groups === undefined ? user.groups : await rights.holdGroups(transaction, principal, groups)
      const wanted = { ...described, groups: held }
      const written = await store.changeUser(transaction, businessId, wanted)
      if (written === 0) throw new Fault('not_found', 'There is no such user.')
      if (manages) await requireAdministrator(store, transaction, businessId)
      if (change.role === undefined && groups === undefined) return { wanted, excess: [] }
      const permissions = roles.find(({ name }) => name === role)?.permissions ?? []
      const view = { businessId, groups: held ?? ('all' as const) }
      const allowed = { permissions, within: await rights.seen({ view }) }
      return { wanted, excess: await endExcess(transaction, businessId, [id], allowed) }
    })
    changed(businessId)
    await noteEnded(note, principal, excess)
    return { ...wanted, ended: toEndedNames(excess) }
  }

  return {
    createUser: changes.publishing('accounts', async (by: Requester, wanted: NewUser) => {
      const principal = toPrincipal(by)
      parseNewEmail(wanted.email)
      parsePassword(wanted.password)
      await rights.requireRole(principal, wanted.role)
      const user = await prepareUser(wanted)
      return database.transaction(async (transaction) => {
        const groups = await rights.holdGroups(transaction, principal, wanted.groups)
        return insertUser(store, transaction, principal.businessId, { ...user, groups }, quotas)
      })
    }),
    changeUser: changes.publishing('accounts', changeUser),
    setPassword: changes.publishing(
      'accounts',
      async (by: Requester, email: string, wanted: string) => {
        parseEmail(email)
        const principal = toPrincipal(by)
        const { businessId } = principal
        parsePassword(wanted)
        await rights.requireUser(principal, await find(by, { email }))
        const hash = await passwords.hash(wanted)
        await database.transaction((transaction) =>
          replacePassword(store, transaction, { businessId, email, hash }),
        )
        changed(businessId)
      },
    ),
  } satisfies Partial<Users>
}

function createUserRemoval(options: UsersOptions, find: Find) {
  const { database, store, rights, changed, changes } = options
  return {
    removeUser: changes.publishing(
      'accounts',
      async (by: Requester, userId: string, confirm?: string) => {
        const principal = toPrincipal(by)
        const { businessId } = principal
        const user = await rights.requireUser(principal, await find(by, { id: userId }))
        // The platform asks nobody.
        const given = by === businessId ? user.email : confirm
        const asked = { what: 'the user', names: [user.email, user.id], given }
        requireConfirmed(asked, await userDependants(database, businessId, user.id))
        const manages = await managesAll(store, businessId, user)
        await database.transaction(async (transaction) => {
          await store.holdRoles(transaction, businessId)
          if (given !== undefined) await removeMadeBy(transaction, businessId, user.id)
          const removed = await store.removeUser(transaction, businessId, user.id)
          if (removed === 0) throw new Fault('not_found', 'There is no such user.')
          const accounts = Object.values(attemptAccounts(makeEmailKey(user.email)))
          await store.clearAttempts(transaction, accounts)
          // The platform itself may empty a business.
          if (!manages || by === businessId) return
          await requireAdministrator(store, transaction, businessId)
        })
        changed(businessId)
      },
    ),
  } satisfies Partial<Users>
}

function makeEmailKey(email: string): string {
  return parseEmail(email).key
}

/** The only users whose loss may leave a business without one who manages the others. */
async function managesAll(store: Store, businessId: string, user: User): Promise<boolean> {
  const role = await store.role(businessId, user.role)
  return user.groups === null && (role?.permissions.includes('User Management') ?? false)
}
