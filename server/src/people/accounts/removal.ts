import type { Database, Transaction } from '../../foundation/database/index.ts'
import { type Clock, type Dependants, Fault, type Preview } from '../../foundation/kernel/index.ts'
import { isPlain } from './parse.ts'
import { type Requester, type Rights, toPrincipal } from './rights.ts'
import { attemptAccounts } from './sign-in/lockout.ts'
import { peopleDependants, userDependants, userSessions } from './store/removal.ts'
import type { Store } from './store/store.ts'

export type PeopleRemoval = {
  /** The things that are deleted with a user. Faults: not_found, forbidden. */
  userDependants(by: Requester, userId: string): Promise<Preview>
  /** The users, API tokens and invitations of a business. */
  listPeople(businessId: string): Promise<Dependants[]>
  /**
   * Ends a business in the caller's transaction: it is not found any more, and its sessions, API
   * tokens and users are deleted. To be followed by `businessRemoved`. Faults: not_found.
   */
  removeBusiness(transaction: Transaction, businessId: string): Promise<void>
  /** Ends what processes have cached of a business, once it is committed. */
  businessRemoved(businessId: string): void
}

type RemovalOptions = {
  readonly database: Database
  readonly store: Store
  readonly rights: Rights
  readonly clock: Clock
  readonly changed: (businessId: string) => void
}

export function createRemoval(options: RemovalOptions): PeopleRemoval {
  const { database, store, rights, clock, changed } = options
  return {
    async userDependants(by, userId) {
      const { businessId } = toPrincipal(by)
      const found = isPlain(userId) ? await store.user(businessId, userId) : undefined
      const { id, email: name } = await rights.requireUser(toPrincipal(by), found)
      const sessions = await userSessions(database, businessId, id)
      const made = await userDependants(database, businessId, id)
      return { id, name, dependants: [...sessions, ...made] }
    },
    listPeople: (businessId) => peopleDependants(database, businessId),
    async removeBusiness(transaction, businessId) {
      const keys = await store.emailKeys(businessId)
      const marked = await store.markRemoved(transaction, businessId, clock.nowMs())
      if (marked === 0) throw new Fault('not_found', 'There is no such business.')
      const attempts = keys.flatMap((key) => Object.values(attemptAccounts(key)))
      await store.clearAttempts(transaction, attempts)
    },
    businessRemoved: changed,
  }
}
