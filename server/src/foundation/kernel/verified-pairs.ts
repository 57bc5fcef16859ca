import { createHmac } from 'node:crypto'
import { LruMap } from './async/lru-map.ts'
import type { Clock } from './clock.ts'
import type { Random } from './ids.ts'
import { limits } from './limits.ts'

const keyBytes = 32

/** Which names and passwords were verified lately, and what was found with them. */
export type Verified<Found> = {
  /** The pair's name here. No part but the last may hold a NUL, so two pairs never share one. */
  toName(...parts: readonly string[]): string
  /** Undefined where it was not verified within `limits.passwordCacheMs`. */
  find(pair: string): Found | undefined
  remember(pair: string, found: Found): void
}

/**
 * Caches pairs of a name and a password that were verified, as an HMAC under a key that only
 * this process has. The value should contain the stored hash: that of a changed password differs,
 * so the old pair is no longer valid, whichever process changed it.
 */
export function createVerified<Found>(options: {
  readonly clock: Clock
  readonly random: Random
  readonly pairsMax: number
}): Verified<Found> {
  const secret = options.random(keyBytes)
  const pairs = new LruMap<string, { found: Found; untilMs: number }>(options.pairsMax)
  return {
    toName: (...parts) => createHmac('sha256', secret).update(parts.join('\0')).digest('base64url'),
    find(pair) {
      const known = pairs.get(pair)
      return known !== undefined && options.clock.elapsedMs() < known.untilMs
        ? known.found
        : undefined
    },
    remember(pair, found) {
      pairs.set(pair, { found, untilMs: options.clock.elapsedMs() + limits.passwordCacheMs })
    },
  }
}
