import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { testDatabase } from '../../../test/fixtures/database.ts'
import { atEnd } from '../../../test/fixtures/ends.ts'
import { createEventLog } from '../../eventlog/index.ts'
import { createLogger, limits, systemRandom } from '../../kernel/index.ts'
import { createDeliveries } from './deliveries.ts'
import { createSettler } from './settle.ts'

const nowUs = Date.now() * 1_000
const clock = { nowUs: () => nowUs, nowMs: () => nowUs / 1_000, elapsedMs: () => 0 }

/** Deliveries of which none is run. */
async function openDeliveries(t: TestContext) {
  const database = await testDatabase(t)
  const logger = createLogger('silent')
  const eventlog = createEventLog({ database, clock, logger, effects: () => [] })
  atEnd(t, () => eventlog.close())
  const needs = { database, eventlog, clock, logger, random: systemRandom, owner: 'this process' }
  const keeper = createDeliveries({
    ...needs,
    settler: createSettler(needs),
    run: () => assert.fail('nothing is run'),
    retryOf: async () => undefined,
    wake: () => {},
  })
  return {
    keeper,
    /** Keeps so many that failed then. */
    failed: (count: number, failedAt: number, solutionId = 'pump') =>
      database.run(
        `insert into scripting_delivery (solution_id, id, business_id, part, state, service,
           event, argument, tracking_id, depth, tries, due_at, created_at, updated_at, error)
         select $1, 'd' || $2::bigint || 'n' || n, 'b', 0, 'dead', 'device2', 'event', '1', 't',
           0, 1, 0, 0, $2::bigint, '{}'
         from generate_series(1, $3::integer) as n`,
        [solutionId, failedAt, count],
      ),
    async ids(): Promise<string[]> {
      const rows = await database.rows<{ id: string }>('select id from scripting_delivery')
      return rows.map(({ id }) => id)
    },
  }
}

describe('deliveries that failed', () => {
  it(`stay for ${limits.deadDeliveryHours} hours, and are gone a microsecond later`, async (t) => {
    const { keeper, failed, ids } = await openDeliveries(t)
    const beforeUs = nowUs - limits.deadDeliveryHours * 3_600_000_000
    await failed(limits.retentionBatchMax + 1, beforeUs - 1)
    await failed(1, beforeUs)
    await keeper.sweep()
    assert.deepEqual(await ids(), [`d${beforeUs}n1`])
  })

  it(`are the newest ${limits.deadDeliveriesMax} of each solution`, async (t) => {
    const { keeper, failed, ids } = await openDeliveries(t)
    await failed(1, nowUs - 2)
    await failed(limits.deadDeliveriesMax, nowUs - 1)
    await failed(1, nowUs - 3, 'zebra')
    await keeper.sweep()
    const kept = await ids()
    assert.equal(kept.length, limits.deadDeliveriesMax + 1)
    assert.ok(!kept.includes(`d${nowUs - 2}n1`))
    assert.equal(await keeper.retryAll('b', 'pump'), limits.deadDeliveriesMax)
    assert.equal(await keeper.discardAll('b', 'zebra'), 1)
  })
})
