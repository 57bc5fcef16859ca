import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  listEvents as events,
  fakeProvider,
  dispatchFixture as fixture,
} from '../../../../test/fixtures/peers/dispatch.ts'
import { limits } from '../../../foundation/kernel/index.ts'
import { notificationLimits } from './limits.ts'

const apnToken = 'ab'.repeat(32)

test('the timeline of what a provider takes, and what it says later', async (t) => {
  const { provider, jobs } = fakeProvider(() => {
    return { kind: 'accepted', providerId: 'p1', answer: '200' }
  })
  const { first, bind, send, settled, eventlog } = await fixture(t, [provider])
  await bind('phone')
  first.start()
  const { sid } = await send()
  const shown = await settled(sid)
  assert.deepEqual(shown.states, { queued: 0, sending: 0, sent: 1, failed: 0, pruned: 0 })
  assert.deepEqual(events(shown), [['queued'], ['sent', 'recording'], ['answer', '200']])
  assert.equal(shown.deliveries[0].providerId, 'p1')
  const { account, settings, address, payload, attempts } = jobs[0] ?? assert.fail()
  assert.deepEqual(account, { sid: '', authToken: 'tell nobody' })
  assert.deepEqual(settings, { shown: {}, secret: { key: 'k3y' } })
  assert.deepEqual(
    [address, attempts, payload.body],
    [apnToken, 0, { aps: { alert: { body: 'b' } } }],
  )

  assert.deepEqual((await eventlog.ledger.verify()).faults, [])
})

test('secrets of a configuration are sealed, and shown to nobody', async (t) => {
  const { provider } = fakeProvider(() => ({ kind: 'accepted' }))
  const { configured } = await fixture(t, [provider])
  assert.deepEqual(configured.parameters, {
    AccountSid: '',
    AuthTokenSet: true,
    MessagingServiceSid: '',
    ServiceSid: '',
    Providers: { apn: { provider: 'recording' } },
  })
  assert.doesNotMatch(JSON.stringify(configured), /tell nobody|k3y/)
})

test('a provider that says later is asked again: not before, and with the same id', async (t) => {
  const { provider, jobs } = fakeProvider(({ attempts }) => {
    if (attempts === 0) return { kind: 'retry', reason: '429 slow down', afterMs: 60_000 }
    return attempts === 1 ? Promise.reject(new Error('no line')) : { kind: 'accepted' }
  })
  const { first, bind, send, until, settled, clock } = await fixture(t, [provider])
  await bind('phone')
  first.start()
  const { sid } = await send()
  const waits = (tries: number) =>
    until(sid, ({ deliveries: [one] }) => one.state === 'queued' && one.tries === tries)
  assert.equal((await waits(1)).deliveries[0].reason, '429 slow down')
  clock.advance(55_000)
  // Another notification that comes and goes shows that the first one was passed over.
  const other = await send()
  await until(other.sid, ({ deliveries: [one] }) => one.tries === 1 && one.state === 'queued')
  assert.equal(jobs.filter(({ notificationSid }) => notificationSid === sid).length, 1)
  clock.advance(6_000)
  await waits(2)
  clock.advance(notificationLimits.notificationRetryMs * 2 + 1_000)
  const shown = await settled(sid)
  assert.deepEqual(events(shown), [
    ['queued'],
    ['sent', 'recording'],
    ['retry', '429 slow down'],
    ['retry', 'the provider could not be asked'],
    ['sent', 'recording'],
    ['answer', 'accepted'],
  ])
  const mine = jobs.filter(({ notificationSid }) => notificationSid === sid)
  assert.deepEqual([mine.length, new Set(mine.map(({ id }) => id)).size], [3, 1])
})

test('an address that is gone: the binding is pruned, and the reason is kept', async (t) => {
  const { provider } = fakeProvider(() => ({ kind: 'invalid_address', reason: '410 Unregistered' }))
  const { first, bind, send, call, settled, eventlog } = await fixture(t, [provider])
  await bind('phone')
  first.start()
  const shown = await settled((await send()).sid)
  assert.equal(shown.states.pruned, 1)
  assert.deepEqual(events(shown).at(-1), ['pruned', '410 Unregistered'])
  assert.equal(shown.deliveries[0].reason, '410 Unregistered')
  assert.deepEqual((await call('listBinding', {})).bindings, [])
  const after = await settled((await send()).sid)
  assert.deepEqual(after.deliveries, [])
  assert.deepEqual((await eventlog.ledger.verify()).faults, [])
})

test('a binding that was made after the time that the provider names stays', async (t) => {
  const { provider } = fakeProvider(() => {
    return { kind: 'invalid_address', reason: '410', sinceMs: Date.now() - 60_000 }
  })
  const { first, bind, send, call, settled } = await fixture(t, [provider])
  await bind('phone')
  first.start()
  const shown = await settled((await send()).sid)
  assert.deepEqual([shown.states.failed, events(shown).at(-1)], [1, ['failed', '410']])
  assert.equal((await call('listBinding', {})).bindings.length, 1)
})

