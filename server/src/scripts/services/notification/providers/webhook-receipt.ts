import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { parseJsonObject } from '../../../../foundation/kernel/index.ts'
import { notificationLimits } from '../limits.ts'
import type { Receipt } from '../sending/channel.ts'
import { shortenWords } from './outcome.ts'

type Meaning = Pick<Receipt, 'state' | 'progress'>

const meanings: Readonly<Record<string, Meaning>> = {
  sent: { state: 'underway', progress: 1 },
  delivered: { state: 'delivered', progress: 10 },
  failed: { state: 'failed', progress: 10 },
}

export type WebhookCall = {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly nowS: number
}

/**
 * Reads a receipt `{id, status, reason}`. Undefined if it is not signed with the secret as webhooks
 * are, or not within minutes of now.
 */
export function readWebhookReceipt(called: WebhookCall, secret: string): Receipt | undefined {
  if (!isSigned(called, secret)) return undefined
  const { id, status, reason } = parseJsonObject(called.body) ?? {}
  const word = shortenWords(status)
  const meaning = Object.hasOwn(meanings, word) ? meanings[word] : undefined
  const providerId = shortenWords(id)
  if (meaning === undefined || providerId === '') return undefined
  const answer = `Webhook ${word} ${shortenWords(reason)}`.trimEnd()
  return { channel: 'sms', providerId, answer, ...meaning }
}

function isSigned({ headers, body, nowS }: WebhookCall, secret: string): boolean {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    String(headers[`webhook-${name}`] ?? ''),
  )
  const awayS = Math.abs(nowS - Number(timestamp))
  if (!/^\d{1,12}$/.test(timestamp ?? '') || awayS > notificationLimits.notificationReceiptSkewS)
    return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  return (signatures ?? '').split(' ').some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ''), 'base64')
    return (
      one.startsWith('v1,') && given.length === expected.length && timingSafeEqual(given, expected)
    )
  })
}
