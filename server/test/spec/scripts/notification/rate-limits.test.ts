import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { notificationLimits } from '../../../../src/scripts/services/notification/index.ts'
import {
  type Answer,
  accepted,
  countRetries,
  dispatchFixture,
  fakeProvider,
  fakeProviders,
  gate,
  listEvents,
} from '../../../fixtures/peers/dispatch.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

const hourMs = 3_600_000
const usPerMs = 1_000

/** Each test has a solution of its own, whose provider of apn answers as the test says. */
const { answers, apn } = fakeProviders()

const sms = fakeProvider(() => accepted, 'sms')

let fixture: Awaited<ReturnType<typeof dispatchFixture>>

const shareInstance = sharedBySuites(async (suite) => {
  fixture = await dispatchFixture(suite, [apn.provider, sms.provider])
  fixture.first.start()
})

const providers = { apn: { provider: 'recording' }, sms: { provider: 'recording' } }

const listJobs = (id: string) => apn.jobs.filter(({ solutionId }) => solutionId === id)

async function solution(id: string, bindings: number, Providers: object = providers) {
  await fixture.configure({ Providers }, id)
  await fixture.bind('phone', undefined, 'apn', id)
  if (bindings > 1) await fixture.multiply(bindings, id)
}

const messagingServiceSid = { Sms: { from: '+15550009999' } }

/** A message that comes and goes elsewhere shows that others were looked at meanwhile. */
async function elsewhere(id = 'elsewhere') {
  await solution(id, 1)
  const { sid } = await fixture.send({}, id)
  assert.equal((await fixture.settled(sid, id)).states.sent, 1)
}

async function paused(id: string): Promise<Answer> {
  const deadlineMs = Date.now() + 60_000
  for (;;) {
    const state = await fixture.state('apn', id)
    if (state.pausedUntil !== null) return state
    assert.ok(Date.now() < deadlineMs, JSON.stringify(state))
  }
}

describe('notification: a provider that wants less pauses its channel', () => {
  shareInstance()

  test('an answer about the account holds up its channel alone, also over a restart', async () => {
    await solution('held', 1)
    answers.set('held', () => ({ kind: 'retry', slow: true, reason: '429 less', afterMs: hourMs }))
    const one = await fixture.send({}, 'held')
    const { pauseReason, pausedUntil } = await paused('held')
    assert.equal(pauseReason, '429 less')
    assert.ok(pausedUntil > (fixture.clock.nowMs() + hourMs / 2) * usPerMs)
    await fixture.multiply(30, 'held')
    await fixture.bind('phone-sms', undefined, 'sms', 'held')
    const many = await fixture.send(messagingServiceSid, 'held')
    const texted = await fixture.until(many.sid, ({ states }) => states.sent === 1, 'held')
    assert.equal(texted.states.queued, 30)
    await elsewhere()
    assert.equal(listJobs('held').length, 1)
    const waits = await fixture.until(one.sid, ({ deliveries: [it] }) => it.reason !== null, 'held')
    assert.deepEqual(listEvents(waits), [['queued'], ['sent', 'recording'], ['retry', '429 less']])
    assert.deepEqual([waits.states.queued, waits.deliveries[0].tries], [1, 0])

    await fixture.first.close()
    const second = fixture.open()
    second.start()
    await elsewhere('elsewhere-2')
    assert.equal(listJobs('held').length, 1)
    const held = gate()
    answers.set('held', held.wait)
    fixture.clock.advance(hourMs + 1_000)
    await fixture.until(one.sid, () => held.waiting === 1, 'held')
    await elsewhere('elsewhere-3')
    assert.equal(held.waiting, 1, 'after a pause one goes first')
    answers.set('held', () => accepted)
    held.open(accepted)
    assert.equal((await fixture.settled(one.sid, 'held')).states.sent, 1)
    assert.equal((await fixture.settled(many.sid, 'held')).states.sent, 31)
    const delivered = listJobs('held').slice(1)
    assert.equal(delivered.length, 31)
    assert.equal(new Set(delivered.map(({ id }) => id)).size, 31)
    assert.equal((await fixture.state('apn', 'held')).pausedUntil, null)
  })

  test('another configuration ends a pause', async () => {
    await solution('mended', 1)
    answers.set('mended', () => ({ kind: 'retry', slow: true, reason: '429', afterMs: hourMs }))
    const { sid } = await fixture.send({}, 'mended')
    await paused('mended')
    answers.set('mended', () => accepted)
    fixture.clock.advance(notificationLimits.deliveryLeaseMs + 1_000)
    await elsewhere('elsewhere-6')
    assert.equal(listJobs('mended').length, 1)
    await fixture.configure(
      { Providers: { ...providers, apn: { ...providers.apn, key: 'new' } } },
      'mended',
    )
    fixture.clock.advance(notificationLimits.deliveryLeaseMs + 1_000)
    assert.equal((await fixture.settled(sid, 'mended')).states.sent, 1)
    assert.equal((await fixture.state('apn', 'mended')).pausedUntil, null)
  })

  test('without Retry-After each pause is twice as long as the last', async () => {
    await solution('again', 1)
    answers.set('again', () => ({ kind: 'retry', slow: true, reason: '503' }))
    const { sid } = await fixture.send({}, 'again')
    for (const [turn, times] of [1, 2, 4].entries()) {
      const { deliveries } = await fixture.until(
        sid,
        (it) => countRetries(it) === turn + 1,
        'again',
      )
      const [sent, retry] = deliveries[0].timeline.slice(-2)
      const { pausedUntil } = await paused('again')
      const waitUs = times * notificationLimits.notificationRetryMs * usPerMs
      assert.ok(pausedUntil >= sent.at + waitUs && pausedUntil <= retry.at + waitUs, `${times}`)
      fixture.clock.advance(waitUs / usPerMs + 1_000)
    }
    answers.set('again', () => accepted)
    fixture.clock.advance(notificationLimits.notificationRetryMsMax)
    const shown = await fixture.settled(sid, 'again')
    assert.deepEqual([shown.states.sent, shown.deliveries[0].tries], [1, 1])
  })

  test('a provider that takes nothing many times in a row is left alone', async () => {
    await solution('silent', notificationLimits.notificationFailuresMax)
    answers.set('silent', () => ({ kind: 'retry', reason: 'it did not answer in time' }))
    const { sid } = await fixture.send({}, 'silent')
    assert.equal((await paused('silent')).pauseReason, 'it did not answer in time')
    const held = gate()
    answers.set('silent', held.wait)
    fixture.clock.advance(60_000)
    await fixture.until(sid, () => held.waiting === 1, 'silent')
    await elsewhere('elsewhere-5')
    assert.equal(held.waiting, 1, 'after a pause one goes first')
    answers.set('silent', () => accepted)
    held.open(accepted)
    const { states } = await fixture.settled(sid, 'silent')
    assert.equal(states.sent, notificationLimits.notificationFailuresMax)
  })
})

