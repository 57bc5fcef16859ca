import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { notificationLimits } from '../../../../src/scripts/services/notification/index.ts'
import {
  type Answer,
  accepted,
  dispatchFixture,
  fakeProvider,
  fakeProviders,
  gate,
  makeCalls,
} from '../../../fixtures/peers/dispatch.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

const hourMs = 3_600_000
const later = { kind: 'retry', reason: '500', afterMs: hourMs } as const
const slow = { ...later, slow: true, reason: '503 of the account' } as const
const [old, other] = ['aa'.repeat(32), 'bb'.repeat(32)]
const providers = { apn: { provider: 'recording' }, sms: { provider: 'recording' } }
const slowly = { ...providers, apn: { provider: 'recording', RatePerSecond: 0.1 } }
const atZero = 'its Ttl is 0, and it could not be sent at once'

/** Each test has a solution of its own, whose providers answer as the test says. */
const { answers, apn, sms } = fakeProviders()

let fixture: Awaited<ReturnType<typeof dispatchFixture>>

const shareInstance = sharedBySuites(async (suite) => {
  fixture = await dispatchFixture(suite, [apn.provider, sms.provider])
  fixture.first.start()
})

const given = (id: string) =>
  [...apn.jobs, ...sms.jobs]
    .filter(({ solutionId }) => solutionId === id)
    .map(({ address }) => address)

const configure = (id: string, Providers: object = providers) =>
  fixture.configure({ Providers }, id)

const bind = (
  id: string,
  Address = old,
  more = {},
  calls: Pick<typeof fixture, 'call'> = fixture,
) => {
  const whom = { Endpoint: 'phone', Identity: 'ann', BindingType: 'apn', Address, ...more }
  return calls.call('createBinding', whom, id)
}

const send = (id: string, args = {}) =>
  fixture.call('send', { Identity: 'ann', Body: 'b', Sms: { from: '+15550009999' }, ...args }, id)

const show = async (id: string, sid: string): Promise<Answer> =>
  fixture.first.show({ businessId: 'b', solutionId: id }, sid, { limit: 100 })

const said = ({ deliveries: [{ timeline }] }: Answer) =>
  timeline.map(({ event, text }: Answer) => (text ? `${event}: ${text}` : event))

const waits = ({ states, deliveries: [one] }: Answer) => states.queued === 1 && one.reason !== null

/** A message that comes and goes elsewhere shows that this was looked at meanwhile. */
async function elsewhere() {
  const id = `elsewhere-${crypto.randomUUID().slice(0, 8)}`
  await configure(id)
  await bind(id)
  const { sid } = await send(id)
  assert.equal((await fixture.settled(sid, id)).states.sent, 1)
}

async function addsUp() {
  const { faults } = await fixture.eventlog.ledger.verify()
  assert.deepEqual(faults, [])
}

describe('notification: what waits for a binding that is deleted', () => {
  shareInstance()

  test('ends what waits for it, at once', async () => {
    await configure('gone')
    const { sid: BindingSid } = await bind('gone')
    answers.set('gone', () => later)
    const { sid } = await send('gone')
    await fixture.until(sid, waits, 'gone')
    await fixture.call('deleteBinding', { BindingSid }, 'gone')
    const shown = await show('gone', sid)
    assert.deepEqual(shown.states, { queued: 0, sending: 0, sent: 0, failed: 0, pruned: 1 })
    const last = 'pruned: its binding was deleted'
    assert.deepEqual(said(shown), ['queued', 'sent: recording', 'retry: 500', last])
    assert.equal(shown.deliveries[0].reason, 'its binding was deleted')
    answers.delete('gone')
    fixture.clock.advance(2 * hourMs)
    await elsewhere()
    assert.deepEqual(given('gone'), [old])
    await addsUp()
  })

  test('ends what was read ahead of its sending, also by another process', async () => {
    for (const whose of ['first', 'second']) {
      const id = `ahead-${whose}`
      await configure(id, slowly)
      for (const name of ['a', 'b', 'c']) {
        await bind(id, `${name}0`.repeat(32), { Endpoint: name })
      }
      const { sid } = await send(id)
      await fixture.until(sid, ({ states }) => states.sent === 1, id)
      const { bindings } = await fixture.call('listBinding', {}, id)
      const calls = whose === 'first' ? fixture : makeCalls(fixture.open())
      for (const { sid: BindingSid } of bindings) {
        assert.equal(await calls.call('deleteBinding', { BindingSid }, id), undefined)
      }
      const { states } = await show(id, sid)
      assert.deepEqual([states.queued, states.pruned], [0, 2])
      for (const _turn of bindings) {
        fixture.clock.advance(hourMs)
        await elsewhere()
      }
      assert.equal(given(id).length, 1)
    }
    await addsUp()
  })

  test('lets an attempt end that is under way, and counts it once', async () => {
    await configure('wire')
    const { sid: BindingSid } = await bind('wire')
    const held = gate()
    answers.set('wire', held.wait)
    const { sid } = await send('wire')
    await fixture.until(sid, () => held.waiting === 1, 'wire')
    await fixture.call('deleteBinding', { BindingSid }, 'wire')
    held.open(accepted)
    await elsewhere()
    assert.equal((await show('wire', sid)).states.pruned, 1)
    await addsUp()
  })
})

