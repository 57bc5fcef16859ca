import { type Clock, Fault, type Logger, limits } from '../kernel/index.ts'
import { createMemory } from './memory.ts'

const minuteMs = 60_000

/**
 * Counts the failed sign-ins of each e-mail address, known or not. A try counts as failed from its
 * beginning until it has succeeded, so that a thousand tries at once are not a thousand tries.
 */
export function createThrottle(clock: Clock, logger: Logger) {
  const failures = createMemory<{ sinceMs: number; count: number }>(limits.signInsRememberedMax)

  function current(key: string): { sinceMs: number; count: number } {
    const known = failures.get(key)
    if (known !== undefined && clock.nowMs() - known.sinceMs < minuteMs) return known
    const fresh = { sinceMs: clock.nowMs(), count: 0 }
    failures.set(key, fresh)
    return fresh
  }

  /** @throws Fault unknown_credential where the address has failed too often in this minute. */
  return async (key: string, check: () => Promise<boolean>): Promise<boolean> => {
    const window = current(key)
    if (window.count >= limits.failedSignInsPerMinuteMax) throw new Fault('unknown_credential')
    window.count += 1
    const succeeded = await check().catch((error: unknown) => {
      window.count -= 1
      throw error
    })
    if (succeeded) window.count -= 1
    else if (window.count === limits.failedSignInsPerMinuteMax) {
      logger.warn({ email: key }, 'too many failed sign-ins; refused for a minute')
    }
    return succeeded
  }
}
