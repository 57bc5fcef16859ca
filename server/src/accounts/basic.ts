import {
  type Clock,
  createOnce,
  createThrottle,
  createVerified,
  Fault,
  type Logger,
  limits,
  type Passwords,
  type Random,
} from '../kernel/index.ts'
import { emailKey } from './parse.ts'
import type { Credentials, Store } from './store.ts'

type Parts = { store: Store; passwords: Passwords; clock: Clock; random: Random; logger: Logger }

/** Whether an e-mail address and a password belong together, and to whom. */
export function createBasic({ store, passwords, clock, random, logger }: Parts) {
  const pairsMax = limits.signInsRememberedMax
  const verified = createVerified<string>({ clock, random, pairsMax })
  const throttle = createThrottle({
    clock,
    failuresMax: limits.failedSignInsPerMinuteMax,
    keysMax: pairsMax,
    refusal: () => new Fault('unknown_credential'),
    reached: (email) => logger.warn({ email }, 'too many failed sign-ins; refused for a minute'),
  })
  const once = createOnce<boolean>()

  async function check(key: string, password: string, hash: string | undefined): Promise<boolean> {
    const pair = verified.nameOf(key, password)
    if (hash !== undefined && verified.find(pair) === hash) return true
    const matched = await once(`${pair} ${hash}`, () =>
      throttle(key, () => passwords.verify(password, hash)),
    )
    if (matched && hash !== undefined) verified.remember(pair, hash)
    return matched
  }

  return async (email: string, password: string): Promise<Credentials> => {
    const key = emailKey(email)
    // No account has such an address or such a password, so a quick answer tells nothing.
    if (key === undefined || password.length > limits.accountPasswordCharsMax) {
      throw new Fault('unknown_credential')
    }
    const user = await store.credentials(key)
    const matched = await check(key, password, user?.passwordHash)
    if (user === undefined || !matched) throw new Fault('unknown_credential')
    return user
  }
}
