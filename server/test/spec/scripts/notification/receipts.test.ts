import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import twilio from 'twilio'
import { notificationLimits } from '../../../../src/scripts/services/notification/index.ts'
import {
  type Answer,
  type NotificationFixture,
  notificationFixture,
} from '../../../fixtures/notification.ts'
import { askRest, type RestAnswer } from '../../../fixtures/peers/notify-rest.ts'
import {
  type FakeTwilio,
  fakeTwilio,
  type Receiver,
  webhookReceiver,
} from '../../../fixtures/peers/push-sms.ts'
import { openWeb } from '../../../fixtures/peers/web.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

/** The URL that others outside get, though the platform listens elsewhere: a proxy stands there. */
const notifyUrl = 'https://notify.example.com'
const Sms = { from: '+15550009999' }

type Fields = Record<string, string>
type Sent = { readonly sid: string; readonly providerId: string }

function assertCoded(answer: RestAnswer, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.json?.code, answer.json?.status], [status, code, status])
  assert.match(answer.json.message, /\S/)
}

let fixture: NotificationFixture

let fake: FakeTwilio

let receiver: Receiver

const shareInstance = sharedBySuites(async (suite) => {
  fixture = await notificationFixture(suite, {
    own: 'sets the URL of receipts',
    config: { notifyUrl },
  })
  fake = await fakeTwilio(suite)
  receiver = await webhookReceiver(suite)
  const AuthToken = fake.account.authToken
  const account = { AccountSid: fake.account.sid, AuthToken }
  const sms = { provider: 'twilio', BaseUrl: fake.url }
  await fixture.subscribe('pump', 'notification', { ...account, Providers: { sms } })
  await fixture.bind('sms', { Endpoint: 'bob' })
  await fixture.solution('hook')
  const webhook = { provider: 'webhook', Url: receiver.url, Secret: receiver.secret }
  await fixture.subscribe('hook', 'notification', { Providers: { sms: webhook } })
  const Address = '+15551230002'
  const binding = { Endpoint: 'eve', Identity: 'eve', BindingType: 'sms', Address }
  assert.ok((await fixture.call('createBinding', binding, 'hook')).sid)
})

const outcome = async (solution: string, { sid }: Pick<Sent, 'sid'>) => {
  const { states, deliveries } = await fixture.settled(sid, solution)
  const [one] = deliveries as Answer[]
  const reported = one.timeline.slice(3).map((moment: Answer) => [moment.event, moment.text])
  return { state: one.state, failed: states.failed, reported }
}

async function send(solution = 'pump'): Promise<Sent> {
  const { sid } = await fixture.call('send', { Tag: 'all', Body: 'hot', Sms }, solution)
  const { deliveries } = await fixture.settled(sid, solution)
  assert.equal(deliveries[0].state, 'sent')
  return { sid, providerId: deliveries[0].provider_id }
}

const twilioPath = '/v1/Receipts/pump/twilio'

type Forgery = { url?: string; token?: string; path?: string; signature?: string; form?: string }

function report(fields: Fields, how: Forgery = {}): Promise<RestAnswer> {
  const { token = fake.account.authToken, url = `${notifyUrl}${twilioPath}` } = how
  const signed = twilio.getExpectedTwilioSignature(token, url, fields)
  assert.ok(twilio.validateRequest(token, signed, url, fields))
  return askRest(fixture.millrace.httpUrl, how.path ?? twilioPath, {
    method: 'POST',
    auth: null,
    form: how.form ?? fields,
    headers: { 'X-Twilio-Signature': how.signature ?? signed },
  })
}

const status = ({ providerId }: Sent, MessageStatus: string, more: Fields = {}) => ({
  AccountSid: fake.account.sid,
  MessageSid: providerId,
  MessageStatus,
  ApiVersion: '2010-04-01',
  From: '+15550009999',
  To: '+15551230001',
  ...more,
})

