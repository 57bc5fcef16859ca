import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Signal } from '../../../../src/insight/assets/index.ts'
import { wholeView } from '../../../../src/people/groups/index.ts'
import { setStatus } from '../../../fixtures/assets.ts'
import { interfaceFixture, until } from '../../../fixtures/interface.ts'

type Row = Readonly<Record<string, unknown>>

const remember = 'Keystore.command{key = "got", command = "rpush", args = {to_json(event)}}'
const minuteUs = 60_000_000

/** A solution that keeps the events of assets, and an asset with a rule. */
async function eventsFixture(t: TestContext) {
  const fixture = await interfaceFixture(t, { movesClock: true })
  const { platform, clock } = fixture.millrace
  const { assets, pipelines, database, scripting } = platform
  const view = wholeView(fixture.businessId)
  const { id: assetId } = await assets.create(view, {
    name: 'Pump',
    signals: [{ name: 'in', primitiveType: 'NUMERIC', timeoutMs: 60_000 }],
  })
  const [signal] = await assets.signals.ofAssets(view, [assetId])
  assert.ok(signal)
  const link = await pipelines.links.create(view, {
    assetId,
    moduleId: 'builtin',
    functionId: 'threshold',
    constants: { warning: 60 },
    inlets: [{ signalId: signal.id }],
  })
  return {
    ...fixture,
    assetId,
    link,
    signal,
    async set(level: 0 | 1 | 2 | 3 | 4, ts: number, fails = false) {
      const work = database.transaction(async (held) => {
        const status = { ts, level, type: 'high', value: 70, signalId: signal.id }
        await setStatus(assets, held, fixture.businessId, assetId, link.id, status)
        if (fails) throw new Error('the transaction fails')
      })
      await work.catch((error) => assert.ok(fails, error))
    },
    async speak({ key }: Signal) {
      const ts = clock.nowUs()
      await database.transaction((held) => assets.writeValues(held, [{ key, ts, value: 1 }]))
    },
    /** Returns the rows that the solution was given, once nothing waits. */
    async got(count: number, id = 'pump'): Promise<Row[]> {
      const list = await until(
        async () => {
          const isBehind = await scripting.api.deliveries.isBehind(id, 1)
          const kept = (await fixture.run(id, 'return Keystore.get{key = "got"}')) as Row
          return { isBehind, kept: (kept.value ?? []) as string[] }
        },
        ({ isBehind, kept }) => !isBehind && kept.length >= count,
      )
      return list.kept.map((text) => JSON.parse(text))
    },
  }
}

describe('scripts get an event for a status change', () => {
  it('asset_status is called with each change of a level, and with no other value', async (t) => {
    const { put, set, got, assetId, link, signal } = await eventsFixture(t)
    await put('pump', 'asset_status', remember)
    await set(2, 1_000)
    await set(2, 2_000)
    await set(0, 3_000)
    const [first, second, ...others] = await got(2)
    assert.deepEqual(others, [])
    const { event_id: eventId, ...event } = first ?? {}
    assert.equal(typeof eventId, 'string')
    assert.deepEqual(event, {
      asset_id: assetId,
      rule_id: link.id,
      signal_id: signal.id,
      category: 'default',
      level: 2,
      name: 'warning',
      previous: 0,
      type: 'high',
      value: 70,
      timestamp: 1_000,
    })
    assert.deepEqual([second?.level, second?.previous, second?.timestamp], [0, 2, 3_000])
  })

  it('also when a signal falls silent, and when it speaks again', async (t) => {
    const { put, got, speak, signal, millrace } = await eventsFixture(t)
    await put('pump', 'asset_status', remember)
    const { timeouts } = millrace.platform.assets
    await speak(signal)
    await timeouts.look()
    millrace.clock.advance((2 * minuteUs) / 1_000)
    await timeouts.look()
    await speak(signal)
    await timeouts.look()
    const events = await got(2)
    assert.deepEqual(
      events.map(({ category, level, previous, rule_id: rule }) => [
        category,
        level,
        previous,
        rule,
      ]),
      [
        ['timeout', 2, 0, undefined],
        ['timeout', 0, 2, undefined],
      ],
    )
  })

  it('of no change that was not committed', async (t) => {
    const { put, set, got } = await eventsFixture(t)
    await put('pump', 'asset_status', `function handle_asset_status(event) ${remember} end`)
    await set(3, 1_000, true)
    await set(1, 2_000)
    assert.deepEqual(
      (await got(1)).map(({ level }) => level),
      [1],
    )
  })

  it('in the solutions of its business alone, as soon as they have a handler', async (t) => {
    const { solution, put, set, got, otherOwner } = await eventsFixture(t)
    const other = await otherOwner()
    await solution('fan')
    await solution('strange', other)
    await put('strange', 'asset_status', remember, other)
    await put('fan', 'asset_status', remember)
    await set(1, 1_000)
    await put('pump', 'asset_status', remember)
    await set(2, 2_000)
    const levels = async (id: string, count: number) =>
      (await got(count, id)).map(({ level }) => level)
    assert.deepEqual(await levels('fan', 2), [1, 2])
    assert.deepEqual(await levels('pump', 1), [2])
  })
})
