import { strict as assert } from 'node:assert'
import { describe, test } from 'node:test'
import { type Costs, compare, medianCost } from './verdict.ts'

describe('the guard of the CPU of requests', () => {
  /** Answers with one of these after the other, and notes what was asked for. */
  function measuring(...answers: readonly Costs[]) {
    const asked: (readonly string[])[] = []
    const measure = async (names: readonly string[]): Promise<Costs> => {
      asked.push(names)
      const costs = answers[asked.length - 1] ?? {}
      return Object.fromEntries(names.map((name) => [name, costs[name] ?? Number.NaN]))
    }
    return { asked, measure }
  }

  test('counts in turns of the calibration around each window, and takes the middle', () => {
    const quiet = { cpuUs: 30, beforeUs: 90, afterUs: 110 }
    const slow = { cpuUs: 62, beforeUs: 190, afterUs: 210 }
    const burst = { cpuUs: 90, beforeUs: 100, afterUs: 100 }
    assert.equal(medianCost([quiet, burst, slow]), 0.31)
  })

  test('passes up to a quarter more than was landed', async () => {
    const { asked, measure } = measuring({ write: 1.25, list: 0.5 })
    const { costs, failed } = await compare(['write', 'list'], { write: 1, list: 1 }, measure)
    assert.deepEqual(failed, [])
    assert.deepEqual(costs, { write: 1.25, list: 0.5 })
    assert.equal(asked.length, 1)
  })

  test('measures again what costs more, and that alone', async () => {
    const { asked, measure } = measuring({ write: 1.26, list: 1 }, { write: 1.3 }, { write: 1.1 })
    const { costs, failed } = await compare(['write', 'list'], { write: 1, list: 1 }, measure)
    assert.deepEqual(failed, [])
    assert.deepEqual(costs, { write: 1.1, list: 1 })
    assert.deepEqual(asked, [['write', 'list'], ['write'], ['write']])
  })

  test('fails what costs more each of three times', async () => {
    const { asked, measure } = measuring({ write: 1.4 }, { write: 1.3 }, { write: 1.26 })
    const { costs, failed } = await compare(['write'], { write: 1 }, measure)
    assert.deepEqual([failed, costs], [['write'], { write: 1.26 }])
    assert.equal(asked.length, 3)
  })

  test('takes a request that was never landed as it is', async () => {
    const { measure } = measuring({ write: 9 })
    assert.deepEqual(await compare(['write'], {}, measure), { costs: { write: 9 }, failed: [] })
  })
})