describe('notification: a provider that is slow, and RatePerSecond', () => {
  shareInstance()

  test('a provider that hangs does not block others', async () => {
    const held = gate()
    answers.set('hangs', held.wait)
    await solution('hangs', limits.notificationRunsMax)
    const { sid } = await fixture.send({}, 'hangs')
    await fixture.until(sid, () => held.waiting >= limits.notificationRunsMax / 2, 'hangs')
    await elsewhere('elsewhere-4')
    assert.ok(held.waiting <= limits.notificationRunsOfQueueMax)
    answers.set('hangs', () => accepted)
    held.open(accepted)
    const { states } = await fixture.settled(sid, 'hangs')
    assert.equal(states.sent, limits.notificationRunsMax)
  })

  test('RatePerSecond is respected, and delays no other channel', async () => {
    const [rate, count] = [20, 30]
    const arrivals: number[] = []
    answers.set('rated', () => {
      arrivals.push(fixture.clock.nowMs())
      return accepted
    })
    await solution('rated', count, {
      ...providers,
      apn: { provider: 'recording', RatePerSecond: rate },
    })
    assert.equal((await fixture.state('apn', 'rated')).ratePerSecond, rate)
    const sinceMs = fixture.clock.nowMs()
    const { sid } = await fixture.send({}, 'rated')
    await fixture.bind('phone-sms', undefined, 'sms', 'rated')
    const text = await fixture.send({ ...messagingServiceSid, Tag: 'sms' }, 'rated')
    assert.equal((await fixture.settled(text.sid, 'rated')).states.sent, 1)
    assert.equal((await fixture.settled(sid, 'rated')).states.sent, count)
    const burst = Math.max(1, (rate * notificationLimits.notificationRateBurstMs) / 1_000)
    for (const [index, atMs] of arrivals.entries()) {
      const most = burst + (rate * (atMs - sinceMs)) / 1_000
      assert.ok(index < Math.ceil(most), `${index + 1} within ${atMs - sinceMs} ms`)
    }
  })

  test('RatePerSecond is a number within its limits', async () => {
    for (const RatePerSecond of [0, 0.01, 10_001, '5', true]) {
      const Providers = { apn: { provider: 'recording', RatePerSecond } }
      await assert.rejects(fixture.configure({ Providers }, 'wrong'), {
        code: 'invalid_argument',
        detail: 'Providers.apn.RatePerSecond must be a number from 0.1 to 10000',
      })
    }
    const Providers = { apn: { provider: 'recording', RatePerSecond: 0.5 } }
    const { parameters } = await fixture.configure({ Providers }, 'right')
    assert.deepEqual(parameters.Providers, Providers)
    await fixture.configure({ AuthToken: 'x' }, 'right')
    assert.equal((await fixture.state('apn', 'right')).ratePerSecond, 0.5)
    await fixture.configure({ Providers: { apn: { provider: 'recording' } } }, 'right')
    assert.equal((await fixture.state('apn', 'right')).ratePerSecond, null)
  })
})
