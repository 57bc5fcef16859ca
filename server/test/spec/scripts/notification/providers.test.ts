import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notificationFixture } from '../../../fixtures/notification.ts'
import { fakeApns } from '../../../fixtures/peers/push-apns.ts'

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

test('a wrong environment of APNs removes nobody, and the operator gets a warning', async (t) => {
  const fleet = 12
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
  const { states } = await fixture.settled(sid)
  assert.deepEqual([states.failed, states.pruned], [fleet, 0])
  const { json } = await fixture.pump('GET', '/notifications/channels')
  const [{ fault, fault_at, ...rest }] = json.channels
  assert.match(fault, /^the configuration may be wrong: 1\d of the last 1\d answers say so/)
  assert.ok(fault_at > 0)
  assert.deepEqual(rest, {
    channel: 'apn',
    provider: 'apns',
    rate_per_second: 1_000,
    paused_until: null,
    pause_reason: null,
  })
})
