import { type Clock, createMemory, Fault, limits } from '../../kernel/index.ts'
import type { Endpoint } from '../../scripting/index.ts'

const msPerSecond = 1_000

/** @throws Fault too_many_requests where the caller has used up what the endpoint allows. */
export type TakeRequest = (caller: string, rate: NonNullable<Endpoint['rate']>) => void

/** Counts requests in windows that begin with a caller's first one. Each process counts its own. */
export function createRates(clock: Clock): TakeRequest {
  const windows = createMemory<{ sinceMs: number; count: number }>(
    limits.endpointCallersRememberedMax,
  )

  function current(caller: string, windowMs: number) {
    const nowMs = clock.nowMs()
    const known = windows.get(caller)
    if (known !== undefined && nowMs < known.sinceMs + windowMs) return known
    const fresh = { sinceMs: nowMs, count: 0 }
    windows.set(caller, fresh)
    return fresh
  }

  return (caller, { requests, seconds }) => {
    const windowMs = seconds * msPerSecond
    const window = current(caller, windowMs)
    if (window.count >= requests) {
      const leftMs = window.sinceMs + windowMs - clock.nowMs()
      const retryAfterS = Math.max(1, Math.ceil(leftMs / msPerSecond))
      const words = `The endpoint takes ${requests} requests in ${seconds} seconds.`
      throw new Fault('too_many_requests', words, { retryAfterS })
    }
    window.count += 1
  }
}
