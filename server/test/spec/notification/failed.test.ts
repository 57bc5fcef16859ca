import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { DeliveryOutcome } from '../../../src/services/notification/providers/index.ts'
import { dispatchFixture, fakeProvider } from '../../fixtures/peers/dispatch.ts'
import { suiteContext } from '../../fixtures/suite.ts'

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
})
