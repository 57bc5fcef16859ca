import assert from 'node:assert/strict'
import { before, describe, type TestContext, test } from 'node:test'
import {
  createMessenger,
  messengerVerdicts,
} from '../../../../src/scripts/services/notification/providers/index.ts'
import { type NotificationFixture, notificationFixture } from '../../../fixtures/notification.ts'
import {
  handClock,
  outboundClients,
  pushJob,
  verdictsHold,
} from '../../../fixtures/peers/push-job.ts'
import {
  type FakeMessenger,
  fakeMessenger,
  messengerError,
} from '../../../fixtures/peers/push-messenger.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

const address = '1234567890'

async function messengerFixture(t: TestContext) {
  const fake = await fakeMessenger(t)
  const channel = createMessenger({ ...outboundClients(t), clock: handClock() })
  const given = { PageAccessToken: fake.token, BaseUrl: fake.url }
  const settings = channel.configure(given, undefined)
  const send = (over: Partial<Parameters<typeof pushJob>[2]> = {}) =>
    channel.deliver(pushJob(channel, settings, { address, ...over }))
  return { fake, channel, given, settings, send }
}

test('the generic Body goes to the person of the binding, in the page’s name', async (t) => {
  const { fake, send } = await messengerFixture(t)
  const taken = { kind: 'accepted', answer: 'Messenger 200', providerId: 'm_1' }
  assert.deepEqual(await send(), taken)
  assert.deepEqual(fake.accepted, [
    {
      messaging_type: 'UPDATE',
      recipient: { id: address },
      message: { text: 'Valve 7 is shut.' },
    },
  ])
  assert.deepEqual(fake.paths, ['/v25.0/me/messages'])
  assert.equal((await send({ address: '+4930123' })).kind, 'accepted')
  assert.deepEqual(fake.accepted[1]?.recipient, { phone_number: '+4930123' })
})

test('a tag of the settings stands in what is sent, and so does a version', async (t) => {
  const { fake, channel, given, send } = await messengerFixture(t)
  const more = { ...given, MessageTag: 'ACCOUNT_UPDATE', ApiVersion: 'v21.0' }
  const settings = channel.configure(more, undefined)
  assert.equal((await channel.deliver(pushJob(channel, settings, { address }))).kind, 'accepted')
  assert.deepEqual(fake.accepted[0], {
    messaging_type: 'MESSAGE_TAG',
    tag: 'ACCOUNT_UPDATE',
    recipient: { id: address },
    message: { text: 'Valve 7 is shut.' },
  })
  assert.deepEqual(fake.paths, ['/v21.0/me/messages'])
  assert.equal((await send()).kind, 'accepted')
})

test('an unknown recipient prunes, within limits; who blocked the page does not', async (t) => {
  const { fake, send } = await messengerFixture(t)
  fake.people.set(address, messengerError(400, 100, 2018001))
  assert.deepEqual(await send(), {
    kind: 'invalid_address',
    suspect: true,
    reason: 'Messenger 400 100/2018001: Told in words.',
  })
  fake.people.set(address, messengerError(400, 551, 1545041))
  const reason = 'Messenger 400 551/1545041: Told in words.'
  assert.deepEqual(await send(), { kind: 'refused', reason })
})

test('a rejected token is a fault of the configuration, and is not shown', async (t) => {
  const { channel, given, send } = await messengerFixture(t)
  const settings = channel.configure({ ...given, PageAccessToken: 'a-wrong-one' }, undefined)
  const outcome = await send({ settings })
  const reason = 'Messenger 401 190: Told in words.'
  assert.deepEqual(outcome, { kind: 'refused', reason, misconfigured: true })
  assert.ok(!JSON.stringify(outcome).includes('a-wrong-one'))
})

test('a platform that throttles is backed off from, also if the time is in a header', async (t) => {
  const { fake, send } = await messengerFixture(t)
  const slow = messengerError(400, 613)
  const usage = JSON.stringify({ 7: [{ type: 'messenger', estimated_time_to_regain_access: 5 }] })
  const usageHeaders = { ...slow.headers, 'x-business-use-case-usage': usage }
  const retryAfter = { ...slow.headers, 'retry-after': '7' }
  fake.failures.push({ ...slow, headers: usageHeaders }, { ...slow, headers: retryAfter }, slow)
  const waits = [5 * 60_000, 7_000, undefined]
  for (const afterMs of waits) {
    const { kind, slow: all, afterMs: said } = (await send()) as Record<string, unknown>
    assert.deepEqual([kind, all, said], ['retry', true, afterMs])
  }
})

