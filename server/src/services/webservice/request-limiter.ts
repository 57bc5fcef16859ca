import { type Clock, Fault, limits, RateLimiter } from '../../kernel/index.ts'
import type { Endpoint } from '../../scripting/index.ts'

const msPerSecond = 1_000

/** @throws Fault too_many_requests if the caller has used up what the endpoint allows. */
export type TakeRequest = (caller: string, rate: NonNullable<Endpoint['rate']>) => void

/** Counts requests in windows that begin with a caller's first one. Each process counts its own. */
export function createRequestLimiter(clock: Clock): TakeRequest {
  const limiter = new RateLimiter(clock, limits.endpointCallersRememberedMax)

  return (caller, { requests, seconds }) => {
    const leftMs = limiter.take(caller, { count: requests, windowMs: seconds * msPerSecond })
    if (leftMs === 0) return
    const retryAfterS = Math.max(1, Math.ceil(leftMs / msPerSecond))
    const words = `The endpoint takes ${requests} requests in ${seconds} seconds.`
    throw new Fault('too_many_requests', words, { retryAfterS })
  }
}
