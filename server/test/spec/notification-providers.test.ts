import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notificationBench } from '../support/notification.ts'
import { fakeApns } from '../support/push-apns.ts'

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
