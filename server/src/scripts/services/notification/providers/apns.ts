import { type Clock, StrictObject } from '../../../../foundation/kernel/index.ts'
import type { Http2, OutboundAnswer } from '../../../../foundation/outbound/index.ts'
import { notificationLimits } from '../limits.ts'
import { definitions } from '../payload/channels.ts'
import type { DeliveryOutcome, NotificationJob, Payload, Provider } from '../sending/channel.ts'
import { createApnsTokens } from './apns-tokens.ts'
import { wrongKey } from './jwt.ts'
import {
  callFor,
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
  matches,
  type ProviderCredential,
  secretSetting,
  setting,
} from './settings.ts'

/** The verdicts of Apple's reasons. */
export const apnsVerdicts: Verdicts = {
  BadDeviceToken: 'suspect',
  ExpiredToken: 'prune',
  Unregistered: 'prune',
  ExpiredProviderToken: 'retry',
  IdleTimeout: 'retry',
  InternalServerError: 'retry',
  ServiceUnavailable: 'busy',
  Shutdown: 'retry',
  TooManyProviderTokenUpdates: 'slow',
  TooManyRequests: 'busy',
  BadCollapseId: 'refuse',
  BadEnvironmentKeyIdInToken: 'misconfigured',
  BadExpirationDate: 'refuse',
  BadMessageId: 'refuse',
  BadPath: 'misconfigured',
  BadPriority: 'refuse',
  BadTopic: 'misconfigured',
  DeviceTokenNotForTopic: 'misconfigured',
  Forbidden: 'misconfigured',
  InvalidProviderToken: 'misconfigured',
  InvalidPushType: 'refuse',
  MethodNotAllowed: 'refuse',
  MissingDeviceToken: 'refuse',
  MissingProviderToken: 'misconfigured',
  MissingTopic: 'misconfigured',
  PayloadEmpty: 'refuse',
  PayloadTooLarge: 'refuse',
  TopicDisallowed: 'misconfigured',
  UnrelatedKeyIdInToken: 'misconfigured',
}

const production = 'https://api.push.apple.com'

const tenLetters = matches(/^[0-9A-Z]{10}$/, '10 letters and digits')

export const apnsSettings = StrictObject({
  KeyId: setting('Key id', 'The id of the key.', tenLetters),
  TeamId: setting('Team id', 'The id of the team.', tenLetters),
  Topic: setting(
    'Topic',
    'The id of the application.',
    matches(/^[\w.-]+$/, 'the id of an application'),
  ),
  Key: secretSetting(
    'Private key',
    'The private key, as PEM.',
    (pem) => wrongKey('ES256', pem),
    'application/x-pem-file',
  ),
  BaseUrl: baseUrl,
})

const readSettings = createSettings(apnsSettings, 'apn')

export type ApnsOptions = { readonly http2: Http2; readonly clock: Clock }

/** Apple's push service, over HTTP/2 with a token of the provider. */
export function createApns({ http2, clock }: ApnsOptions): Provider {
  const tokens = createApnsTokens(clock)
  return {
    channel: 'apn',
    name: 'apns',
    configure: readSettings,
    schema: apnsSettings,
    map: (message, target) => definitions.apn.map(message, target),
    async deliver(job) {
      const credential = findCredential(job)
      if (credential === undefined) {
        return { kind: 'refused', reason: 'APNs: the CredentialSid is not configured' }
      }
      // Apple ties a connection to the team of its first token.
      const place = connectionName(job, credential)
      try {
        const token = tokens.of(place, credential)
        const answer = await ask(http2, job, credential, token)
        const old = parseBody(answer).reason === 'ExpiredProviderToken'
        if (!old || !tokens.expired(place, token)) return outcomeFor(answer, clock.nowMs())
        const again = tokens.of(place, credential)
        return outcomeFor(await ask(http2, job, credential, again), clock.nowMs())
      } catch (error) {
        return outcomeOfFailure('APNs', error, job.signal)
      }
    },
  }
}

function connectionName({ solutionId }: NotificationJob, { shown }: ProviderCredential): string {
  return `apns ${solutionId} ${shown.TeamId} ${shown.KeyId}`
}

/**
 * Apple does not promise to drop a second request with the same `apns-id`; the collapse id makes a
 * device show one notification, if an attempt without an answer has arrived.
 */
function ask(http2: Http2, job: NotificationJob, credential: ProviderCredential, token: string) {
  const { id, address, payload } = job
  const headers = {
    ...payload.headers,
    authorization: `bearer ${token}`,
    'content-type': 'application/json',
    'apns-topic': credential.shown.Topic ?? '',
    'apns-id': id,
    'apns-collapse-id': payload.headers['apns-collapse-id'] ?? id,
  }
  const url = `${chooseBaseUrl(credential, production)}/3/device/${encodeURIComponent(address)}`
  const call = { ...callFor(job), method: 'POST', url, headers } as const
  const guest = { scope: connectionName(job, credential), allow: [] }
  return http2.call({ ...call, body: encodePayload(payload) }, guest)
}

/** The text of a body, which devices share; a field of the payload would be stored with it. */
const texts = new WeakMap<Payload, string>()

function encodePayload(payload: Payload): string {
  const text = texts.get(payload) ?? JSON.stringify(payload.body)
  texts.set(payload, text)
  return text
}

function outcomeFor(answer: OutboundAnswer, nowMs: number): DeliveryOutcome {
  const { status, headers } = answer
  if (status === 200) {
    const id = shortenWords(headers['apns-id'])
    return { kind: 'accepted', answer: 'APNs 200', ...(id === '' ? {} : { providerId: id }) }
  }
  const { reason, timestamp } = parseBody(answer)
  const code = shortenWords(reason)
  // New tokens would be refused, too, until that time has passed.
  const updates =
    code === 'TooManyProviderTokenUpdates' ? notificationLimits.pushApnsTokenMsMin : undefined
  return toOutcome({
    verdict: verdictFor(apnsVerdicts, code, status),
    reason: `APNs ${status} ${code}`.trimEnd(),
    afterMs: retryAfterMs(answer, nowMs) ?? updates,
    sinceMs: typeof timestamp === 'number' ? timestamp : undefined,
  })
}
