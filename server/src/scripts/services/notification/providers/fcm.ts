import {
  type Clock,
  isJsonObject,
  type Json,
  type JsonObject,
  LruMap,
  StrictObject,
} from '../../../../foundation/kernel/index.ts'
import type { Outbound, OutboundAnswer } from '../../../../foundation/outbound/index.ts'
import { notificationLimits } from '../limits.ts'
import { definitions } from '../payload/channels.ts'
import type { DeliveryOutcome, NotificationJob, Provider } from '../sending/channel.ts'
import { readAccount, type ServiceAccount, wrongAccount } from './fcm-account.ts'
import { createAccessTokens } from './fcm-tokens.ts'
import {
  callFor,
  guestFor,
  outcomeOfFailure,
  parseBody,
  retryAfterMs,
  shortenWords,
  toOutcome,
  type Verdicts,
  verdictFor,
} from './outcome.ts'
import {
  baseUrl,
  chooseBaseUrl,
  createSettings,
  findCredential,
  type ProviderCredential,
  secretSetting,
} from './settings.ts'

/** The verdicts of FCM's codes, and of its API's statuses if there is no code. */
export const fcmVerdicts: Verdicts = {
  UNREGISTERED: 'prune',
  INVALID_REGISTRATION: 'suspect',
  INTERNAL: 'retry',
  QUOTA_EXCEEDED: 'busy',
  RESOURCE_EXHAUSTED: 'busy',
  UNAUTHENTICATED: 'retry',
  UNAVAILABLE: 'busy',
  INVALID_ARGUMENT: 'refuse',
  NOT_FOUND: 'misconfigured',
  PERMISSION_DENIED: 'misconfigured',
  SENDER_ID_MISMATCH: 'misconfigured',
  THIRD_PARTY_AUTH_ERROR: 'misconfigured',
}

const googles = 'https://fcm.googleapis.com'

export const fcmSettings = StrictObject({
  ServiceAccount: secretSetting(
    'Service account',
    'The JSON file of a service account.',
    wrongAccount,
    'application/json',
  ),
  BaseUrl: baseUrl,
})

export type FcmOptions = { readonly outbound: Pick<Outbound, 'call'>; readonly clock: Clock }

/** Firebase Cloud Messaging by HTTP v1, for `fcm` and for `gcm`, whose own service has ended. */
export function createFcm(channel: 'fcm' | 'gcm', options: FcmOptions): Provider {
  const { outbound, clock } = options
  const readSettings = createSettings(fcmSettings, channel)
  const tokens = createAccessTokens(options)
  const accounts = new LruMap<string, ServiceAccount>(notificationLimits.pushTokensMax)
  function getAccount(text: string): ServiceAccount {
    const known = accounts.get(text)
    if (known !== undefined) return known
    const account = readAccount(text)
    accounts.set(text, account)
    return account
  }
  return {
    channel,
    name: 'fcm',
    configure: (given, before) => readSettings(withText(given), before),
    schema: fcmSettings,
    map: (message, target) => definitions[channel].map(message, target),
    async deliver(job) {
      const credential = findCredential(job)
      if (credential === undefined) {
        return { kind: 'refused', reason: 'FCM: the CredentialSid is not configured' }
      }
      const account = getAccount(credential.secret.ServiceAccount ?? '')
      try {
        for (let tries = 1; ; tries += 1) {
          const access = await tokens.of(job, account)
          if ('outcome' in access) return access.outcome
          const call = makeCall(job, credential, account, access.token)
          const answer = await outbound.call(call, guestFor(job))
          // It was taken back before its time.
          const old = answer.status === 401 && readCode(answer) !== 'THIRD_PARTY_AUTH_ERROR'
          if (old) tokens.forget(job, account, access.token)
          if (!old || tries > 1) return outcomeFor(answer, clock.nowMs())
        }
      } catch (error) {
        return outcomeOfFailure('FCM', error, job.signal)
      }
    },
  }
}

/** The account's file may be given as the object that it holds. */
function withText({ ServiceAccount, Credentials, ...rest }: JsonObject): JsonObject {
  const texted = (value: Json | undefined) =>
    isJsonObject(value) ? { ServiceAccount: JSON.stringify(value) } : { ServiceAccount: value }
  const own = ServiceAccount === undefined ? {} : (texted(ServiceAccount) as JsonObject)
  if (!isJsonObject(Credentials)) {
    return { ...rest, ...own, ...(Credentials === undefined ? {} : { Credentials }) }
  }
  const more = Object.entries(Credentials).map(([sid, one]) => {
    return [sid, isJsonObject(one) ? withText(one) : one] as const
  })
  return { ...rest, ...own, Credentials: Object.fromEntries(more) }
}

function makeCall(
  job: NotificationJob,
  credential: ProviderCredential,
  account: ServiceAccount,
  token: string,
) {
  const path = `/v1/projects/${account.projectId}/messages:send`
  return {
    ...callFor(job),
    method: 'POST',
    url: `${chooseBaseUrl(credential, googles)}${path}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(job.payload.body),
  } as const
}

function outcomeFor(answer: OutboundAnswer, nowMs: number): DeliveryOutcome {
  if (answer.status === 200) {
    const id = shortenWords(parseBody(answer).name)
    return { kind: 'accepted', answer: 'FCM 200', ...(id === '' ? {} : { providerId: id }) }
  }
  const code = readCode(answer)
  return toOutcome({
    verdict: verdictFor(fcmVerdicts, code, answer.status),
    reason: `FCM ${answer.status} ${code}`.trimEnd(),
    afterMs: retryAfterMs(answer, nowMs),
  })
}

/**
 * FCM's own code, else the API's status. An argument may be wrong because of the message, or
 * because its token is none; only the second is about the binding.
 */
function readCode(answer: OutboundAnswer): string {
  const { error } = parseBody(answer)
  const { status, message, details } = isJsonObject(error) ? error : {}
  const listed = (Array.isArray(details) ? details : []).filter(isJsonObject)
  const own = listed.map(({ errorCode }) => shortenWords(errorCode)).find((code) => code !== '')
  const code = own ?? shortenWords(status)
  if (code !== 'INVALID_ARGUMENT') return code
  const violations = listed.flatMap(({ fieldViolations: one }) => (Array.isArray(one) ? one : []))
  const named = violations.some((one) => isJsonObject(one) && one.field === 'message.token')
  const token = /registration token is not a valid/i.test(shortenWords(message))
  return named || token ? 'INVALID_REGISTRATION' : code
}
