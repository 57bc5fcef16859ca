import {
  type Clock,
  isJsonObject,
  parseJsonObject,
  StrictObject,
  Type,
} from '../../../../foundation/kernel/index.ts'
import type { Outbound, OutboundAnswer } from '../../../../foundation/outbound/index.ts'
import { notificationLimits } from '../limits.ts'
import { definitions } from '../payload/channels.ts'
import type {
  DeliveryOutcome,
  NotificationJob,
  Payload,
  Provider,
  ProviderSettings,
} from '../sending/channel.ts'
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
  matches,
  pickTexts,
  secretSetting,
  setting,
} from './settings.ts'

/** The verdicts of the Send API's codes, those with a sub-code as `code_subcode`. */
export const messengerVerdicts: Verdicts = {
  '100_2018001': 'suspect',
  1: 'retry',
  2: 'retry',
  1200: 'retry',
  4: 'slow',
  17: 'slow',
  32: 'slow',
  613: 'slow',
  80006: 'slow',
  10: 'refuse',
  100: 'refuse',
  368: 'refuse',
  551: 'refuse',
  '10_2018278': 'refuse',
  '200_1545041': 'refuse',
  3: 'misconfigured',
  102: 'misconfigured',
  190: 'misconfigured',
  200: 'misconfigured',
  230: 'misconfigured',
}

const graph = 'https://graph.facebook.com'
const currentVersion = 'v25.0'

export const messengerSettings = StrictObject({
  // In a header, so of the letters that one may hold.
  PageAccessToken: secretSetting(
    'Page access token',
    'The token of the page.',
    matches(/^[\x21-\x7e]+$/, 'a token'),
  ),
  ApiVersion: Type.Optional(
    setting('API version', 'The version of the API.', matches(/^v\d{1,3}\.\d$/, 'like v25.0')),
  ),
  MessageTag: Type.Optional(
    setting('Message tag', 'The tag of each message.', matches(/^[A-Z_]+$/, 'the name of a tag')),
  ),
  BaseUrl: baseUrl,
})

const readSettings = createSettings(messengerSettings, 'vendor-messenger')

export type MessengerOptions = { readonly outbound: Pick<Outbound, 'call'>; readonly clock: Clock }

/** The messenger platform's Send API, as one page. */
export function createMessenger({ outbound, clock }: MessengerOptions): Provider {
  return {
    channel: 'vendor-messenger',
    name: 'messenger',
    configure: readSettings,
    schema: messengerSettings,
    map: (message, target, settings) =>
      tagged(definitions['vendor-messenger'].map(message, target), settings),
    async deliver(job) {
      try {
        const answer = await outbound.call(makeCall(job), guestFor(job))
        return outcomeFor(answer, clock.nowMs())
      } catch (error) {
        return outcomeOfFailure('Messenger', error, job.signal)
      }
    },
  }
}

/** Past a day since the person last wrote, the platform takes only what has a tag. */
function tagged({ headers, body }: Payload, { shown }: ProviderSettings): Payload {
  const { MessageTag: tag } = pickTexts(shown)
  if (tag === undefined) return { headers, body }
  return { headers, body: { ...body, messaging_type: 'MESSAGE_TAG', tag } }
}

/** The token goes into a header: proxies log URLs. */
function makeCall(job: NotificationJob) {
  const { settings, payload } = job
  const shown = pickTexts(settings.shown)
  const { PageAccessToken = '' } = pickTexts(settings.secret)
  const base = chooseBaseUrl({ shown, secret: {} }, graph)
  return {
    ...callFor(job),
    method: 'POST',
    url: `${base}/${shown.ApiVersion ?? currentVersion}/me/messages`,
    headers: { authorization: `Bearer ${PageAccessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(payload.body),
  } as const
}

function outcomeFor(answer: OutboundAnswer, nowMs: number): DeliveryOutcome {
  const { status } = answer
  const { message_id, error } = parseBody(answer)
  if (status === 200 && error === undefined) {
    const id = shortenWords(message_id)
    return { kind: 'accepted', answer: 'Messenger 200', ...(id === '' ? {} : { providerId: id }) }
  }
  const { code, error_subcode: sub, message } = isJsonObject(error) ? error : {}
  const both = `${shortenWords(code)}_${shortenWords(sub)}`
  const known = Object.hasOwn(messengerVerdicts, both) ? both : shortenWords(code)
  const words = shortenWords(message)
  const said = sub === undefined ? shortenWords(code) : `${shortenWords(code)}/${shortenWords(sub)}`
  return toOutcome({
    verdict: verdictFor(messengerVerdicts, known, status),
    reason: `Messenger ${status} ${said}${words === '' ? '' : `: ${words}`}`.trimEnd(),
    afterMs: retryAfterMs(answer, nowMs) ?? regainMs(answer),
  })
}

const msPerMinute = 60_000

/** The time until the page may send again, if the platform's usage header has it. */
function regainMs({ headers }: OutboundAnswer): number | undefined {
  const usage = parseJsonObject(String(headers['x-business-use-case-usage'] ?? '')) ?? {}
  const minutes = Object.values(usage)
    .flatMap((one) => (Array.isArray(one) ? one : []))
    .map((one) => (isJsonObject(one) ? Number(one.estimated_time_to_regain_access) : 0))
    .filter((one) => one > 0)
  if (minutes.length === 0) return undefined
  return Math.min(Math.max(...minutes) * msPerMinute, notificationLimits.pushRetryAfterMsMax)
}
