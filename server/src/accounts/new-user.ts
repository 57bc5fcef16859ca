import type { Queryable } from '../database/index.ts'
import { type Clock, Fault, newId, type Passwords, type Random } from '../kernel/index.ts'
import { parseEmail, parsePassword } from './parse.ts'
import type { KeptUser, Store, User } from './store.ts'

export type NewUser = { readonly email: string; readonly password: string; readonly role: string }

/** Checks a user and hashes its password, before a transaction begins. */
export type PrepareUser = (wanted: NewUser) => Promise<KeptUser>

export function preparation(options: {
  passwords: Passwords
  clock: Clock
  random: Random
}): PrepareUser {
  const { passwords, clock, random } = options
  return async (wanted) => {
    const { email, key } = parseEmail(wanted.email)
    const hash = await passwords.hash(parsePassword(wanted.password))
    return { id: newId(random), email, role: wanted.role, key, hash, at: clock.nowMs() }
  }
}

/** @throws Fault already_exists if the e-mail address is taken, in any business. */
export async function insertUser(
  store: Store,
  on: Queryable,
  businessId: string,
  user: KeptUser,
): Promise<User> {
  const added = await store.addUser(on, businessId, user)
  if (added === 0) throw new Fault('already_exists', 'There is a user of that e-mail address.')
  return { id: user.id, email: user.email, role: user.role }
}
