import { type Clock, StrictObject, Type } from '../../../../foundation/kernel/index.ts'
import type { Outbound, OutboundAnswer } from '../../../../foundation/outbound/index.ts'
import { definitions } from '../payload/channels.ts'
import { requireSender } from '../payload/sms.ts'
import type { DeliveryOutcome, NotificationJob, Provider } from '../sending/channel.ts'
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
import { baseUrl, chooseBaseUrl, createSettings, pickTexts, setting, wrongUrl } from './settings.ts'

/** The verdicts of the Messages API's codes. */
export const twilioVerdicts: Verdicts = {
  21211: 'suspect',
  21217: 'suspect',
  21614: 'suspect',
  30005: 'prune',
  30006: 'prune',
  20429: 'slow',
  20500: 'retry',
  20503: 'busy',
  21611: 'slow',
  30001: 'slow',
  52108: 'busy',
  30003: 'retry',
  30008: 'retry',
  20003: 'misconfigured',
  20404: 'misconfigured',
  21212: 'misconfigured',
  21408: 'refuse',
  21602: 'refuse',
  21603: 'misconfigured',
  21606: 'misconfigured',
  21610: 'refuse',
  21612: 'refuse',
  21617: 'refuse',
  21620: 'refuse',
  21703: 'misconfigured',
  30002: 'misconfigured',
  30004: 'refuse',
  30007: 'refuse',
}

const twilios = 'https://api.twilio.com'

export const twilioSettings = StrictObject({
  StatusCallback: Type.Optional(setting('Status callback', 'The URL for receipts.', wrongUrl)),
  BaseUrl: baseUrl,
})

const readSettings = createSettings(twilioSettings, 'sms')

export type TwilioOptions = { readonly outbound: Pick<Outbound, 'call'>; readonly clock: Clock }

/** SMS by Twilio's Messages API, with the account of the service. */
export function createTwilio({ outbound, clock }: TwilioOptions): Provider {
  return {
    channel: 'sms',
    name: 'twilio',
    configure: readSettings,
    schema: twilioSettings,
    map: (message, target) => requireSender(definitions.sms.map(message, target)),
    async deliver(job) {
      const { sid, authToken } = job.account
      if (sid === '' || authToken === '') {
        return { kind: 'refused', reason: 'Twilio: AccountSid and AuthToken are not configured' }
      }
      try {
        const answer = await outbound.call(makeCall(job), guestFor(job))
        return outcomeFor(answer, clock.nowMs())
      } catch (error) {
        return outcomeOfFailure('Twilio', error, job.signal)
      }
    },
  }
}

function makeCall(job: NotificationJob) {
  const { account, settings } = job
  const base = chooseBaseUrl({ shown: pickTexts(settings.shown), secret: {} }, twilios)
  const basic = Buffer.from(`${account.sid}:${account.authToken}`).toString('base64')
  return {
    ...callFor(job),
    method: 'POST',
    url: `${base}/2010-04-01/Accounts/${encodeURIComponent(account.sid)}/Messages.json`,
    headers: {
      authorization: `Basic ${basic}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: String(makeForm(job)),
  } as const
}

/** The fields of the payload, lists repeated. Its own StatusCallback has priority. */
function makeForm({ payload, settings, receiptsUrl }: NotificationJob): URLSearchParams {
  const form = new URLSearchParams()
  const { StatusCallback = receiptsUrl } = pickTexts(settings.shown)
  const usual = StatusCallback === undefined ? {} : { StatusCallback }
  for (const [name, value] of Object.entries({ ...usual, ...payload.body })) {
    for (const one of Array.isArray(value) ? value : [value]) form.append(name, String(one))
  }
  return form
}

function outcomeFor(answer: OutboundAnswer, nowMs: number): DeliveryOutcome {
  const { status } = answer
  const { sid, status: state, code, message } = parseBody(answer)
  if (status === 200 || status === 201) {
    const id = shortenWords(sid)
    const said = `Twilio ${status} ${shortenWords(state)}`.trimEnd()
    return { kind: 'accepted', answer: said, ...(id === '' ? {} : { providerId: id }) }
  }
  const words = shortenWords(message)
  return toOutcome({
    verdict: verdictFor(twilioVerdicts, shortenWords(code), status),
    reason: `Twilio ${status} ${shortenWords(code)}${words === '' ? '' : `: ${words}`}`.trimEnd(),
    afterMs: retryAfterMs(answer, nowMs),
  })
}
