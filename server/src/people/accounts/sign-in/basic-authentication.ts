import {
  type Clock,
  createOnce,
  createVerified,
  Fault,
  limits,
  type Passwords,
  type Random,
} from '../../../foundation/kernel/index.ts'
import type { AuditNote, AuditSource } from '../audit.ts'
import { accountLimits } from '../limits.ts'
import { emailKey } from '../parse.ts'
import type { Store } from '../store/store.ts'
import type { PasswordRow } from '../store/users.ts'
import { type Lockout, toNetwork } from './lockout.ts'

/** Network addresses from which a user has signed in that are remembered. */
const familiarAddressesMax = 50

export type BasicOptions = {
  store: Store
  passwords: Passwords
  lockout: Lockout
  note: AuditNote
  clock: Clock
  random: Random
}

type From = { readonly address: string; readonly source: AuditSource }

/**
 * Finds the user with an e-mail address and a password. A hash with parameters of an earlier
 * version is replaced.
 *
 * Wrong passwords are counted for the account from one network address, for the account, and for
 * the network address. From an address from which the account has signed in before only the first
 * counts: so an attack from elsewhere does not keep the holder out.
 */
export function createBasic(options: BasicOptions) {
  const { store, passwords, lockout, note, clock, random } = options
  const pairsMax = limits.signInsRememberedMax
  const verified = createVerified<string>({ clock, random, pairsMax })
  const once = createOnce<boolean>()

  type Shown = { readonly key: string; readonly password: string; readonly address: string }

  async function check({ key, password, address }: Shown, user?: PasswordRow): Promise<boolean> {
    const hash = user?.passwordHash
    const pair = verified.toName(key, password)
    if (hash !== undefined && verified.find(pair) === hash) return true
    const matched = await once(`${pair} ${hash} ${address}`, async () => {
      const isFamiliar = await isKnownPlace(user, address)
      const who = { businessId: user?.businessId, emailKey: key, address }
      const attempt = { ...who, guessed: 'password', isFamiliar } as const
      const succeeded = await lockout.attempt(attempt, () => passwords.verify(password, hash))
      if (succeeded && user !== undefined) await rememberPlace(user, address)
      return succeeded
    })
    if (matched && hash !== undefined) verified.remember(pair, hash)
    return matched
  }

  /** It is looked up for nobody, too, so that both take as long. */
  function isKnownPlace(user: PasswordRow | undefined, address: string): Promise<boolean> {
    return store.isFamiliar(user?.businessId ?? '', user?.userId ?? '', toNetwork(address))
  }

  function rememberPlace({ businessId, userId }: PasswordRow, address: string): Promise<void> {
    const max = familiarAddressesMax
    return store.addFamiliar(businessId, userId, toNetwork(address), clock.nowMs(), max)
  }

  async function renewed(user: PasswordRow, password: string): Promise<PasswordRow> {
    if (!passwords.isOutdated(user.passwordHash)) return user
    const passwordHash = await passwords.hash(password)
    const { businessId, userId } = user
    const written = await store.renewHash(businessId, userId, user.passwordHash, passwordHash)
    return written === 0 ? user : { ...user, passwordHash }
  }

  /** The answer does not wait for it: its time would show that there is a user. */
  function noteFailure({ businessId, userId, email }: PasswordRow, from: From): void {
    const { address, source } = from
    const by = { businessId, subject: `user:${userId}`, address }
    const refused = () => Promise.reject(new Fault('unknown_credential'))
    note({ by, source, action: 'signIn', target: email }, refused).catch(() => {})
  }

  /** `address`: the network address of the caller. */
  return async (
    email: string,
    password: string,
    address = '',
    source: AuditSource = 'management',
  ): Promise<PasswordRow> => {
    const key = emailKey(email)
    // No account has such an address or such a password, so a quick answer reveals nothing.
    if (key === undefined || password.length > accountLimits.accountPasswordCharsMax) {
      throw new Fault('unknown_credential')
    }
    const user = await store.credentials(key)
    const matched = await check({ key, password, address }, user)
    if (user !== undefined && !matched) noteFailure(user, { address, source })
    if (user === undefined || !matched) throw new Fault('unknown_credential')
    return renewed(user, password)
  }
}
