import { createHmac } from 'node:crypto'
import type { TestContext } from 'node:test'
import { openWeb, type WebAnswer, type WebRequest } from './web.ts'

/*
 * Twilio's Messages API as its documents describe it, the signature of its status call-backs, and
 * a receiver of signed webhooks.
 */

type Text = { readonly sid: string; readonly form: URLSearchParams }

export type FakeTwilio = {
  readonly url: string
  /** Everything that was asked, as it came. */
  readonly requests: readonly WebRequest[]
  readonly account: { readonly sid: string; readonly authToken: string }
  readonly accepted: Text[]
  /** Codes that sendings to these numbers are answered with. */
  readonly numbers: Map<string, { status: number; code: number }>
  /** What the next sendings are told instead. */
  readonly troubles: WebAnswer[]
  latencyMs: number
}

export function twilioError(status: number, code: number): WebAnswer {
  const more_info = `https://www.twilio.com/docs/errors/${code}`
  const body = JSON.stringify({ code, message: 'Told in words.', more_info, status })
  return { status, headers: { 'content-type': 'application/json' }, body }
}

/** What `X-Twilio-Signature` says of a call. */
export function twilioSignature(
  authToken: string,
  url: string,
  fields: Readonly<Record<string, string>>,
): string {
  const pairs = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHmac('sha1', authToken)
    .update(url + pairs.flat().join(''))
    .digest('base64')
}

export async function fakeTwilio(t: Pick<TestContext, 'after'>): Promise<FakeTwilio> {
  const { url, requests } = await openWeb(t, async (request) => {
    if (fake.latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, fake.latencyMs))
    return fake.troubles.shift() ?? send(request)
  })
  const fake: FakeTwilio = {
    ...{ url, requests },
    account: { sid: `AC${'1'.repeat(32)}`, authToken: 'a-secret-token' },
    ...{ accepted: [], numbers: new Map(), troubles: [], latencyMs: 0 },
  }
  return fake

  function send({ method, url: path, headers, body }: WebRequest): WebAnswer {
    const { sid, authToken } = fake.account
    const basic = Buffer.from(`${sid}:${authToken}`).toString('base64')
    if (headers.authorization !== `Basic ${basic}`) return twilioError(401, 20003)
    const here = `/2010-04-01/Accounts/${sid}/Messages.json`
    if (method !== 'POST' || path !== here) return twilioError(404, 20404)
    const form = new URLSearchParams(body.toString())
    const [to, text] = [form.get('To'), form.get('Body')]
    if (to === null) return twilioError(400, 21604)
    if (!/^\+[1-9]\d{6,14}$/.test(to)) return twilioError(400, 21211)
    if (!form.has('From') && !form.has('MessagingServiceSid')) return twilioError(400, 21603)
    if (text === null && !form.has('MediaUrl')) return twilioError(400, 21602)
    if ((text ?? '').length > 1_600) return twilioError(400, 21617)
    const known = fake.numbers.get(to)
    if (known !== undefined) return twilioError(known.status, known.code)
    const message = { sid: `SM${String(fake.accepted.length).padStart(32, '0')}`, form }
    fake.accepted.push(message)
    const said = { sid: message.sid, status: 'queued', to, error_code: null }
    return { status: 201, body: JSON.stringify(said) }
  }
}

export type Receiver = {
  readonly url: string
  readonly secret: string
  readonly accepted: { readonly id: string; readonly body: Record<string, unknown> }[]
  readonly troubles: WebAnswer[]
  nowS: () => number
}

/** Takes what is signed with its secret and at most five minutes old; an id counts once. */
export async function webhookReceiver(t: Pick<TestContext, 'after'>): Promise<Receiver> {
  const key = Buffer.alloc(32, 7)
  const { url } = await openWeb(t, ({ headers, body }) => {
    const trouble = receiver.troubles.shift()
    if (trouble !== undefined) return trouble
    const id = String(headers['webhook-id'])
    const time = String(headers['webhook-timestamp'])
    const text = Buffer.concat([Buffer.from(`${id}.${time}.`), body])
    const wanted = `v1,${createHmac('sha256', key).update(text).digest('base64')}`
    if (headers['webhook-signature'] !== wanted) return { status: 401 }
    if (Math.abs(receiver.nowS() - Number(time)) > 300) return { status: 401 }
    if (!receiver.accepted.some((one) => one.id === id)) {
      receiver.accepted.push({ id, body: JSON.parse(body.toString()) })
    }
    return { status: 202, body: JSON.stringify({ id: 'receipt-1' }) }
  })
  const secret = `whsec_${key.toString('base64')}`
  const receiver: Receiver = {
    ...{ url: `${url}/sms`, secret, accepted: [], troubles: [] },
    nowS: () => Date.now() / 1_000,
  }
  return receiver
}
