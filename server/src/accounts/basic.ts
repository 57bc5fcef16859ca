import {
  type Clock,
  createFailureLimiter,
  createOnce,
  createVerified,
  type FailureLimiter,
  Fault,
  type Logger,
  LruMap,
  limits,
  type Passwords,
  type Random,
} from '../kernel/index.ts'
import { emailKey } from './parse.ts'
import type { Store } from './store/store.ts'
import type { PasswordRow } from './store/users.ts'

export type BasicOptions = {
  store: Store
  passwords: Passwords
  clock: Clock
  random: Random
  logger: Logger
}

/**
 * Finds the user with an e-mail address and a password.
 *
 * Wrong passwords are counted for the account from one network address, for the account, and for
 * the network address; each has its limit in a minute. From an address from which the account has
 * signed in before only the first counts: so an attack from elsewhere does not keep the holder out.
 */
export function createBasic({ store, passwords, clock, random, logger }: BasicOptions) {
  const pairsMax = limits.signInsRememberedMax
  const verified = createVerified<string>({ clock, random, pairsMax })
  const familiar = new LruMap<string, true>(pairsMax)
  const throttleOf = (what: string, failuresMax: number): FailureLimiter =>
    createFailureLimiter({
      clock,
      failuresMax,
      keysMax: pairsMax,
      refusal: () => new Fault('too_many_requests', sentence, { retryAfterS }),
      onReached: (key) =>
        logger.warn({ [what]: key }, 'too many failed sign-ins; refused for a minute'),
    })
  const ofPlace = throttleOf('accountAndAddress', limits.failedSignInsPerMinuteMax)
  const ofAccount = throttleOf('account', limits.failedSignInsPerMinuteMax)
  const ofAddress = throttleOf('address', limits.failedSignInsPerAddressMax)
  const once = createOnce<boolean>()

  type Shown = { readonly key: string; readonly password: string; readonly address: string }

  async function check({ key, password, address }: Shown, hash?: string): Promise<boolean> {
    const pair = verified.nameOf(key, password)
    const place = `${key} ${address}`
    const verify = () => passwords.verify(password, hash)
    const isKnown = hash !== undefined && verified.find(pair) === hash
    const matched =
      isKnown ||
      (await once(`${pair} ${hash} ${address}`, () =>
        familiar.get(place)
          ? ofPlace(place, verify)
          : ofAddress(address, () => ofAccount(key, () => ofPlace(place, verify))),
      ))
    if (!matched || hash === undefined) return false
    if (!isKnown) verified.remember(pair, hash)
    familiar.set(place, true)
    return true
  }

  /** `address`: the network address of the caller. */
  return async (email: string, password: string, address = ''): Promise<PasswordRow> => {
    const key = emailKey(email)
    // No account has such an address or such a password, so a quick answer reveals nothing.
    if (key === undefined || password.length > limits.accountPasswordCharsMax) {
      throw new Fault('unknown_credential')
    }
    const user = await store.credentials(key)
    const matched = await check({ key, password, address }, user?.passwordHash)
    if (user === undefined || !matched) throw new Fault('unknown_credential')
    return user
  }
}

const retryAfterS = 60
const sentence = 'Too many wrong passwords. Try again in a minute.'
