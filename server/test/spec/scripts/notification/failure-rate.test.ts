import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  type Answer,
  accepted,
  dispatchFixture,
  fakeProviders,
} from '../../../fixtures/peers/dispatch.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

const wrong = { kind: 'invalid_address', reason: '400 BadDeviceToken', suspect: true } as const
const gone = { kind: 'invalid_address', reason: '410 Unregistered' } as const
const noKey = { kind: 'refused', reason: '403 InvalidProviderToken', misconfigured: true } as const

describe('notification: a mistake of configuration does not remove bindings', () => {
  const suite = suiteContext()
  const { answers, apn } = fakeProviders()
  let fixture: Awaited<ReturnType<typeof dispatchFixture>>
  before(async () => {
    fixture = await dispatchFixture(suite, [apn.provider])
    fixture.first.start()
  })
  async function solution(id: string, bindings: number) {
    await fixture.configure(undefined, id)
    await fixture.bind('phone', undefined, 'apn', id)
    if (bindings > 1) await fixture.multiply(bindings, id)
  }
  async function send(id: string, args = {}): Promise<Answer> {
    return fixture.settled((await fixture.send(args, id)).sid, id)
  }
  const left = async (id: string) =>
    (await fixture.call('listBinding', { PageSize: 100 }, id)).bindings
  const faults = (id: string) =>
    fixture.lines.filter(({ solutionId, fault }) => solutionId === id && fault !== undefined)

  test('a fleet of which every token is bad stays, and the operator gets a warning', async () => {
    await solution('fleet', 40)
    answers.set('fleet', () => wrong)
    const { states, deliveries } = await send('fleet')
    assert.deepEqual([states.failed, states.pruned], [40, 0])
    assert.equal((await left('fleet')).length, 40)
    for (const { reason, timeline } of deliveries) {
      assert.match(
        reason,
        /^400 BadDeviceToken; the binding stays: so or alike are \d+ of the last/,
      )
      assert.deepEqual([timeline.at(-1).event, timeline.at(-1).text], ['failed', reason])
    }
    const { fault, faultAt } = await fixture.state('apn', 'fleet')
    const words = /^the configuration may be wrong: \d+ of the last \d+ answers say so, /
    assert.match(fault, words)
    assert.ok(faultAt > 0)
    assert.equal(faults('fleet').length, 1)
  })

  test('when it is mended, the fault goes, and so does one bad token', async () => {
    await solution('mended', 20)
    answers.set('mended', () => wrong)
    await send('mended')
    assert.notEqual((await fixture.state('apn', 'mended')).fault, null)
    await fixture.configure(
      { Providers: { apn: { provider: 'recording', key: 'right' } } },
      'mended',
    )
    const [{ sid: bad }] = (await left('mended')).slice(-1)
    answers.set('mended', ({ bindingSid }) => (bindingSid === bad ? wrong : accepted))
    await send('mended', { Title: 'good ones first' })
    const { states } = await send('mended')
    assert.equal((await fixture.state('apn', 'mended')).fault, null)
    const sids = (await left('mended')).map(({ sid }: Answer) => sid)
    assert.deepEqual([sids.length, sids.includes(bad)], [19, false])
    assert.equal(states.failed, 0)
  })

  test('an address that surely is gone is removed all the same', async () => {
    await solution('sure', 12)
    answers.set('sure', () => noKey)
    await send('sure')
    answers.set('sure', () => gone)
    assert.equal((await send('sure')).states.pruned, 12)
    assert.deepEqual(await left('sure'), [])
  })
})
