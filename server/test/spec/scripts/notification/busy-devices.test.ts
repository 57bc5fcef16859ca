import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { notificationLimits } from '../../../../src/scripts/services/notification/index.ts'
import {
  type Answer,
  accepted,
  countRetries,
  dispatchFixture,
  fakeProviders,
  gate,
} from '../../../fixtures/peers/dispatch.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

const busy = { kind: 'retry', busy: true, reason: '429 of the device' } as const
const hot = 'f0'.repeat(32)

/** Each test has a solution of its own, whose provider of apn answers as the test says. */
describe('notification: devices that are over their rate', () => {
  const suite = suiteContext()
  const { answers, apn } = fakeProviders()
  let fixture: Awaited<ReturnType<typeof dispatchFixture>>
  before(async () => {
    fixture = await dispatchFixture(suite, [apn.provider])
    fixture.clock.stand()
    fixture.first.start()
  })
  const sentTo = (id: string) =>
    apn.jobs.filter(({ solutionId }) => solutionId === id).map(({ address }) => address)
  async function bind(id: string, name: string, Address: string) {
    await fixture.configure({ Providers: { apn: { provider: 'recording' } } }, id)
    const whom = { Endpoint: name, Identity: name, BindingType: 'apn', Address }
    return fixture.call('createBinding', whom, id)
  }
  const sendTo = (id: string, Identity: string, args = {}) =>
    fixture.call('send', { Identity, Body: 'b', ...args }, id)
  const waits = (it: Answer, turn: number) => it.states.queued === 1 && countRetries(it) === turn

  for (const afterMs of [undefined, 3_000]) {
    const advice = afterMs === undefined ? 'without a time' : 'with Retry-After'
    test(`a device that gets 429 ${advice} waits by itself until its Ttl is over`, async () => {
      const id = `hot-${afterMs ?? 0}`
      await bind(id, 'hot', hot)
      await bind(id, 'well', 'aa'.repeat(32))
      const after = afterMs === undefined ? {} : { afterMs }
      answers.set(id, ({ address }) => (address === hot ? { ...busy, ...after } : accepted))
      const { sid } = await sendTo(id, 'hot', { Ttl: 60 })
      let waitMs: number = notificationLimits.notificationRetryMs
      for (let turn = 1; turn <= 3; turn += 1) {
        const shown = await fixture.until(sid, (it) => waits(it, turn), id)
        assert.equal(shown.deliveries[0].tries, 0)
        const other = await sendTo(id, 'well')
        assert.equal((await fixture.settled(other.sid, id)).states.sent, 1)
        assert.equal((await fixture.state('apn', id)).pausedUntil, null)
        assert.equal(sentTo(id).filter((address) => address === hot).length, turn)
        fixture.clock.advance(Math.max(waitMs, afterMs ?? 0))
        waitMs *= 2
      }
      await fixture.until(sid, (it) => countRetries(it) === 4, id)
      fixture.clock.advance(60_000)
      const { states, deliveries } = await fixture.settled(sid, id)
      assert.equal(states.failed, 1)
      assert.deepEqual(deliveries[0].timeline.at(-1).text, 'its Ttl is over')
    })
  }

  test('a delivery that waits for a busy device is not retried early, and arrives', async () => {
    await bind('storm', 'hot', hot)
    await bind('storm', 'well', 'aa'.repeat(32))
    answers.set('storm', ({ address }) => (address === hot ? busy : accepted))
    const first = await sendTo('storm', 'hot')
    await fixture.until(first.sid, (it) => countRetries(it) === 1, 'storm')
    const more: string[] = []
    for (let count = 0; count < 12; count += 1) more.push((await sendTo('storm', 'hot')).sid)
    for (const sid of more) {
      const isDeferred = ({ deliveries: [one] }: Answer) => one.reason?.startsWith('its device')
      assert.equal((await fixture.until(sid, isDeferred, 'storm')).deliveries[0].tries, 0)
    }
    const well = await sendTo('storm', 'well')
    assert.equal((await fixture.settled(well.sid, 'storm')).states.sent, 1)
    assert.equal(sentTo('storm').filter((address) => address === hot).length, 1)
    answers.set('storm', () => accepted)
    // Deliveries that wait while another one is tried come a moment later.
    const arrives = ({ states }: Answer) => {
      fixture.clock.advance(notificationLimits.notificationRetryMs)
      return states.sent === 1
    }
    for (const sid of [first.sid, ...more]) await fixture.until(sid, arrives, 'storm')
  })

  test('as soon as many different devices get 429 the channel pauses', async () => {
    const { notificationBusyDevicesMin: min } = notificationLimits
    for (let at = 0; at < min; at += 1) await bind('many', `d${at}`, `${at}`.repeat(64))
    await bind('many', 'well', 'aa'.repeat(32))
    const held = gate()
    answers.set('many', held.wait)
    const sids: string[] = []
    for (let at = 0; at < min; at += 1) sids.push((await sendTo('many', `d${at}`)).sid)
    await fixture.until(sids[0] ?? '', () => held.waiting === min, 'many')
    held.openSome(min - 1, busy)
    for (const sid of sids.slice(0, min - 1)) {
      await fixture.until(sid, (it) => countRetries(it) === 1, 'many')
    }
    assert.equal((await fixture.state('apn', 'many')).pausedUntil, null, 'one too few')
    held.open({ ...busy, afterMs: 60_000 })
    await fixture.until(sids.at(-1) ?? '', (it) => countRetries(it) === 1, 'many')
    assert.equal((await fixture.state('apn', 'many')).pauseReason, '429 of the device')
    const well = await sendTo('many', 'well')
    const before = sentTo('many').length
    fixture.clock.advance(61_000)
    await fixture.until(well.sid, () => held.waiting === 1, 'many')
    assert.deepEqual(sentTo('many').slice(before), ['aa'.repeat(32)], 'a healthy one goes first')
    answers.set('many', () => accepted)
    held.open(accepted)
    for (const sid of [well.sid, ...sids]) {
      assert.equal((await fixture.settled(sid, 'many')).states.sent, 1)
    }
  })
})
