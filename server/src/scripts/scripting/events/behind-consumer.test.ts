import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createLogger } from '../../../foundation/kernel/index.ts'
import type { CatchUpOptions } from './behind-consumer.ts'
import { CatchUp } from './behind-consumer.ts'

const solution = { businessId: 'b', solutionId: 'pump' }

it('reads for no solution after its stop, though a batch may end then', async () => {
  let taken = 0
  const never = () => new Promise<never>(() => {})
  const options = {
    database: { rows: async () => [], one: never },
    eventlog: {
      keepFrom() {},
      ledger: { addStage() {} },
      epochFor() {
        taken += 1
        return undefined
      },
    },
    logger: createLogger('silent'),
  } as unknown as CatchUpOptions
  const catchUp = new CatchUp(options)
  catchUp.start()
  catchUp.extended(0, [solution])
  assert.ok(catchUp.isBehind(0, solution.solutionId))
  await catchUp.stop()
  assert.equal(taken, 1)
  catchUp.extended(0, [solution])
  assert.equal(taken, 1)
})

it('keeps a solution behind while the lease on its partition is renewed late', async () => {
  const options = {
    database: { rows: async () => [] },
    eventlog: { keepFrom() {}, ledger: { addStage() {} }, epochFor: () => undefined },
    logger: createLogger('silent'),
  } as unknown as CatchUpOptions
  const catchUp = new CatchUp(options)
  catchUp.extended(0, [solution])
  await catchUp.caughtUp()
  // The lease may be there again: later events of its devices are not to pass those that are left.
  assert.ok(catchUp.isBehind(0, solution.solutionId))
  // It was another's, which has dealt with all.
  await catchUp.load(0)
  assert.equal(catchUp.isBehind(0, solution.solutionId), false)
  await catchUp.stop()
})
