import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  createTwilio,
  createWebhook,
  readReceipt,
  twilioVerdicts,
} from '../../../../src/scripts/services/notification/providers/index.ts'
import {
  handClock,
  outboundClients,
  pushJob,
  verdictsHold,
} from '../../../fixtures/peers/push-job.ts'
import {
  fakeTwilio,
  twilioError,
  twilioSignature,
  webhookReceiver,
} from '../../../fixtures/peers/push-sms.ts'

const address = '+14155550100'

async function fixture(t: TestContext) {
  const fake = await fakeTwilio(t)
  const channel = createTwilio({ ...outboundClients(t), clock: handClock() })
  const settings = channel.configure({ BaseUrl: fake.url }, undefined)
  const { account } = fake
  const send = (over: Partial<Parameters<typeof pushJob>[2]> = {}) =>
    channel.deliver(pushJob(channel, settings, { address, account, ...over }))
  return { fake, channel, settings, send }
}

async function hooked(t: TestContext) {
  const receiver = await webhookReceiver(t)
  const clock = handClock()
  receiver.nowS = () => clock.ms / 1_000
  const channel = createWebhook({ ...outboundClients(t), clock })
  const given = { Url: receiver.url, Secret: receiver.secret }
  const settings = channel.configure(given, undefined)
  const send = (over: Partial<Parameters<typeof pushJob>[2]> = {}) =>
    channel.deliver(pushJob(channel, settings, { address, ...over }))
  return { receiver, clock, channel, given, settings, send }
}

test('a text goes out with the account, and its id is stored', async (t) => {
  const { fake, send } = await fixture(t)
  const providerId = `SM${'0'.repeat(32)}`
  assert.deepEqual(await send(), { kind: 'accepted', answer: 'Twilio 201 queued', providerId })
  assert.deepEqual(Object.fromEntries(fake.accepted[0]?.form ?? []), {
    To: address,
    From: '+15005550006',
    Body: 'Valve 7 is shut.',
  })
})

test('a list of media is repeated once for each, a messaging service replaces from', async (t) => {
  const { fake, send } = await fixture(t)
  const media = ['https://img.test/1.png', 'https://img.test/2.png']
  const MessagingServiceSid = `MG${'1'.repeat(32)}`
  await send({
    payload: { headers: {}, body: { To: address, MessagingServiceSid, MediaUrl: media } },
  })
  const form = fake.accepted[0]?.form
  assert.deepEqual(form?.getAll('MediaUrl'), media)
  assert.equal(form?.get('MessagingServiceSid'), MessagingServiceSid)
})

test('receipts go to the URL of the payload, else to that of the settings', async (t) => {
  const { fake, channel, send } = await fixture(t)
  const StatusCallback = 'https://millrace.test/receipts'
  const settings = channel.configure({ BaseUrl: fake.url, StatusCallback }, undefined)
  await send({ settings })
  const own = 'https://app.test/receipts'
  const body = { To: address, From: '+15005550006', Body: 'x', StatusCallback: own }
  await send({ settings, payload: { headers: {}, body } })
  const said = fake.accepted.map(({ form }) => form.getAll('StatusCallback'))
  assert.deepEqual(said, [[StatusCallback], [own]])
})

test('a number that is none prunes, and one that opted out is refused', async (t) => {
  const { fake, send } = await fixture(t)
  const none = await send({ address: 'not a number' })
  assert.equal(none.kind, 'invalid_address')
  fake.numbers.set(address, { status: 400, code: 21610 })
  const reason = 'Twilio 400 21610: Told in words.'
  assert.deepEqual(await send(), { kind: 'refused', reason })
})

test('a provider that throttles is backed off from, and one out of reach is retried', async (t) => {
  const { fake, channel, send } = await fixture(t)
  fake.failures.push({ ...twilioError(429, 20429), headers: { 'retry-after': '2' } })
  const outcome = await send()
  assert.deepEqual(outcome.kind === 'retry' && outcome.afterMs, 2_000)
  const nowhere = channel.configure({ BaseUrl: 'http://127.0.0.1:1' }, undefined)
  const lost = await send({ settings: nowhere })
  assert.deepEqual(lost, { kind: 'retry', reason: 'Twilio: it cannot be reached' })
  const inside = channel.configure({ BaseUrl: 'http://169.254.169.254' }, undefined)
  assert.equal((await send({ settings: inside })).kind, 'refused')
})

test('no outcome names the token, and without an account nothing is sent', async (t) => {
  const { fake, send } = await fixture(t)
  const wrong = { sid: fake.account.sid, authToken: 'wrong-token-7' }
  const outcome = await send({ account: wrong })
  assert.equal(outcome.kind, 'refused')
  assert.ok(!JSON.stringify(outcome).includes('wrong-token-7'))
  assert.equal((await send({ account: { sid: '', authToken: '' } })).kind, 'refused')
  assert.equal(fake.accepted.length, 0)
})

