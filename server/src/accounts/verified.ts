import { createHmac } from 'node:crypto'
import { type Clock, limits, type Random } from '../kernel/index.ts'
import { createMemory } from './memory.ts'

const keyBytes = 32

/**
 * Which pairs of e-mail and password matched which stored hash, for a while. What is kept is an
 * HMAC under a key that only this process has. A changed password has another stored hash, so the
 * old pair is forgotten with it, whichever process changed it.
 */
export function createVerified(clock: Clock, random: Random) {
  const secret = random(keyBytes)
  const pairs = createMemory<{ hash: string; untilMs: number }>(limits.signInsRememberedMax)
  return {
    /** The pair's name here. The key holds no NUL, so two pairs never share one. */
    nameOf(key: string, password: string): string {
      return createHmac('sha256', secret).update(`${key}\0${password}`).digest('base64url')
    },
    matches(pair: string, hash: string): boolean {
      const known = pairs.get(pair)
      return known !== undefined && known.hash === hash && clock.nowMs() < known.untilMs
    },
    remember(pair: string, hash: string): void {
      pairs.set(pair, { hash, untilMs: clock.nowMs() + limits.passwordCacheMs })
    },
  }
}
