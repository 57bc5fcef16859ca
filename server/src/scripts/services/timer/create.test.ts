import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { waitMsMax } from '../../../../test/fixtures/bounds.ts'
import { testDatabase } from '../../../../test/fixtures/database.ts'
import { createLogger, Fault, systemClock, systemRandom } from '../../../foundation/kernel/index.ts'
import type { ServiceCall } from '../../scripting/index.ts'
import { createTimers } from './create.ts'
import { timerLimits } from './limits.ts'
import { nextDue } from './store.ts'

type Gone = () => Error | undefined

/** Timers whose polls of the database are counted, and whose solutions may be deleted. */
async function openTimers(t: TestContext, gone: Gone = () => undefined) {
  const database = await testDatabase(t)
  let looks = 0
  const timers = createTimers({
    database: {
      ...database,
      transaction(work) {
        looks += 1
        return database.transaction(work)
      },
    },
    deliveries: { addIn: async () => {} },
    solutions: {
      async get() {
        const error = gone()
        if (error !== undefined) throw error
        return {} as never
      },
    },
    clock: systemClock(),
    random: systemRandom,
    logger: createLogger('silent'),
  })
  const call = { businessId: 'b', solutionId: 'pump', alias: 'timer' } as ServiceCall
  const sendAfter = timers.service.operation('sendAfter') ?? assert.fail()
  return {
    timers,
    looks: () => looks,
    due: () => nextDue(database),
    send: (duration: number) => sendAfter(call, { duration }),
  }
}

describe('timers', () => {
  it('are looked for from time to time, however far ahead the next one is', async (t) => {
    const { timers, looks, send } = await openTimers(t)
    for (const set of [async () => {}, () => send(timerLimits.timerMsMax)]) {
      await set()
      const since = performance.now()
      const before = looks()
      timers.start()
      while (looks() < before + 3) {
        assert.ok(performance.now() - since < waitMsMax)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      const pauses = (performance.now() - since) / timerLimits.timerPollMs
      assert.ok(looks() - before <= pauses + 2, `${looks() - before} looks in ${pauses} pauses`)
    }
    await timers.stop()
  })

  it('of a solution that was removed meanwhile are refused and gone', async (t) => {
    let error: Fault | undefined
    const { send, due } = await openTimers(t, () => error)
    await send(1)
    error = new Fault('database_unavailable', 'it is away')
    await assert.rejects(send(2), { code: 'database_unavailable' })
    assert.notEqual(await due(), undefined, 'what says nothing of the solution removes nothing')
    error = new Fault('not_found', 'no such solution')
    await assert.rejects(send(3), { code: 'not_found' })
    assert.equal(await due(), undefined)
  })
})