test('each code of the table has its documented outcome, for the messenger', async (t) => {
  const { fake, send } = await messengerFixture(t)
  const codes = await verdictsHold('Messenger', ({ status, code }) => {
    const [main, sub] = code.split('_').map(Number)
    fake.failures.push(messengerError(status, main ?? 0, sub))
    return send()
  })
  assert.deepEqual(codes, Object.keys(messengerVerdicts).sort())
  fake.failures.push({ status: 502 }, { status: 503 }, { status: 400 })
  const kinds = [await send(), await send(), await send()].map(({ kind }) => kind)
  assert.deepEqual(kinds, ['retry', 'retry', 'refused'])
})

test('settings of the messenger are checked, and the token is not shown', async (t) => {
  const { channel, given, settings } = await messengerFixture(t)
  assert.deepEqual(settings.shown, { BaseUrl: given.BaseUrl })
  assert.deepEqual(channel.configure({ BaseUrl: given.BaseUrl }, settings), settings)
  const wrong = [
    {},
    { ...given, PageAccessToken: 'two lines\n' },
    { ...given, ApiVersion: '25' },
    { ...given, MessageTag: 'a tag' },
    { ...given, BaseUrl: 'mailto:a@b.test' },
    { ...given, Colour: 'red' },
  ]
  for (const one of wrong) {
    assert.throws(() => channel.configure(one, undefined), { code: 'invalid_argument' })
  }
})

describe('notification: the messenger, from the script to the platform', () => {
  const suite = suiteContext()
  let fixture: NotificationFixture
  let fake: FakeMessenger
  before(async () => {
    fixture = await notificationFixture(suite)
    fake = await fakeMessenger(suite)
    const messenger = { provider: 'messenger', PageAccessToken: fake.token, BaseUrl: fake.url }
    const Providers = { 'vendor-messenger': { ...messenger, MessageTag: 'ACCOUNT_UPDATE' } }
    await fixture.subscribe('pump', 'notification', { Providers })
    await fixture.bind('vendor-messenger', { Tag: 'm' })
  })

  test('Body arrives, and the timeline has it', async () => {
    const { sid } = await fixture.call('send', { Tag: 'm', Body: 'Too hot', Title: 'left out' })
    const { deliveries } = await fixture.settled(sid)
    assert.deepEqual(fake.accepted.at(-1)?.message, { text: 'Too hot' })
    const [{ state, provider, provider_id, timeline }] = deliveries
    assert.deepEqual([state, provider, provider_id], ['sent', 'messenger', 'm_1'])
    const events = timeline.map(({ event, text }: Record<string, string>) => [event, text])
    assert.deepEqual(events, [
      ['queued', undefined],
      ['sent', 'messenger'],
      ['answer', 'Messenger 200'],
    ])
  })

  test('a text of 2,000 characters fits, one more is rejected, also by a dry run', async () => {
    const dry = async (length: number) => {
      const args = { Tag: 'm', Body: 'x'.repeat(length), dryRun: true }
      const { deliveries } = await fixture.call('send', args)
      const [{ unit, size, max, fits, body }] = deliveries
      assert.deepEqual([body.messaging_type, body.tag], ['MESSAGE_TAG', 'ACCOUNT_UPDATE'])
      return { unit, size, max, fits }
    }
    const measure = { unit: 'characters', max: 2_000 }
    assert.deepEqual(await dry(2_000), { ...measure, size: 2_000, fits: true })
    assert.deepEqual(await dry(2_001), { ...measure, size: 2_001, fits: false })
    const { sid } = await fixture.call('send', { Tag: 'm', Body: 'x'.repeat(2_000) })
    assert.equal((await fixture.settled(sid)).states.sent, 1)
    const over = await fixture.call('send', { Tag: 'm', Body: 'x'.repeat(2_001) })
    fixture.refused(over, 413, /^The payload for vendor-messenger has 2001 characters; 2000 are/)
  })

  test('the token is not shown', async () => {
    const { json } = await fixture.pump('GET', '/serviceconfig')
    assert.doesNotMatch(JSON.stringify(json), /page-token/)
  })
})
