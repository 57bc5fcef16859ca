import { type Clock, Fault, limits, RateLimiter } from '../../foundation/kernel/index.ts'
import { toNetwork } from './sign-in/lockout.ts'

/** Network addresses, for each kind, that are counted; past it the oldest are forgotten. */
const anonymousAddressesMax = 100_000

/**
 * The operations that anybody may ask for without a credential. Passwords and codes are not among
 * it: their failures lock the account and the address.
 */
export const anonymousOperations = [
  'acceptInvitation',
  'findOidc',
  'leaveForOidc',
  'requestPasswordReset',
  'resetPassword',
  'returnFromOidc',
  'takeOidcSession',
] as const

/**
 * Counts an operation of a network address, in each process.
 * @param address undefined: nobody's, for programs within the process.
 * @throws Fault too_many_requests
 */
export type CountAnonymous = (
  operation: (typeof anonymousOperations)[number],
  address: string | undefined,
) => void

const minuteMs = 60_000
const msPerS = 1_000

export function createAnonymousCount(clock: Clock): CountAnonymous {
  const limiter = new RateLimiter(clock, anonymousAddressesMax)
  return (operation, address) => {
    if (address === undefined) return
    const rate = { count: limits.anonymousRequestsPerMinute, windowMs: minuteMs }
    const leftMs = limiter.take(`${operation} ${toNetwork(address)}`, rate)
    if (leftMs === 0) return
    const sentence = `One network address may do this ${rate.count} times a minute.`
    throw new Fault('too_many_requests', sentence, { retryAfterS: Math.ceil(leftMs / msPerS) })
  }
}
