import type { Database } from '../../../foundation/database/index.ts'
import {
  type Clock,
  Fault,
  hashToken,
  type Logger,
  limits,
} from '../../../foundation/kernel/index.ts'
import type { Changes } from '../../../log/changes/index.ts'
import type { AttemptKey } from '../store/attempts.ts'
import type { Store } from '../store/store.ts'

/** A secret that may be guessed: the password of an account, or a code of its second step. */
type Guessed = 'password' | 'code'

/** An attempt to sign in, as failures are counted. */
export type SignInAttempt = {
  readonly guessed: Guessed
  /** The business of the user; undefined if there is none with the e-mail address. */
  readonly businessId: string | undefined
  /** The key of the e-mail address, whether there is such a user or not. */
  readonly emailKey: string
  /** The network address. */
  readonly address: string
  /** The user has signed in from the address before: guesses from elsewhere do not count. */
  readonly isFamiliar: boolean
}

export type Lockout = {
  /**
   * Runs a check, which returns whether it succeeded, unless there were too many failures.
   * Faults: sign_in_locked.
   */
  attempt(attempt: SignInAttempt, check: () => Promise<boolean>): Promise<boolean>
}

export type LockoutOptions = {
  readonly store: Pick<Store, 'lockedUntil' | 'countAttempt' | 'uncountAttempt' | 'removeAttempts'>
  readonly clock: Clock
  readonly logger: Logger
  readonly database: Pick<Database, 'afterCommit'>
  readonly changes: Changes
}

const any = '*'
const msPerS = 1_000

/**
 * Locks sign-ins after too many failures: of an account, of it from one network address, and of a
 * network address over all accounts. Counts are rows of the database, so they hold in every process
 * and over a restart. An attempt counts as failed from its beginning until it has succeeded, so
 * that a thousand at the same time do not pass together.
 */
export function createLockout(options: LockoutOptions): Lockout {
  const { database, store, clock, logger, changes } = options

  async function begin(keys: readonly AttemptKey[]): Promise<void> {
    const at = clock.nowMs()
    const until = await store.lockedUntil(keys, at)
    if (until > at) throw refusal(until - at)
    const counted = await store.countAttempt(keys, {
      at,
      lockMs: limits.lockoutMs,
      lockMsMax: limits.lockoutMsMax,
      since: at - limits.lockoutForgottenMs,
    })
    // Another attempt locked one of them in the meantime.
    if (counted.length < keys.length) throw refusal(limits.lockoutMs)
  }

  function warn(
    keys: readonly AttemptKey[],
    { address, businessId }: SignInAttempt,
  ): Promise<void> {
    const at = clock.nowMs()
    return store.lockedUntil(keys, at).then((until) => {
      if (until <= at) return
      const seconds = toSeconds(until - at)
      logger.warn({ address, seconds }, 'too many failed sign-ins; an account or address is locked')
      if (businessId !== undefined) changes.publish(database, businessId, 'accounts')
    })
  }

  return {
    async attempt(attempt, check) {
      const { own, shared } = attemptKeys(attempt)
      const keys = [...own, ...shared]
      await begin(keys)
      const succeeded = await check().catch(async (error: unknown) => {
        await store.uncountAttempt(keys)
        throw error
      })
      if (!succeeded) await warn(keys, attempt)
      else {
        await store.removeAttempts(own)
        if (shared.length > 0) await store.uncountAttempt(shared)
      }
      return succeeded
    },
  }
}

/** The accounts under which failures of an e-mail address are counted. */
export function attemptAccounts(emailKey: string): { password: string; code: string } {
  return { password: attemptAccount('password', emailKey), code: attemptAccount('code', emailKey) }
}

function attemptAccount(guessed: Guessed, emailKey: string): string {
  return hashToken(`${guessed} ${emailKey}`)
}

/** Counts that a success clears, and that of the address, from which it only takes itself back. */
function attemptKeys({ guessed, emailKey, address, isFamiliar }: SignInAttempt) {
  const account = attemptAccount(guessed, emailKey)
  const max = limits.failedSignInsMax
  const network = toNetwork(address)
  const place = { account, address: network, max }
  if (isFamiliar) return { own: [place], shared: [] }
  const shared = [{ account: any, address: network, max: limits.failedSignInsPerAddressMax }]
  return { own: [place, { account, address: any, max }], shared }
}

/** A holder has a whole /64 of IPv6 addresses. */
export function toNetwork(address: string): string {
  const plain = address.replace(/%.*$/, '')
  if (!plain.includes(':')) return plain
  if (/^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(plain)) return plain.slice('::ffff:'.length)
  const [head = '', tail] = plain.toLowerCase().split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  const parts = tail === undefined ? before : [...before, ...zeros, ...after]
  const network = parts.slice(0, 4).map((part) => part.replace(/^0+(?=.)/, ''))
  return `${network.join(':')}::/64`
}

function toSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / msPerS))
}

function refusal(leftMs: number): Fault {
  const retryAfterS = toSeconds(leftMs)
  const sentence = `There were too many failed sign-ins. Try again in ${retryAfterS} s.`
  return new Fault('sign_in_locked', sentence, { retryAfterS })
}