test('each code of the documented table has its documented outcome, for Twilio', async (t) => {
  const { fake, send } = await fixture(t)
  const codes = await verdictsHold('Twilio', ({ status, code }) => {
    fake.failures.push(twilioError(status, Number(code)))
    return send()
  })
  assert.deepEqual(codes, Object.keys(twilioVerdicts).sort())
})

test('a receipt is believed only where the account signed it', () => {
  const documented = {
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675309',
    Digits: '1234',
    From: '+14158675309',
    To: '+18005551212',
  }
  const example = 'https://mycompany.com/myapp.php?foo=1&bar=2'
  assert.equal(twilioSignature('12345', example, documented), 'RSOYDt4T1cUTdK1PDd93/VVr8B8=')

  const url = 'https://millrace.test/receipts?of=1'
  const called = (fields: Record<string, string>, token = 'secret') => ({
    url,
    form: new URLSearchParams(fields),
    signature: twilioSignature(token, url, fields),
  })
  const fields = { MessageSid: 'SM1', MessageStatus: 'undelivered', ErrorCode: '30003' }
  assert.deepEqual(readReceipt(called(fields), 'secret'), {
    channel: 'sms',
    providerId: 'SM1',
    state: 'failed',
    answer: 'Twilio undelivered 30003',
    progress: 6,
  })
  const state = (MessageStatus: string) =>
    readReceipt(called({ MessageSid: 'SM1', MessageStatus }), 'secret')?.state
  assert.deepEqual(['sent', 'delivered', 'failed'].map(state), ['underway', 'delivered', 'failed'])
  assert.equal(readReceipt(called(fields, 'other'), 'secret'), undefined)
  assert.equal(readReceipt({ ...called(fields), url: `${url}2` }, 'secret'), undefined)
  assert.equal(readReceipt({ ...called(fields), signature: '' }, 'secret'), undefined)
  assert.equal(readReceipt(called(fields, ''), ''), undefined)
})

test('a webhook is signed over id, time and body, with one id for all attempts', async (t) => {
  const { receiver, clock, send } = await hooked(t)
  const accepted = { kind: 'accepted', answer: 'Webhook 202', providerId: 'receipt-1' }
  assert.deepEqual(await send(), accepted)
  clock.ms += 600_000
  assert.deepEqual(await send({ attempts: 1 }), accepted)
  assert.deepEqual(
    receiver.accepted.map(({ body }) => body),
    [{ To: address, From: '+15005550006', Body: 'Valve 7 is shut.' }],
  )
  receiver.nowS = () => clock.ms / 1_000 + 600
  assert.deepEqual(await send(), { kind: 'refused', reason: 'Webhook 401', misconfigured: true })
})

test('Twilio needs a sender, a webhook has its own', async (t) => {
  const [twilio, webhook] = [await fixture(t), await hooked(t)]
  const none = { title: undefined, sound: undefined, action: undefined, data: undefined }
  const rest = { ttlS: 60, priority: 'high', overrides: {}, acceptedAtMs: 0 } as const
  const message = { body: 'b', ...none, ...rest }
  const target = { address, messagingServiceSid: undefined }
  const { body } = webhook.channel.map(message, target, webhook.settings)
  assert.deepEqual(body, { To: address, Body: 'b' })
  const map = () => twilio.channel.map(message, target, twilio.settings)
  assert.throws(map, { code: 'invalid_argument', message: /^from is missing in Sms/ })
})

test('each status of a webhook has its documented outcome', async (t) => {
  const { receiver, send } = await hooked(t)
  const codes = await verdictsHold('Webhook', async ({ status }) => {
    receiver.failures.push({ status, headers: { 'retry-after': '9' } })
    const outcome = await send()
    if (outcome.kind === 'retry') assert.equal(outcome.afterMs, 9_000)
    return outcome
  })
  assert.ok(codes.length > 8)
})

test('settings of both ways are checked, and the secret is not shown', async (t) => {
  const { channel, given, settings } = await hooked(t)
  const twilio = (await fixture(t)).channel
  assert.deepEqual(settings.shown, { Url: given.Url })
  assert.deepEqual(channel.configure({ Url: given.Url }, settings), settings)
  const refused = { code: 'invalid_argument' }
  assert.throws(() => channel.configure({ Url: given.Url }, undefined), refused)
  assert.throws(() => channel.configure({ ...given, Secret: 'whsec_c2hvcnQ=' }, undefined), refused)
  assert.throws(() => channel.configure({ ...given, Url: 'mailto:a@b.test' }, undefined), refused)
  assert.throws(() => twilio.configure({ AuthToken: 'here' }, undefined), refused)
  assert.throws(() => twilio.configure({ StatusCallback: 'here' }, undefined), refused)
})
