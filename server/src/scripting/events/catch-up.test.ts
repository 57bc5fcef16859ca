import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createLogger } from '../../kernel/index.ts'
import { CatchUp } from './catch-up.ts'
import type { CatchUpOptions } from './catch-up-reader.ts'

const solution = { businessId: 'b', solutionId: 'pump' }

it('reads for no solution after its stop, though a batch may end then', async () => {
  let taken = 0
  const never = () => new Promise<never>(() => {})
  const options = {
    database: { rows: async () => [], one: never },
    eventlog: {
      keepFrom() {},
      ledger: { addStage() {} },
      epochOf() {
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
  assert.equal(catchUp.isBehind(0, solution.solutionId), false)
  assert.equal(taken, 1)
})
