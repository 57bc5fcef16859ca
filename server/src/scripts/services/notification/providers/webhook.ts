import { createHmac } from 'node:crypto'
import { type Clock, StrictObject } from '../../../../foundation/kernel/index.ts'
import type { Outbound, OutboundAnswer } from '../../../../foundation/outbound/index.ts'
import { definitions } from '../payload/channels.ts'
import type { DeliveryOutcome, NotificationJob, Provider } from '../sending/channel.ts'
import {
  type AnswerVerdict,
  callFor,
  guestFor,
  outcomeOfFailure,
  parseBody,
  retryAfterMs,
  shortenWords,
  toOutcome,
} from './outcome.ts'
import { createSettings, pickTexts, secretSetting, setting, wrongUrl } from './settings.ts'

const secretPattern = /^whsec_([A-Za-z0-9+/]+={0,2})$/
const secretBytes = { least: 24, most: 64 } as const

export const webhookSettings = StrictObject({
  Url: setting('URL', 'The URL that gets each message.', wrongUrl),
  Secret: secretSetting('Secret', 'The secret of the signature: `whsec_` and base64.', wrongSecret),
})

const readSettings = createSettings(webhookSettings, 'sms')

export type WebhookOptions = { readonly outbound: Pick<Outbound, 'call'>; readonly clock: Clock }

/** SMS by whatever stands at a URL, signed as webhooks are (standardwebhooks.com). */
export function createWebhook({ outbound, clock }: WebhookOptions): Provider {
  return {
    channel: 'sms',
    name: 'webhook',
    configure: readSettings,
    schema: webhookSettings,
    map: (message, target) => definitions.sms.map(message, target),
    async deliver(job) {
      try {
        const answer = await outbound.call(makeCall(job, clock.nowMs()), guestFor(job))
        return outcomeFor(answer, clock.nowMs(), job.id)
      } catch (error) {
        return outcomeOfFailure('Webhook', error, job.signal)
      }
    },
  }
}

/** The id is the same at every attempt: the receiver can deduplicate by it. */
function makeCall(job: NotificationJob, nowMs: number) {
  const { settings, payload, id, receiptsUrl } = job
  const { Url = '' } = pickTexts(settings.shown)
  const { Secret = '' } = pickTexts(settings.secret)
  const usual = receiptsUrl === undefined ? {} : { StatusCallback: receiptsUrl }
  const body = JSON.stringify({ ...usual, ...payload.body })
  const timestamp = String(Math.floor(nowMs / 1_000))
  const key = Buffer.from(secretPattern.exec(Secret)?.[1] ?? '', 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    ...callFor(job),
    method: 'POST',
    url: Url,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  } as const
}

function wrongSecret(text: string): string | undefined {
  const bytes = Buffer.from(secretPattern.exec(text)?.[1] ?? '', 'base64').length
  const { least, most } = secretBytes
  return bytes >= least && bytes <= most
    ? undefined
    : `whsec_ and ${least} to ${most} bytes in base64`
}

/** If the answer has no id, receipts have the id of the request. */
function outcomeFor(answer: OutboundAnswer, nowMs: number, ownId: string): DeliveryOutcome {
  const { status } = answer
  if (status >= 200 && status < 300) {
    const providerId = shortenWords(parseBody(answer).id) || ownId
    return { kind: 'accepted', answer: `Webhook ${status}`, providerId }
  }
  return toOutcome({
    verdict: webhookVerdict(status),
    reason: `Webhook ${status}`,
    afterMs: retryAfterMs(answer, nowMs),
  })
}

const busy = new Set([429, 503])
const later = new Set([408, 409, 425])
const setup = new Set([401, 403, 404])

function webhookVerdict(status: number): AnswerVerdict {
  // A URL that is gone answers the same for every number.
  if (status === 410) return 'suspect'
  if (busy.has(status)) return 'busy'
  if (setup.has(status)) return 'misconfigured'
  return status >= 500 || later.has(status) ? 'retry' : 'refuse'
}
