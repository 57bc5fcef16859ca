import type { Database } from '../database/index.ts'
import { Fault, limits, type Passwords } from '../kernel/index.ts'
import { requireRole } from './businesses.ts'
import { insertUser, type NewUser, type PrepareUser } from './new-user.ts'
import { emailKey, isPlain, parseEmail, parsePassword } from './parse.ts'
import type { Sessions } from './sessions.ts'
import type { Store, User } from './store.ts'

export type UsersOptions = {
  database: Database
  store: Store
  passwords: Passwords
  sessions: Sessions
  prepareUser: PrepareUser
}

export function createUsers({ database, store, passwords, sessions, prepareUser }: UsersOptions) {
  async function createUser(businessId: string, wanted: NewUser): Promise<User> {
    parseEmail(wanted.email)
    parsePassword(wanted.password)
    await requireRole(store, businessId, wanted.role)
    return insertUser(store, database, businessId, await prepareUser(wanted))
  }

  /** The sessions end with the password: whoever knew it may have one. */
  async function setPassword(businessId: string, email: string, wanted: string): Promise<void> {
    const { key } = parseEmail(email)
    const hash = await passwords.hash(parsePassword(wanted))
    await database.transaction(async (transaction) => {
      const user = await store.setPassword(transaction, businessId, key, hash)
      if (user === undefined) throw new Fault('not_found', 'There is no such user.')
      await store.removeSessions(transaction, businessId, user.id)
    })
    sessions.forget()
  }

  async function removeUser(businessId: string, userId: string): Promise<void> {
    const removed = isPlain(userId) ? await store.removeUser(businessId, userId) : 0
    sessions.forget()
    if (removed === 0) throw new Fault('not_found', 'There is no such user.')
  }

  async function findUser(
    businessId: string,
    wanted: { readonly id: string } | { readonly email: string },
  ): Promise<User | undefined> {
    if ('id' in wanted) return isPlain(wanted.id) ? store.user(businessId, wanted.id) : undefined
    const key = emailKey(wanted.email)
    return key === undefined ? undefined : store.userOfEmail(businessId, key)
  }

  return {
    createUser,
    findUser,
    setPassword,
    removeUser,
    listUsers: (businessId: string) => store.users(businessId, limits.pageMax),
  }
}
