import type { Clock } from './clock.ts'
import type { Fault } from './errors.ts'
import { createMemory } from './memory.ts'

const minuteMs = 60_000

export type ThrottleOptions = {
  readonly clock: Clock
  /** Failures of one key in a minute; past it nothing is looked at. */
  readonly failuresMax: number
  readonly keysMax: number
  /** What a key is told that has failed too often. */
  readonly refusal: () => Fault
  /** Called once when a key reaches the limit. */
  readonly reached: (key: string) => void
}

/** Runs a check, which says whether it succeeded, unless its key has failed too often. */
export type Throttle = (key: string, check: () => Promise<boolean>) => Promise<boolean>

/**
 * Counts the failures of each key. A try counts as failed from its beginning until it has
 * succeeded, so that a thousand tries at once are not a thousand tries.
 */
export function createThrottle(options: ThrottleOptions): Throttle {
  const { clock, failuresMax } = options
  const failures = createMemory<{ sinceMs: number; count: number }>(options.keysMax)

  function current(key: string): { sinceMs: number; count: number } {
    const known = failures.get(key)
    if (known !== undefined && clock.elapsedMs() - known.sinceMs < minuteMs) return known
    const fresh = { sinceMs: clock.elapsedMs(), count: 0 }
    failures.set(key, fresh)
    return fresh
  }

  return async (key, check) => {
    const window = current(key)
    if (window.count >= failuresMax) throw options.refusal()
    window.count += 1
    const succeeded = await check().catch((error: unknown) => {
      window.count -= 1
      throw error
    })
    if (succeeded) window.count -= 1
    else if (window.count === failuresMax) options.reached(key)
    return succeeded
  }
}