describe('notification: receipts of Twilio, as its own package signs them', () => {
  shareInstance()

  test('each text requests receipts at the public URL, unless it names another', async () => {
    await send()
    assert.equal(fake.accepted.at(-1)?.form.get('StatusCallback'), `${notifyUrl}${twilioPath}`)
    const own = { ...Sms, status_callback: 'https://own.example.com/receipts' }
    const { sid } = await fixture.call('send', { Tag: 'all', Body: 'hot', Sms: own })
    await fixture.settled(sid)
    assert.equal(fake.accepted.at(-1)?.form.get('StatusCallback'), own.status_callback)
  })

  test('the timeline shows that a text was delivered', async () => {
    const sent = await send()
    for (const one of ['queued', 'sent', 'delivered']) {
      const answer = await report(status(sent, one))
      assert.deepEqual([answer.status, answer.json], [204, undefined])
    }
    assert.deepEqual(await outcome('pump', sent), {
      state: 'sent',
      failed: 0,
      reported: [
        ['answer', 'Twilio queued'],
        ['answer', 'Twilio sent'],
        ['delivered', 'Twilio delivered'],
      ],
    })
  })

  test('the timeline shows that a text failed, and why', async () => {
    const sent = await send()
    const answer = await report(status(sent, 'undelivered', { ErrorCode: '30005' }))
    assert.equal(answer.status, 204)
    assert.deepEqual(await outcome('pump', sent), {
      state: 'failed',
      failed: 1,
      reported: [['failed', 'Twilio undelivered 30005']],
    })
    const { faults } = await fixture.millrace.platform.eventlog.ledger.verify()
    assert.deepEqual(faults, [])
  })

  test('a port that the signer wrote or left out does not matter', async () => {
    const sent = await send()
    const at = (url: string, one: string) =>
      report(status(sent, one), { url: `${url}${twilioPath}` })
    assert.equal((await at('https://notify.example.com:443', 'queued')).status, 204)
    assert.equal((await at(notifyUrl, 'sent')).status, 204)
  })

  test('the URL of the configuration counts as well, where a proxy stands', async () => {
    await fixture.solution('proxied')
    const StatusCallback = 'https://www.example.com/texts?of=pump'
    const sms = { provider: 'twilio', BaseUrl: fake.url, StatusCallback }
    const { sid: AccountSid, authToken: AuthToken } = fake.account
    const body = { AccountSid, AuthToken, Providers: { sms } }
    await fixture.subscribe('proxied', 'notification', body)
    const binding = { Endpoint: 'fay', Identity: 'fay', BindingType: 'sms' }
    await fixture.call('createBinding', { ...binding, Address: '+15551230003' }, 'proxied')
    const sent = await send('proxied')
    const how = { path: '/v1/Receipts/proxied/twilio', url: StatusCallback }
    assert.equal((await report(status(sent, 'delivered'), how)).status, 204)
  })

  test('one that overtakes the answer to its text is stored', async (t) => {
    await fixture.solution('fast')
    let answered: Promise<RestAnswer> | undefined
    const sid = `SM${'a'.repeat(32)}`
    const at = '/v1/Receipts/fast/twilio'
    const web = await openWeb(t, async () => {
      const fields = status({ sid: '', providerId: sid }, 'sent')
      answered = report(fields, { path: at, url: `${notifyUrl}${at}` })
      // The receipt is received before the answer is given.
      await pause(notificationLimits.notificationReceiptPauseMs)
      return { status: 201, body: JSON.stringify({ sid, status: 'queued' }) }
    })
    const { sid: AccountSid, authToken: AuthToken } = fake.account
    const sms = { provider: 'twilio', BaseUrl: web.url }
    const body = { AccountSid, AuthToken, Providers: { sms } }
    await fixture.subscribe('fast', 'notification', body)
    const binding = { Endpoint: 'gus', Identity: 'gus', BindingType: 'sms' }
    await fixture.call('createBinding', { ...binding, Address: '+15551230004' }, 'fast')
    const sent = await send('fast')
    assert.equal((await answered)?.status, 204)
    assert.deepEqual((await outcome('fast', sent)).reported, [['answer', 'Twilio sent']])
  })
})

describe('notification: receipts of Twilio that change nothing', () => {
  shareInstance()

  test('one that is forged changes nothing', async () => {
    const sent = await send()
    const fields = status(sent, 'delivered')
    const form = new URLSearchParams({ ...fields, To: '+15559999999' }).toString()
    const forged: Forgery[] = [
      { token: 'another token' },
      { signature: '' },
      { signature: 'AAAA' },
      { form },
      { url: `https://evil.example.com${twilioPath}` },
      { url: `${notifyUrl}${twilioPath}?more=1` },
      { path: `${twilioPath}?more=1` },
      { path: '/v1/Receipts/hook/twilio' },
      { path: '/v1/Receipts/nobody/twilio' },
      { path: '/v1/Receipts/pump/webhook' },
    ]
    for (const one of forged) assertCoded(await report(fields, one), 403, 'forbidden')
    assert.deepEqual(await outcome('pump', sent), { state: 'sent', failed: 0, reported: [] })
  })

  test('one that is replayed, or comes late, changes nothing', async () => {
    const sent = await send()
    assert.equal((await report(status(sent, 'sent'))).status, 204)
    assertCoded(await report(status(sent, 'sent')), 200, 'outdated')
    assertCoded(await report(status(sent, 'queued')), 200, 'outdated')
    assert.equal((await report(status(sent, 'delivered'))).status, 204)
    for (const late of ['delivered', 'sent', 'undelivered', 'failed', 'of the future']) {
      assertCoded(await report(status(sent, late)), 200, 'outdated')
    }
    const reported = [
      ['answer', 'Twilio sent'],
      ['delivered', 'Twilio delivered'],
    ]
    assert.deepEqual(await outcome('pump', sent), { state: 'sent', failed: 0, reported })
  })

  test('one of a text that nobody sent is rejected', async () => {
    const fields = { MessageSid: `SM${'f'.repeat(32)}`, MessageStatus: 'delivered' }
    assertCoded(await report(fields), 404, 'not_found')
  })

  test('a solution cannot change the texts of another one', async () => {
    const sent = await send()
    const otherOwner = await fixture.otherOwner()
    await fixture.solution('thief', otherOwner)
    const AuthToken = 'of the thief'
    const body = { AccountSid: fake.account.sid, AuthToken }
    await fixture.subscribe('thief', 'notification', body, otherOwner)
    const at = '/v1/Receipts/thief/twilio'
    const how = { path: at, url: `${notifyUrl}${at}`, token: AuthToken }
    assertCoded(await report(status(sent, 'delivered'), how), 404, 'not_found')
    assert.deepEqual((await outcome('pump', sent)).reported, [])
  })

  test('what is no receipt is refused with its code', async () => {
    const ask = (method: string, form?: string) =>
      askRest(fixture.millrace.httpUrl, twilioPath, {
        method,
        auth: null,
        ...(form === undefined ? {} : { form }),
      })
    assertCoded(await ask('GET'), 405, 'method_not_allowed')
    const large = 'x'.repeat(notificationLimits.notificationReceiptBytesMax + 1)
    assertCoded(await ask('POST', large), 413, 'too_large')
    assertCoded(await ask('POST', ''), 403, 'forbidden')
    const other = await askRest(fixture.millrace.httpUrl, '/v1/Receipts/pump/owl', {
      method: 'POST',
    })
    assertCoded(other, 404, 'not_found')
  })
})

