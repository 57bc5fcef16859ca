import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Receipt } from '../sending/channel.ts'
import { shortenWords } from './outcome.ts'

const states: Readonly<Record<string, Receipt['state']>> = {
  delivered: 'delivered',
  read: 'delivered',
  failed: 'failed',
  undelivered: 'failed',
  canceled: 'failed',
}

/** In the order in which a message goes through them. */
const steps = ['', 'accepted', 'scheduled', 'queued', 'sending', 'sent']
const final = steps.length

export type StatusCallback = {
  /** As it was given as `StatusCallback`, query included. */
  readonly url: string
  readonly form: URLSearchParams
  /** `X-Twilio-Signature`. */
  readonly signature: string
}

/**
 * Reads a status call-back. Undefined if it is not signed with the account's token. The
 * signature is over the URL and the form's fields in the order of their names.
 */
export function readReceipt(called: StatusCallback, authToken: string): Receipt | undefined {
  const { url, form, signature } = called
  if (authToken === '') return undefined
  const names = [...new Set(form.keys())].sort()
  const said = names.map((name) => [...new Set(form.getAll(name))].sort().map((one) => name + one))
  const text = url + said.flat().join('')
  const expected = createHmac('sha1', authToken).update(text).digest()
  const given = Buffer.from(signature, 'base64')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const providerId = form.get('MessageSid') ?? form.get('SmsSid') ?? ''
  const status = shortenWords(form.get('MessageStatus') ?? form.get('SmsStatus') ?? '')
  if (providerId === '') return undefined
  const code = shortenWords(form.get('ErrorCode') ?? '')
  const answer = `Twilio ${status} ${code}`.trimEnd()
  const known = Object.hasOwn(states, status) ? states[status] : undefined
  const progress = known === undefined ? Math.max(0, steps.indexOf(status)) : final
  return { channel: 'sms', providerId, state: known ?? 'underway', answer, progress }
}