test('Ttl 0 is one immediate attempt; a Ttl that would be over ends the tries', async (t) => {
  const { provider, jobs } = fakeProvider(() => ({ kind: 'retry', reason: '503', afterMs: 10_000 }))
  const { first, bind, send, settled, clock, until } = await fixture(t, [provider])
  await bind('phone')
  first.start()
  for (const Ttl of [0, 9]) {
    const shown = await settled((await send({ Ttl })).sid)
    assert.deepEqual([shown.states.failed, shown.deliveries[0].tries], [1, 1], `Ttl ${Ttl}`)
  }
  const { sid } = await send({ Ttl: 15 })
  await until(sid, ({ deliveries: [one] }) => one.state === 'queued' && one.tries === 1)
  clock.advance(16_000)
  const shown = await settled(sid)
  assert.deepEqual(events(shown).at(-1), ['failed', 'its Ttl is over'])
  assert.equal(jobs.length, 3)
})

test('an audience larger than a batch: each binding once, by two processes', async (t) => {
  const { provider, jobs } = fakeProvider(() => ({ kind: 'accepted' }))
  const { first, open, bind, send, settled, multiply, eventlog } = await fixture(t, [provider])
  await bind('phone')
  const many = 2 * notificationLimits.notificationExpandMax + 100
  await multiply(many)
  const { sid } = await send()
  const accepted = await first.show({ businessId: 'b', solutionId: 'pump' }, sid)
  assert.deepEqual([accepted.expanded, accepted.states.queued], [false, 1_000])
  await bind('latecomer')
  first.start()
  open().start()
  const shown = await settled(sid)
  assert.deepEqual(shown.states, { queued: 0, sending: 0, sent: many, failed: 0, pruned: 0 })
  assert.equal(new Set(jobs.map(({ bindingSid }) => bindingSid)).size, many)
  assert.equal(jobs.length, many)
  const { faults, stages } = await eventlog.ledger.verify()
  assert.deepEqual(faults, [])
  const stage = stages.find((one) => one.stage === 'notifications')
  assert.deepEqual([stage?.taken, stage?.done, stage?.pending], [many, many, 0])
})

test('what a process had when it died is sent by another, with the same id', async (t) => {
  let dies = true
  const { provider, jobs } = fakeProvider(({ signal }) => {
    if (!dies) return { kind: 'accepted' }
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  })
  const { first, open, bind, send, settled, until, clock } = await fixture(t, [provider])
  await bind('phone')
  first.start()
  const { sid } = await send()
  await until(sid, ({ states }) => states.sending === 1 && jobs.length === 1)
  dies = false
  open().start()
  await until(sid, ({ states }) => {
    clock.advance(notificationLimits.deliveryLeaseMs * 2)
    return states.sent === 1
  })
  const shown = await settled(sid)
  // An attempt without an answer is no try.
  assert.deepEqual([jobs.length, shown.deliveries[0].tries], [2, 1])
  assert.equal(new Set(jobs.map(({ id }) => id)).size, 1)
})

test('a stop gives back what it cut off, as not begun', async (t) => {
  const { provider, jobs } = fakeProvider(
    ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  )
  const { first, bind, send, until, eventlog } = await fixture(t, [provider])
  await bind('phone')
  first.start()
  const { sid } = await send()
  await until(sid, () => jobs.length === 1)
  await first.close()
  const shown = await first.show({ businessId: 'b', solutionId: 'pump' }, sid)
  assert.deepEqual([shown.states.queued, shown.deliveries[0]?.tries], [1, 0])
  assert.deepEqual((await eventlog.ledger.verify()).faults, [])
})

test('with its solution everything goes, and what waited counts as failed', async (t) => {
  const { provider } = fakeProvider(() => ({ kind: 'accepted' }))
  const { first, bind, send, call, database, eventlog } = await fixture(t, [provider])
  await bind('phone')
  const { sid } = await send()
  const [service] = first.services
  await database.transaction(async (transaction) => service?.removeIn?.(transaction, 'pump'))
  await assert.rejects(
    first.show({ businessId: 'b', solutionId: 'pump' }, sid),
    /sent no such notification/,
  )
  assert.deepEqual((await call('listBinding', {})).bindings, [])
  const { faults, stages } = await eventlog.ledger.verify()
  assert.deepEqual(faults, [])
  assert.equal(stages.find(({ stage }) => stage === 'notifications')?.failed, 1)
})

test('what is old goes, and what is not old or has not ended stays', async (t) => {
  const { provider } = fakeProvider(() => ({ kind: 'accepted' }))
  const { first, open, bind, send, settled, clock } = await fixture(t, [provider])
  await bind('phone')
  const waits = await send()
  clock.advance(limits.notificationHours * 3_600_000 + 1_000)
  await first.sweep()
  assert.equal(
    (await first.show({ businessId: 'b', solutionId: 'pump' }, waits.sid)).states.queued,
    1,
  )
  open().start()
  await settled(waits.sid)
  const fresh = await send()
  await first.sweep()
  const { notifications } = await first.list({ businessId: 'b', solutionId: 'pump' })
  assert.deepEqual(
    notifications.map(({ sid }) => sid),
    [fresh.sid],
  )
})
