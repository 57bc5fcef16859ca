import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { until } from '../../fixtures/interface.ts'
import { type Answer, notificationFixture } from '../../fixtures/notification.ts'
import { fakeApns } from '../../fixtures/peers/push-apns.ts'
import { fakeFcm } from '../../fixtures/peers/push-fcm.ts'
import { assertFault } from '../../fixtures/solutions.ts'

test('a solution that configures APNs reaches devices, and loses those gone', async (t) => {
  const fixture = await notificationFixture(t)
  const fake = await fakeApns(t)
  const { keyId: KeyId, teamId: TeamId, topic: Topic, key: Key, url: BaseUrl } = fake
  const apn = { provider: 'apns', KeyId, TeamId, Topic, Key, BaseUrl }
  const id = await fixture.subscribe('pump', 'notification', { Providers: { apn } })
  const { json } = await fixture.pump('GET', `/serviceconfig/${id}`)
  assert.equal(json.parameters.Providers.apn.KeyId, KeyId)
  assert.doesNotMatch(JSON.stringify(json), /PRIVATE/)

  const gone = 'cd'.repeat(32)
  fake.gone.set(gone, Date.now() + 60_000)
  const kept = await fixture.bind('apn')
  const lost = await fixture.bind('apn', { Address: gone })
  const { sid } = await fixture.call('send', { Identity: 'ann', Body: 'It is too hot' })
  const { states } = await fixture.settled(sid)
  assert.deepEqual([states.sent, states.pruned], [1, 1])
  assert.deepEqual(
    fake.accepted.map(({ device, body }) => [device, body]),
    [[kept.address, { aps: { alert: { body: 'It is too hot' } } }]],
  )
  assert.equal((await fixture.call('getBinding', { BindingSid: kept.sid })).sid, kept.sid)
  fixture.refused(await fixture.call('getBinding', { BindingSid: lost.sid }), 404, /./)
})

/** A fleet of devices whose tokens APNs rejects, one after the other. */
async function rejectedFleet(t: TestContext, fleet: number) {
  const fixture = await notificationFixture(t)
  const fake = await fakeApns(t)
  const { keyId: KeyId, teamId: TeamId, topic: Topic, key: Key, url: BaseUrl } = fake
  const apn = { provider: 'apns', KeyId, TeamId, Topic, Key, BaseUrl, RatePerSecond: 1_000 }
  await fixture.subscribe('pump', 'notification', { Providers: { apn } })
  for (let at = 0; at < fleet; at += 1) {
    await fixture.bind('apn')
    fake.failures.push({ status: 400, reason: 'BadDeviceToken' })
  }
  const { sid } = await fixture.call('send', { Tag: 'apn', Body: 'b' })
  return { ...fixture, shown: await fixture.settled(sid) }
}

test('a wrong environment of APNs removes nobody', async (t) => {
  const fleet = 12
  const { shown, ...fixture } = await rejectedFleet(t, fleet)
  const { states, deliveries } = shown
  assert.deepEqual([states.failed, states.pruned], [fleet, 0])
  assert.match(deliveries[0].reason, /^APNs 400 BadDeviceToken; the binding stays: /)
  assert.equal((await fixture.call('listBinding', {})).bindings.length, fleet)
})

test('the operator gets a warning of a wrong environment of APNs', async (t) => {
  const fixture = await rejectedFleet(t, 12)
  const { json } = await fixture.pump('GET', '/notifications/channels')
  const [first, second] = json.channels
  const { fault, fault_at, ...rest } = first
  assert.match(fault, /^the configuration may be wrong: 1\d of the last 1\d answers say so/)
  assert.ok(fault_at > 0)
  assert.deepEqual(rest, {
    channel: 'apn',
    provider: 'apns',
    rate_per_second: 1_000,
    paused_until: null,
    pause_reason: null,
  })
  assert.deepEqual(second, {
    channel: 'fcm',
    provider: 'sink',
    rate_per_second: null,
    paused_until: null,
    pause_reason: null,
    fault: null,
    fault_at: null,
  })
  const { token } = await fixture.otherOwner()
  const stolen = await fixture.ask('GET', '/solution/pump/notifications/channels', undefined, token)
  assertFault(stolen, 'not_found')
})