describe('notification: what waits for a binding that is registered again', () => {
  shareInstance()

  test('gets what waits at its new address, at once', async () => {
    await configure('new')
    await bind('new')
    answers.set('new', ({ address }) => (address === old ? later : accepted))
    const { sid } = await send('new')
    await fixture.until(sid, waits, 'new')
    const { sid: newSid } = await bind('new', other)
    const shown = await fixture.settled(sid, 'new')
    const moved = 'queued: its binding was registered again, at another address'
    const events = [
      'queued',
      'sent: recording',
      'retry: 500',
      moved,
      'sent: recording',
      'answer: accepted',
    ]
    assert.deepEqual(said(shown), events)
    const [{ bindingSid, address }] = shown.deliveries
    assert.deepEqual([bindingSid, address], [newSid, other])
    assert.deepEqual(given('new'), [old, other])
    await addsUp()
  })

  for (const outcome of [
    { kind: 'invalid_address', reason: '410 Unregistered' },
    { kind: 'invalid_address', reason: '400 BadDeviceToken', suspect: true },
  ] as const) {
    test(`is tried when the old address turns out as ${outcome.reason}, and stays`, async () => {
      const id = `under-way-${'suspect' in outcome}`
      await configure(id)
      await bind(id)
      const held = gate()
      answers.set(id, ({ address, ...job }) =>
        address === old ? held.wait({ address, ...job }) : accepted,
      )
      const { sid } = await send(id)
      await fixture.until(sid, () => held.waiting === 1, id)
      const { sid: newSid } = await bind(id, other)
      held.open(outcome)
      const shown = await fixture.settled(sid, id)
      assert.equal(shown.states.sent, 1)
      const retry = said(shown).filter((one: string) => one.startsWith('retry'))
      assert.match(retry.join(), new RegExp(`^retry: ${outcome.reason}`))
      assert.deepEqual(given(id), [old, other])
      const { bindings } = await fixture.call('listBinding', {}, id)
      assert.deepEqual(
        bindings.map((one: Answer) => one.sid),
        [newSid],
      )
      await addsUp()
    })
  }

  test('at the same address it waits as before', async () => {
    await configure('same')
    await bind('same')
    answers.set('same', () => later)
    const { sid } = await send('same')
    await fixture.until(sid, waits, 'same')
    const { sid: newSid } = await bind('same')
    await elsewhere()
    const shown = await show('same', sid)
    assert.deepEqual(said(shown), ['queued', 'sent: recording', 'retry: 500'])
    await fixture.call('deleteBinding', { BindingSid: newSid }, 'same')
    assert.equal((await show('same', sid)).states.pruned, 1)
  })

  test('gets it in another channel, in the format of that one', async () => {
    await configure('channel')
    await bind('channel')
    answers.set('channel', ({ address }) => (address === old ? later : accepted))
    const { sid } = await send('channel')
    await fixture.until(sid, waits, 'channel')
    const phone = '+15551230007'
    await bind('channel', phone, { BindingType: 'sms' })
    const shown = await fixture.settled(sid, 'channel')
    assert.deepEqual([shown.states.sent, shown.deliveries[0].channel], [1, 'sms'])
    assert.deepEqual(given('channel'), [old, phone])
  })

  test('by an import gets it at the imported address', async () => {
    await configure('import')
    await bind('import')
    answers.set('import', ({ address }) => (address === old ? later : accepted))
    const { sid } = await send('import')
    await fixture.until(sid, waits, 'import')
    const { service_sid } = (await fixture.call('listBinding', {}, 'import')).bindings[0]
    const row = { endpoint: 'phone', identity: 'ann', binding_type: 'apn', address: other }
    const when = new Date(fixture.clock.nowMs() + 1_000).toISOString()
    const rows = [
      { ...row, sid: `BS${'7'.repeat(32)}`, service_sid, date_created: when, date_updated: when },
    ]
    const where = { businessId: 'b', solutionId: 'import' }
    const done = await fixture.first.importBindings(where, { bindings: rows })
    assert.deepEqual([done.changed, done.failed], [1, []])
    assert.equal((await fixture.settled(sid, 'import')).states.sent, 1)
    assert.deepEqual(given('import'), [old, other])
  })
})

