import type { Transaction } from '../../foundation/database/index.ts'
import {
  type Clock,
  Fault,
  newId,
  type Passwords,
  type Random,
} from '../../foundation/kernel/index.ts'
import { parseNewEmail, parsePassword, parsePersonName } from './parse.ts'
import type { QuotaGuard } from './quotas/quotas.ts'
import type { NewUser, User } from './schema.ts'
import type { Store } from './store/store.ts'
import type { KeptUser } from './store/users.ts'

/** Checks a user and hashes its password, before a transaction begins. */
export type PrepareUser = (wanted: Omit<NewUser, 'groups'>) => Promise<Omit<KeptUser, 'groups'>>

export function preparation(options: {
  passwords: Passwords
  clock: Clock
  random: Random
}): PrepareUser {
  const { passwords, clock, random } = options
  return async (wanted) => {
    const { email, key } = parseNewEmail(wanted.email)
    const hash = await passwords.hash(parsePassword(wanted.password))
    const { role, name = '' } = wanted
    const id = newId(random)
    return { id, email, name: parsePersonName(name), role, key, hash, at: clock.nowMs() }
  }
}

/** @throws Fault already_exists if the e-mail address is taken, in any business. */
export async function insertUser(
  store: Store,
  on: Transaction,
  businessId: string,
  user: KeptUser,
  quotas: Pick<QuotaGuard, 'require'>,
): Promise<User> {
  const added = await store.addUser(on, businessId, user)
  if (added === 0)
    throw new Fault('already_exists', 'A user with that e-mail address already exists.')
  await quotas.require(on, businessId, 'users')
  const { id, email, name, role, groups } = user
  return { id, email, name, role, groups, hasTotp: false, signedInAt: null }
}
