import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  type Answer,
  accepted,
  countRetries,
  dispatchFixture,
  fakeProviders,
  gate,
  listEvents,
} from '../../../fixtures/peers/dispatch.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

const day = 86_400_000
const steps = [
  ['an hour', 3_600_000],
  ['a day', day],
  ['ten years', 3_650 * day],
] as const

/** Each test has a solution of its own, whose provider of apn answers as the test says. */
describe('notifications and steps of the clock', () => {
  const suite = suiteContext()
  const { answers, apn } = fakeProviders()
  let fixture: Awaited<ReturnType<typeof dispatchFixture>>
  let count = 0
  before(async () => {
    fixture = await dispatchFixture(suite, [apn.provider])
    fixture.first.start()
  })
  async function newOne() {
    count += 1
    const id = `stepped-${count}`
    await fixture.configure({ Providers: { apn: { provider: 'recording' } } }, id)
    await bind(id)
    return id
  }
  const bind = (id: string) => {
    const whom = { Endpoint: 'one', Identity: 'one', BindingType: 'apn' }
    return fixture.call('createBinding', { ...whom, Address: 'ab'.repeat(32) }, id)
  }
  const send = (id: string, args = {}) =>
    fixture.call('send', { Identity: 'one', Body: 'b', ...args }, id)
  const retried = (shown: Answer) => countRetries(shown) > 0

  for (const [name, ms] of steps) {
    test(`${name} ahead: what was accepted and put off then is sent after it`, async () => {
      const id = await newOne()
      answers.set(id, () => ({ kind: 'retry', reason: 'not now' }))
      fixture.clock.step(ms)
      const { sid } = await send(id, { Ttl: 600 })
      await fixture.until(sid, retried, id)
      answers.set(id, () => accepted)
      fixture.clock.step(-ms)
      assert.equal((await fixture.settled(sid, id)).states.sent, 1)
      const last = apn.jobs.findLast(({ solutionId }) => solutionId === id)
      const leftMs = (last?.expiresAtMs ?? 0) - fixture.clock.nowMs()
      assert.ok(Math.abs(leftMs) < day / 48, `it expires ${leftMs} ms from now`)
    })

    test(`${name} ahead: what was under way is tried again, until its Ttl is over`, async () => {
      const id = await newOne()
      const slow = gate()
      answers.set(id, slow.wait)
      fixture.clock.step(ms)
      const { sid } = await send(id, { Ttl: 60 })
      await fixture.until(sid, () => slow.waiting === 1, id)
      fixture.clock.step(-ms)
      const busy = { kind: 'retry', busy: true, reason: 'not now' } as const
      answers.set(id, () => busy)
      slow.open(busy)
      await fixture.until(sid, (shown) => countRetries(shown) === 1, id)
      fixture.clock.advance(1_500)
      await fixture.until(sid, (shown) => countRetries(shown) === 2, id)
      fixture.clock.advance(120_000)
      const shown = await fixture.settled(sid, id)
      assert.deepEqual(listEvents(shown).at(-1), ['failed', 'its Ttl is over'])
    })

    test(`${name} ahead: a channel that was paused then sends after it`, async () => {
      const id = await newOne()
      answers.set(id, () => ({ kind: 'retry', slow: true, afterMs: 60_000, reason: 'slow' }))
      fixture.clock.step(ms)
      const { sid } = await send(id)
      await fixture.until(sid, retried, id)
      answers.set(id, () => accepted)
      fixture.clock.step(-ms)
      assert.equal((await fixture.settled(sid, id)).states.sent, 1)
    })

    test(`${name} ahead: an address that is gone takes its binding with it after it`, async () => {
      const id = await newOne()
      fixture.clock.step(ms)
      await bind(id)
      fixture.clock.step(-ms)
      answers.set(id, () => ({ kind: 'invalid_address', reason: 'gone' }))
      const { sid } = await send(id)
      assert.equal((await fixture.settled(sid, id)).states.pruned, 1)
    })
  }

  test('another process sends after it what this one has put off years ahead', async () => {
    const other = await dispatchFixture(suite, [apn.provider])
    await other.configure({ Providers: { apn: { provider: 'recording' } } }, 'pump')
    await other.bind('one')
    answers.set('pump', () => ({ kind: 'retry', slow: true, afterMs: 60_000, reason: 'slow' }))
    other.first.start()
    other.clock.step(3_650 * day)
    const { sid } = await other.send()
    await other.until(sid, retried)
    await other.first.close()
    answers.set('pump', () => accepted)
    other.clock.step(-3_650 * day)
    other.open().start()
    assert.equal((await other.settled(sid)).states.sent, 1)
  })
})
