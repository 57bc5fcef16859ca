import { type Clock, LruMap, limits } from '../../../kernel/index.ts'
import { signJwt } from './jwt.ts'
import type { Credential } from './settings.ts'

export type ApnsTokens = {
  /** The token of a credential, made again well before Apple finds it old. */
  of(place: string, credential: Credential): string
  /**
   * Apple finds the token too old. Forgets it, unless it is so young that Apple would refuse to be
   * shown another: then clocks disagree. @returns whether a new one may be made
   */
  expired(place: string, token: string): boolean
}

type Kept = { readonly token: string; readonly madeAtMs: number; readonly from: string }

export function createApnsTokens(clock: Clock): ApnsTokens {
  const kept = new LruMap<string, Kept>(limits.pushTokensMax)
  return {
    of(place, { shown, secret }) {
      const { TeamId = '', KeyId = '' } = shown
      const { Key = '' } = secret
      const nowMs = clock.nowMs()
      const from = `${TeamId} ${KeyId} ${Key}`
      const known = kept.get(place)
      const ageMs = nowMs - (known?.madeAtMs ?? 0)
      const young = ageMs >= 0 && ageMs < limits.pushApnsTokenMs
      if (known !== undefined && young && known.from === from) return known.token
      const claims = { iss: TeamId, iat: Math.floor(nowMs / 1_000) }
      const token = signJwt('ES256', { header: { kid: KeyId }, claims, key: Key })
      kept.set(place, { token, madeAtMs: nowMs, from })
      return token
    },
    expired(place, token) {
      const known = kept.get(place)
      // Another call has been told the same, and made a new one.
      if (known?.token !== token) return true
      if (clock.nowMs() - known.madeAtMs < limits.pushApnsTokenMsMin) return false
      kept.delete(place)
      return true
    },
  }
}
