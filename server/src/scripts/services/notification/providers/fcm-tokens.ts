import { type Clock, createOnce, LruMap } from '../../../../foundation/kernel/index.ts'
import type { Outbound } from '../../../../foundation/outbound/index.ts'
import { notificationLimits } from '../limits.ts'
import type { DeliveryOutcome, NotificationJob } from '../sending/channel.ts'
import type { ServiceAccount } from './fcm-account.ts'
import { signJwt } from './jwt.ts'
import {
  callFor,
  guestFor,
  parseBody,
  retryAfterMs,
  shortenWords,
  toOutcome,
  verdictFor,
} from './outcome.ts'

/**
 * The validity of an assertion that a service account signs for an access token. A standard or a
 * provider sets it.
 */
const pushAssertionMs = 3_600_000
/** The time before its end at which an access token is replaced. */
const pushTokenEarlyMs = 5 * 60_000

const scope = 'https://www.googleapis.com/auth/firebase.messaging'
const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** An access token, or the outcome of a notification without one. */
export type Access = { readonly token: string } | { readonly outcome: DeliveryOutcome }

export type AccessTokens = {
  /** Returns a token; simultaneous calls share one request. */
  of(job: NotificationJob, account: ServiceAccount): Promise<Access>
  /** Drops a token that was rejected. */
  forget(job: NotificationJob, account: ServiceAccount, token: string): void
}

type TokenOptions = { readonly outbound: Pick<Outbound, 'call'>; readonly clock: Clock }

/** Access tokens for service accounts (RFC 7523), kept until shortly before their end. */
export function createAccessTokens({ outbound, clock }: TokenOptions): AccessTokens {
  const kept = new LruMap<string, { token: string; untilMs: number }>(
    notificationLimits.pushTokensMax,
  )
  const once = createOnce<Access>()
  return {
    async of(job, account) {
      const place = tokenPlace(job, account)
      const known = kept.get(place)
      if (known !== undefined && clock.nowMs() < known.untilMs) return known
      return once(place, () => ask(place, job, account))
    },
    forget(job, account, token) {
      const place = tokenPlace(job, account)
      if (kept.get(place)?.token === token) kept.delete(place)
    },
  }

  async function ask(
    place: string,
    job: NotificationJob,
    account: ServiceAccount,
  ): Promise<Access> {
    const nowMs = clock.nowMs()
    const form = { grant_type: grant, assertion: makeAssertion(account, nowMs) }
    const call = {
      // Others wait for the same answer, so no one job's end may end it.
      ...callFor({ signal: new AbortController().signal }),
      method: 'POST',
      url: account.tokenUri,
      body: String(new URLSearchParams(form)),
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    } as const
    const answer = await outbound.call(call, guestFor(job))
    const { access_token: token, expires_in: seconds, error } = parseBody(answer)
    if (answer.status === 200 && typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) {
      const lastsMs = (typeof seconds === 'number' ? seconds : 0) * 1_000
      kept.set(place, { token, untilMs: nowMs + lastsMs - pushTokenEarlyMs })
      return { token }
    }
    const code = shortenWords(error)
    const verdict = verdictFor({}, code, answer.status)
    const outcome = toOutcome({
      // Without access nothing of the account is sent.
      verdict: verdict === 'refuse' ? 'misconfigured' : verdict === 'busy' ? 'slow' : verdict,
      reason: `FCM's token endpoint ${answer.status} ${code}`.trimEnd(),
      afterMs: retryAfterMs(answer, nowMs),
    })
    return { outcome }
  }
}

function makeAssertion({ email, key, keyId, tokenUri }: ServiceAccount, nowMs: number): string {
  const iat = Math.floor(nowMs / 1_000)
  const exp = iat + pushAssertionMs / 1_000
  const claims = { iss: email, scope, aud: tokenUri, iat, exp }
  return signJwt('RS256', { header: keyId === undefined ? {} : { kid: keyId }, claims, key })
}

function tokenPlace({ solutionId }: NotificationJob, { fingerprint }: ServiceAccount): string {
  return `${solutionId} ${fingerprint}`
}