test('one FCM device over its rate makes no other notification later', async (t) => {
  const fixture = await notificationFixture(t)
  const fake = await fakeFcm(t)
  const fcm = { provider: 'fcm', ServiceAccount: fake.account, BaseUrl: fake.url }
  await fixture.subscribe('pump', 'notification', { Providers: { fcm } })
  const hot = 'f'.repeat(40)
  fake.busy.add(hot)
  const tokenOf = (at: number) => `${at}`.padStart(40, '0')
  await fixture.bind('fcm', { Identity: 'hot', Address: hot })
  for (let at = 0; at < 20; at += 1) {
    await fixture.bind('fcm', { Identity: `well-${at}`, Address: tokenOf(at) })
  }
  const { sid } = await fixture.call('send', { Identity: 'hot', Body: 'alarm' })
  const shownHot = () => fixture.ask('GET', `/solution/pump/notifications/${sid}`)
  const isBusy = ({ json }: Answer) => json.deliveries[0].reason === 'FCM 429 QUOTA_EXCEEDED'
  await until(shownHot, isBusy)
  for (let at = 0; at < 20; at += 1) {
    const one = await fixture.call('send', { Identity: `well-${at}`, Body: 'alarm' })
    assert.equal((await fixture.settled(one.sid)).states.sent, 1)
    const { json } = await fixture.pump('GET', '/notifications/channels')
    assert.equal(json.channels[1].paused_until, null)
  }
  const { json } = await shownHot()
  assert.deepEqual([json.states.sent, json.deliveries[0].tries], [0, 0])
  assert.deepEqual(
    fake.accepted.map(({ token }) => token),
    Array.from({ length: 20 }, (_, at) => tokenOf(at)),
  )
  const { faults } = await fixture.millrace.platform.eventlog.ledger.verify()
  assert.deepEqual(faults, [])
})

/** FCM as the provider of `pump`, and what binds a person's device and waits for its token. */
async function fcmFixture(t: TestContext) {
  const fixture = await notificationFixture(t)
  const fake = await fakeFcm(t)
  const fcm = { provider: 'fcm', ServiceAccount: fake.account, BaseUrl: fake.url }
  await fixture.subscribe('pump', 'notification', { Providers: { fcm } })
  const tokenOf = (name: string) => name.padEnd(40, '0')
  const waiting = async (Identity: string) => {
    const { sid } = await fixture.call('send', { Identity, Body: `private text for ${Identity}` })
    const isBusy = ({ json }: Answer) => json.deliveries[0].reason === 'FCM 429 QUOTA_EXCEEDED'
    await until(() => fixture.ask('GET', `/solution/pump/notifications/${sid}`), isBusy)
    return sid
  }
  const bind = (name: string, Address = tokenOf(name)) =>
    fixture.bind('fcm', { Endpoint: `of-${name}`, Identity: name, Address })
  const addsUp = async () => {
    const { faults } = await fixture.millrace.platform.eventlog.ledger.verify()
    assert.deepEqual(faults, [])
  }
  return { ...fixture, fake, tokenOf, waiting, bindDevice: bind, addsUp }
}

test('who signs out gets nothing more, and who has a new token gets it there', async (t) => {
  const { fake, tokenOf, waiting, bindDevice, addsUp, ...fixture } = await fcmFixture(t)
  fake.busy.add(tokenOf('lo')).add(tokenOf('ann'))
  const lo = await bindDevice('lo')
  await bindDevice('ann')
  const [toLo, toAnn] = [await waiting('lo'), await waiting('ann')]
  assert.equal(await fixture.call('deleteBinding', { BindingSid: lo.sid }), undefined)
  const { deliveries } = await fixture.settled(toLo)
  assert.deepEqual(
    [deliveries[0].state, deliveries[0].reason],
    ['pruned', 'its binding was deleted'],
  )
  await bindDevice('ann', tokenOf('ann-2'))
  fake.busy.clear()
  assert.equal((await fixture.settled(toAnn)).states.sent, 1)
  assert.deepEqual(
    fake.accepted.map(({ token, data }) => [token, data]),
    [[tokenOf('ann-2'), { vnd_body: 'private text for ann' }]],
  )
  await addsUp()
})

test('a token that is gone does not remove the new one that came meanwhile', async (t) => {
  const { fake, tokenOf, bindDevice, addsUp, ...fixture } = await fcmFixture(t)
  const fresh = await bindDevice('ann', tokenOf('ann-2'))
  fake.gone.add(fresh.address)
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
  const { promise: isAsked, resolve: begin } = Promise.withResolvers<void>()
  fake.before = () => {
    begin()
    return mayAnswer
  }
  const { sid } = await fixture.call('send', { Identity: 'ann', Body: 'again' })
  await isAsked
  const last = await bindDevice('ann', tokenOf('ann-3'))
  answer()
  const shown = await fixture.settled(sid)
  assert.deepEqual([shown.states.sent, shown.deliveries[0].address], [1, last.address])
  assert.match(JSON.stringify(shown.deliveries[0].timeline), /"FCM 404 UNREGISTERED"/)
  assert.equal((await fixture.call('getBinding', { BindingSid: last.sid })).sid, last.sid)
  await addsUp()
})
