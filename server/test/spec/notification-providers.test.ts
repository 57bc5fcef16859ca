import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notificationBench } from '../support/notification.ts'
import { fakeApns } from '../support/push-apns.ts'
import { assertFault } from '../support/solutions.ts'

test('a solution that configures APNs reaches devices, and loses those gone', async (t) => {
  const bench = await notificationBench(t)
  const fake = await fakeApns(t)
  const { keyId: KeyId, teamId: TeamId, topic: Topic, key: Key, url: BaseUrl } = fake
  const apn = { provider: 'apns', KeyId, TeamId, Topic, Key, BaseUrl }
  const id = await bench.subscribe('pump', 'notification', { Providers: { apn } })
  const { json } = await bench.pump('GET', `/serviceconfig/${id}`)
  assert.equal(json.parameters.Providers.apn.KeyId, KeyId)
  assert.doesNotMatch(JSON.stringify(json), /PRIVATE/)

  const gone = 'cd'.repeat(32)
  fake.gone.set(gone, Date.now() + 60_000)
  const kept = await bench.bind('apn')
  const lost = await bench.bind('apn', { Address: gone })
  const { sid } = await bench.call('send', { Identity: 'ann', Body: 'It is too hot' })
  const { states } = await bench.settled(sid)
  assert.deepEqual([states.sent, states.pruned], [1, 1])
  assert.deepEqual(
    fake.accepted.map(({ device, body }) => [device, body]),
    [[kept.address, { aps: { alert: { body: 'It is too hot' } } }]],
  )
  assert.equal((await bench.call('getBinding', { BindingSid: kept.sid })).sid, kept.sid)
  bench.refused(await bench.call('getBinding', { BindingSid: lost.sid }), 404, /./)
})

test('a wrong environment of APNs removes nobody, and the operator is told so', async (t) => {
  const bench = await notificationBench(t)
  const fake = await fakeApns(t)
  const { keyId: KeyId, teamId: TeamId, topic: Topic, key: Key, url: BaseUrl } = fake
  const apn = { provider: 'apns', KeyId, TeamId, Topic, Key, BaseUrl, RatePerSecond: 1_000 }
  await bench.subscribe('pump', 'notification', { Providers: { apn } })
  const fleet = 12
  for (let at = 0; at < fleet; at += 1) {
    await bench.bind('apn')
    fake.troubles.push({ status: 400, reason: 'BadDeviceToken' })
  }
  const { sid } = await bench.call('send', { Tag: 'apn', Body: 'b' })
  const { states, deliveries } = await bench.settled(sid)
  assert.deepEqual([states.failed, states.pruned], [fleet, 0])
  assert.match(deliveries[0].reason, /^APNs 400 BadDeviceToken; the binding stays: /)
  assert.equal((await bench.call('listBinding', {})).bindings.length, fleet)
  const { json } = await bench.pump('GET', '/notifications/channels')
  const [first, second] = json.channels
  const { fault, fault_at, ...rest } = first
  assert.match(fault, /^the configuration may be wrong: 1\d of the last 1\d answers say so/)
  assert.ok(fault_at > 0)
  assert.deepEqual(rest, {
    ...{ channel: 'apn', provider: 'apns', rate_per_second: 1_000 },
    ...{ paused_until: null, pause_reason: null },
  })
  assert.deepEqual(second, {
    ...{ channel: 'fcm', provider: 'sink', rate_per_second: null },
    ...{ paused_until: null, pause_reason: null, fault: null, fault_at: null },
  })
  const { token } = await bench.stranger()
  const stolen = await bench.ask('GET', '/solution/pump/notifications/channels', undefined, token)
  assertFault(stolen, 'not_found')
})