describe('notification: what waits at a Ttl of 0', () => {
  shareInstance()

  test('what comes while its channel is paused fails at once, and is never sent', async () => {
    await configure('paused')
    await bind('paused')
    answers.set('paused', () => slow)
    const first = await send('paused')
    await fixture.until(first.sid, waits, 'paused')
    const now = await send('paused', { Ttl: 0 })
    const shown = await fixture.settled(now.sid, 'paused')
    const why = `${atZero}: its channel is paused`
    assert.deepEqual(said(shown), ['queued', `failed: ${why}`])
    assert.deepEqual([shown.states.failed, shown.deliveries[0].reason], [1, why])
    assert.equal((await show('paused', first.sid)).states.queued, 1)
    answers.delete('paused')
    fixture.clock.advance(2 * hourMs)
    assert.equal((await fixture.settled(first.sid, 'paused')).states.sent, 1)
    assert.equal(given('paused').length, 2)
    await addsUp()
  })

  test('what its rate does not let begin within a moment fails', async () => {
    await configure('rated', slowly)
    for (const name of ['a', 'b', 'c']) {
      await bind('rated', `${name}0`.repeat(32), { Endpoint: name })
    }
    const { sid } = await send('rated', { Ttl: 0 })
    await fixture.until(sid, ({ states }) => states.sent === 1, 'rated')
    assert.equal((await show('rated', sid)).states.failed, 0)
    fixture.clock.advance(notificationLimits.notificationOnceMsMax + 1)
    const { states, deliveries } = await fixture.settled(sid, 'rated')
    assert.deepEqual([states.sent, states.failed], [1, 2])
    assert.deepEqual(
      deliveries.map(({ reason }: Answer) => reason),
      [null, atZero, atZero],
    )
    assert.equal(given('rated').length, 1)
    await addsUp()
  })

  test('a delivery for a busy device fails, and so does one with a later retry', async () => {
    await configure('busy')
    await bind('busy')
    answers.set('busy', () => ({ kind: 'retry', busy: true, reason: '429', afterMs: hourMs }))
    const waiting = await send('busy')
    await fixture.until(waiting.sid, waits, 'busy')
    const one = await fixture.settled((await send('busy', { Ttl: 0 })).sid, 'busy')
    const why = `failed: ${atZero}: its device takes no more for now`
    assert.deepEqual(said(one), ['queued', why])
    await bind('busy', other)
    answers.set('busy', () => later)
    const two = await fixture.settled((await send('busy', { Ttl: 0 })).sid, 'busy')
    assert.deepEqual(said(two), ['queued', 'sent: recording', 'failed: 500'])
    await addsUp()
  })

  test('it is not sent by a platform that was away when it was accepted', async (t) => {
    const apart = fakeProvider(() => accepted)
    const away = await dispatchFixture(t, [apart.provider])
    await away.bind('phone')
    const { sid } = await away.send({ Ttl: 0 })
    const stored = await away.send()
    away.clock.advance(notificationLimits.notificationOnceMsMax + 1)
    away.first.start()
    assert.equal((await away.settled(stored.sid)).states.sent, 1)
    const { states, deliveries } = await away.settled(sid)
    assert.deepEqual([states.failed, deliveries[0].reason], [1, atZero])
    assert.equal(apart.jobs.length, 1)
  })
})
