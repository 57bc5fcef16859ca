import { type Clock, LruMap } from '../../../../foundation/kernel/index.ts'
import { notificationLimits } from '../limits.ts'
import { signJwt } from './jwt.ts'
import type { ProviderCredential } from './settings.ts'

/**
 * The age up to which a token for APNs is used. Apple refuses one of more than an hour. A standard
 * or a provider sets it.
 */
const pushApnsTokenMs = 50 * 60_000

export type ApnsTokens = {
  /** Returns the token of a credential, renewed well before Apple rejects it as old. */
  of(place: string, credential: ProviderCredential): string
  /**
   * Drops a token that Apple rejects as too old, unless it is so young that Apple would reject
   * another one, too: then the clocks differ. @returns whether a new one may be made
   */
  expired(place: string, token: string): boolean
}

type CachedToken = { readonly token: string; readonly madeAtMs: number; readonly from: string }

export function createApnsTokens(clock: Clock): ApnsTokens {
  const cached = new LruMap<string, CachedToken>(notificationLimits.pushTokensMax)
  return {
    of(place, { shown, secret }) {
      const { TeamId = '', KeyId = '' } = shown
      const { Key = '' } = secret
      const nowMs = clock.nowMs()
      const from = `${TeamId} ${KeyId} ${Key}`
      const known = cached.get(place)
      const ageMs = nowMs - (known?.madeAtMs ?? 0)
      const young = ageMs >= 0 && ageMs < pushApnsTokenMs
      if (known !== undefined && young && known.from === from) return known.token
      const claims = { iss: TeamId, iat: Math.floor(nowMs / 1_000) }
      const token = signJwt('ES256', { header: { kid: KeyId }, claims, key: Key })
      cached.set(place, { token, madeAtMs: nowMs, from })
      return token
    },
    expired(place, token) {
      const known = cached.get(place)
      // Another call has had the same answer, and made a new one.
      if (known?.token !== token) return true
      if (clock.nowMs() - known.madeAtMs < notificationLimits.pushApnsTokenMsMin) return false
      cached.delete(place)
      return true
    },
  }
}