describe('notification: receipts of a webhook, signed as the webhook was', () => {
  shareInstance()

  const path = '/v1/Receipts/hook/webhook'
  type Forgery = { atS?: number; secret?: string; signature?: string; signed?: string }

  function report(said: object, how: Forgery = {}): Promise<RestAnswer> {
    const { atS = fixture.millrace.clock.nowMs() / 1_000, secret = receiver.secret } = how
    const [id, time, body] = ['msg_1', String(Math.floor(atS)), JSON.stringify(said)]
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    const text = `${id}.${time}.${how.signed ?? body}`
    const own = `v1,${createHmac('sha256', key).update(text).digest('base64')}`
    return askRest(fixture.millrace.httpUrl, path, {
      method: 'POST',
      auth: null,
      form: body,
      headers: {
        'Content-Type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': time,
        'webhook-signature': how.signature ?? `v1,AAAA ${own}`,
      },
    })
  }

  test('it gets the URL for receipts, and reports the outcome', async () => {
    const sent = await send('hook')
    const body = receiver.accepted.at(-1)?.body
    assert.equal(body?.StatusCallback, `${notifyUrl}${path}`)
    assert.equal(sent.providerId, 'receipt-1')
    assert.equal((await report({ id: sent.providerId, status: 'sent' })).status, 204)
    const failed = { id: sent.providerId, status: 'failed', reason: 'no such number' }
    assert.equal((await report(failed)).status, 204)
    assertCoded(await report(failed), 200, 'outdated')
    assert.deepEqual(await outcome('hook', sent), {
      state: 'failed',
      failed: 1,
      reported: [
        ['answer', 'Webhook sent'],
        ['failed', 'Webhook failed no such number'],
      ],
    })
  })

  test('a way without ids of its own names the one that it was given', async () => {
    receiver.failures.push({ status: 202, body: '' })
    const sent = await send('hook')
    assert.match(sent.providerId, /^[0-9a-f]{8}-[0-9a-f-]{27}$/)
    assert.equal((await report({ id: sent.providerId, status: 'delivered' })).status, 204)
    assert.deepEqual((await outcome('hook', sent)).reported, [['delivered', 'Webhook delivered']])
  })

  test('one that is forged, old, or empty changes nothing', async () => {
    receiver.failures.push({ status: 202, body: '' })
    const sent = await send('hook')
    const said = { id: sent.providerId, status: 'delivered' }
    const nowS = fixture.millrace.clock.nowMs() / 1_000
    const skew = notificationLimits.notificationReceiptSkewS + 60
    const forged: [object, Forgery][] = [
      [said, { secret: `whsec_${Buffer.alloc(32, 9).toString('base64')}` }],
      [said, { signature: '' }],
      [said, { signed: '{}' }],
      [said, { atS: nowS - skew }],
      [said, { atS: nowS + skew }],
      [{ ...said, status: 'lost' }, {}],
      [{ status: 'delivered' }, {}],
    ]
    for (const [one, how] of forged) assertCoded(await report(one, how), 403, 'forbidden')
    assert.deepEqual((await outcome('hook', sent)).reported, [])
    assertCoded(await report({ id: 'nobody', status: 'delivered' }), 404, 'not_found')
  })
})
