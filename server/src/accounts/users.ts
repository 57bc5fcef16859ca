import type { Database } from '../database/index.ts'
import { type Clock, Fault, limits, newId, type Passwords, type Random } from '../kernel/index.ts'
import { requireRole } from './businesses.ts'
import { emailKey, isPlain, parseEmail, parsePassword } from './parse.ts'
import type { Sessions } from './sessions.ts'
import type { Store, User } from './store.ts'

export type NewUser = { readonly email: string; readonly password: string; readonly role: string }

export type UsersOptions = {
  database: Database
  store: Store
  passwords: Passwords
  sessions: Sessions
  clock: Clock
  random: Random
}

export function createUsers({ database, store, passwords, sessions, clock, random }: UsersOptions) {
  async function createUser(businessId: string, wanted: NewUser): Promise<User> {
    const { email, key } = parseEmail(wanted.email)
    const password = parsePassword(wanted.password)
    await requireRole(store, businessId, wanted.role)
    const user = { id: newId(random), email, role: wanted.role }
    const hash = await passwords.hash(password)
    const added = await store.addUser(businessId, { ...user, key, hash, at: clock.nowMs() })
    if (added === 0) throw new Fault('already_exists', 'There is a user of that e-mail address.')
    return user
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
