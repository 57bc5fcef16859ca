import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Job, Outcome } from '../../../src/services/notification/providers/index.ts'
import {
  type Answer,
  courierBench,
  eventsOf,
  gate,
  toldProvider,
} from '../../fixtures/peers/courier.ts'
import { suiteContext } from '../../fixtures/suite.ts'

const accepted = { kind: 'accepted' } as const
const day = 86_400_000
const steps = [
  ['an hour', 3_600_000],
  ['a day', day],
  ['ten years', 3_650 * day],
] as const

/** Each test has a solution of its own, whose provider of apn answers as the test says. */
describe('notifications and steps of the clock', () => {
  const suite = suiteContext()
  const answers = new Map<string, (job: Job) => Outcome | Promise<Outcome>>()
  const apn = toldProvider((job) => answers.get(job.solutionId)?.(job) ?? accepted)
  let bench: Awaited<ReturnType<typeof courierBench>>
  let count = 0
  before(async () => {
    bench = await courierBench(suite, [apn.channel])
    bench.first.start()
  })
  async function newOne() {
    count += 1
    const id = `stepped-${count}`
    await bench.configure({ Providers: { apn: { provider: 'told' } } }, id)
    await bind(id)
    return id
  }
  const bind = (id: string) => {
    const whom = { Endpoint: 'one', Identity: 'one', BindingType: 'apn' }
    return bench.call('createBinding', { ...whom, Address: 'ab'.repeat(32) }, id)
  }
  const send = (id: string, args = {}) =>
    bench.call('send', { Identity: 'one', Body: 'b', ...args }, id)
  const retries = (shown: Answer) =>
    eventsOf(shown).filter(([event]: string[]) => event === 'retry').length
  const retried = (shown: Answer) => retries(shown) > 0

  for (const [name, ms] of steps) {
    test(`${name} ahead: what was accepted and put off then is sent after it`, async () => {
      const id = await newOne()
      answers.set(id, () => ({ kind: 'retry', reason: 'not now' }))
      bench.clock.step(ms)
      const { sid } = await send(id, { Ttl: 600 })
      await bench.until(sid, retried, id)
      answers.set(id, () => accepted)
      bench.clock.step(-ms)
      assert.equal((await bench.settled(sid, id)).states.sent, 1)
      const last = apn.jobs.findLast(({ solutionId }) => solutionId === id)
      const leftMs = (last?.expiresAtMs ?? 0) - bench.clock.nowMs()
      assert.ok(Math.abs(leftMs) < day / 48, `it expires ${leftMs} ms from now`)
    })

    test(`${name} ahead: what was under way is tried again, until its Ttl is over`, async () => {
      const id = await newOne()
      const slow = gate()
      answers.set(id, slow.wait)
      bench.clock.step(ms)
      const { sid } = await send(id, { Ttl: 60 })
      await bench.until(sid, () => slow.waiting === 1, id)
      bench.clock.step(-ms)
      const busy = { kind: 'retry', busy: true, reason: 'not now' } as const
      answers.set(id, () => busy)
      slow.open(busy)
      await bench.until(sid, (shown) => retries(shown) === 1, id)
      bench.clock.advance(1_500)
      await bench.until(sid, (shown) => retries(shown) === 2, id)
      bench.clock.advance(120_000)
      const shown = await bench.settled(sid, id)
      assert.deepEqual(eventsOf(shown).at(-1), ['failed', 'its Ttl is over'])
    })

    test(`${name} ahead: a channel that was paused then sends after it`, async () => {
      const id = await newOne()
      answers.set(id, () => ({ kind: 'retry', slow: true, afterMs: 60_000, reason: 'slow' }))
      bench.clock.step(ms)
      const { sid } = await send(id)
      await bench.until(sid, retried, id)
      answers.set(id, () => accepted)
      bench.clock.step(-ms)
      assert.equal((await bench.settled(sid, id)).states.sent, 1)
    })

    test(`${name} ahead: an address that is gone takes its binding with it after it`, async () => {
      const id = await newOne()
      bench.clock.step(ms)
      await bind(id)
      bench.clock.step(-ms)
      answers.set(id, () => ({ kind: 'invalid_address', reason: 'gone' }))
      const { sid } = await send(id)
      assert.equal((await bench.settled(sid, id)).states.pruned, 1)
    })
  }

  test('another process sends after it what this one has put off years ahead', async () => {
    const other = await courierBench(suite, [apn.channel])
    await other.configure({ Providers: { apn: { provider: 'told' } } }, 'pump')
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
