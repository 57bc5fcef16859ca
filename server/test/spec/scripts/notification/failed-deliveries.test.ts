import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { DeliveryOutcome } from '../../../../src/scripts/services/notification/providers/index.ts'
import { dispatchFixture, fakeProvider } from '../../../fixtures/peers/dispatch.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

describe('deliveries of notifications that failed', () => {
  const suite = suiteContext()
  let answer: DeliveryOutcome = { kind: 'refused', reason: '400 no such topic' }
  const apn = fakeProvider(() => answer)
  let fixture: Awaited<ReturnType<typeof dispatchFixture>>
  const own = ['pump']
  const list = () => fixture.first.failures.list(own, undefined, 10)

  before(async () => {
    fixture = await dispatchFixture(suite, [apn.provider])
    fixture.first.start()
    await fixture.configure(undefined, 'pump')
    await fixture.bind('phone', undefined, 'apn', 'pump')
  })

  async function failed(Title: string) {
    const { sid } = await fixture.send({ Title }, 'pump')
    await fixture.settled(sid, 'pump')
    return sid as string
  }

  it('are listed with their message, and sent again', async () => {
    const sid = await failed('Hot')
    const [one = assert.fail()] = await list()
    assert.deepEqual(
      [one.notificationSid, one.channel, one.reason, one.message.title],
      [sid, 'apn', '400 no such topic', 'Hot'],
    )
    const { failures } = fixture.first
    await assert.rejects(failures.get(['other'], one.id), { code: 'not_found' })
    await assert.rejects(failures.retry(['other'], one.id), { code: 'not_found' })
    await assert.rejects(failures.get(own, "1' or '1"), { code: 'not_found' })
    answer = { kind: 'accepted' }
    assert.equal(await failures.retry(own, one.id), 1)
    const { states, deliveries } = await fixture.settled(sid, 'pump')
    assert.deepEqual([states.sent, states.failed], [1, 0])
    const events = deliveries[0].timeline.map(({ event }: { event: string }) => event)
    assert.ok(events.includes('failed') && events.at(-1) !== 'failed', events.join())
    assert.deepEqual(await list(), [])
    await assert.rejects(failures.retry(own, one.id), { code: 'not_found' })
  })

  it('are listed newest first, page by page, and discarded', async () => {
    answer = { kind: 'refused', reason: 'no' }
    for (const title of ['one', 'two', 'three']) await failed(title)
    const all = await list()
    assert.deepEqual(
      all.map(({ message }) => message.title),
      ['three', 'two', 'one'],
    )
    const [first = assert.fail()] = all
    const key = { failedAtUs: first.failedAt, id: first.id }
    assert.deepEqual(await fixture.first.failures.list(own, key, 10), all.slice(1))
    assert.equal(await fixture.first.failures.discard(own, first.id), 1)
    answer = { kind: 'accepted' }
    assert.equal(await fixture.first.failures.retry(own), 2)
    assert.equal(await fixture.first.failures.discard(own), 0)
    assert.deepEqual(await list(), [])
  })

  async function failedFor(Endpoint: string, args: object = {}) {
    answer = { kind: 'refused', reason: 'no' }
    const { sid: BindingSid } = await fixture.bind(Endpoint, undefined, 'apn', 'pump')
    const { sid } = await fixture.send({ Title: Endpoint, ...args }, 'pump')
    await fixture.settled(sid, 'pump')
    answer = { kind: 'accepted' }
    apn.jobs.length = 0
    return { sid, BindingSid }
  }

  /** Sends all again, and checks to whom. */
  async function retriesAll(sid: string, expected: string[]) {
    assert.equal(await fixture.first.failures.retry(own), expected.length)
    await fixture.settled(sid, 'pump')
    const { faults } = await fixture.eventlog.ledger.verify()
    assert.deepEqual([apn.jobs.map(({ address }) => address), faults], [expected, []])
  }

  it('are not sent again to a person who has unsubscribed', async () => {
    const { sid, BindingSid } = await failedFor('phone')
    await fixture.call('deleteBinding', { BindingSid }, 'pump')
    assert.deepEqual(await list(), [])
    await retriesAll(sid, [])
    const shown = await fixture.settled(sid)
    assert.deepEqual([shown.states.failed, shown.states.pruned], [0, 1])
    const gone = await fixture.database.run("delete from notification_job where state = 'pruned'")
    const { faults } = await fixture.eventlog.ledger.verify()
    assert.match(faults.join(), /^notifications, partition \d+: .* ended are counted, but/)
    const settle = `update eventlog_ledger set settled = settled + ${gone}`
    await fixture.database.run(`${settle} where stage = 'notifications'`)
  })

  it('are sent again to the address of now, and not to one that is gone', async () => {
    const { sid } = await failedFor('phone')
    await fixture.bind('phone', 'cd'.repeat(32), 'apn', 'pump')
    await retriesAll(sid, ['cd'.repeat(32)])
    await failedFor('phone')
    answer = { kind: 'invalid_address', reason: '410 Unregistered' }
    const { sid: pruning } = await fixture.send({ Title: 'gone' }, 'pump')
    assert.equal((await fixture.settled(pruning, 'pump')).states.pruned, 1)
    apn.jobs.length = 0
    await retriesAll(pruning, [])
    const [one = assert.fail()] = await list()
    const refusal = { code: 'invalid_argument', message: /binding was deleted/ }
    await assert.rejects(fixture.first.failures.retry(own, one.id), refusal)
    assert.equal(await fixture.first.failures.discard(own), 1)
  })

  it('are not sent again past their Ttl', async () => {
    const { sid } = await failedFor('phone', { Ttl: 60 })
    const [one = assert.fail()] = await list()
    fixture.clock.advance(61_000)
    await retriesAll(sid, [])
    const refusal = { code: 'invalid_argument', message: /Ttl is over/ }
    await assert.rejects(fixture.first.failures.retry(own, one.id), refusal)
    assert.equal((await list()).length, 1)
    assert.equal(await fixture.first.failures.discard(own), 1)
  })
})
