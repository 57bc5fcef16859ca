import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scriptingLimits } from '../limits.ts'
import { createBackoffs } from './delivery-runs.ts'

const firstUs = scriptingLimits.deliveryAgainMs * 1_000
const longestUs = scriptingLimits.deliveryAgainMsMax * 1_000

describe('the pauses of deliveries that could not begin', () => {
  it('become twice as long each time, up to the longest', () => {
    const { dueAtUs } = createBackoffs()
    const pauses: number[] = []
    for (let nowUs = 5; pauses.at(-1) !== longestUs || pauses.at(-2) !== longestUs; ) {
      const dueAt = dueAtUs('pump', nowUs)
      pauses.push(dueAt - nowUs)
      nowUs = dueAt
      assert.ok(pauses.length < 20)
    }
    const expected = pauses.map((_, at) => Math.min(longestUs, firstUs * 2 ** at))
    assert.deepEqual(pauses, expected)
    assert.equal(pauses[0], firstUs)
  })

  it('end at the same moment for all of a solution that could not begin meanwhile', () => {
    const { dueAtUs } = createBackoffs()
    const dueAt = dueAtUs('pump', 0)
    assert.equal(dueAtUs('pump', 1), dueAt)
    assert.equal(dueAtUs('pump', dueAt - 1), dueAt)
    assert.equal(dueAtUs('fan', 7), 7 + firstUs, 'another solution has its own')
    assert.equal(dueAtUs('pump', dueAt), dueAt + 2 * firstUs)
  })

  it('are short again once one began', () => {
    const { dueAtUs, reset: end } = createBackoffs()
    const dueAt = dueAtUs('pump', 0)
    dueAtUs('pump', dueAt)
    dueAtUs('fan', 0)
    end('pump')
    end('valve')
    assert.equal(dueAtUs('pump', 1), 1 + firstUs)
    assert.equal(dueAtUs('fan', firstUs), 3 * firstUs, 'that of another solution stays')
  })

  it(`are remembered of ${scriptingLimits.scriptMachinesMax} solutions at most`, () => {
    const { dueAtUs } = createBackoffs()
    const of = (at: number, nowUs: number) => dueAtUs(`solution ${at}`, nowUs)
    for (let at = 0; at < scriptingLimits.scriptMachinesMax; at += 1) of(at, 0)
    assert.equal(of(0, 1), firstUs, 'as many are remembered')
    of(scriptingLimits.scriptMachinesMax, 0)
    assert.equal(of(0, 1), 1 + firstUs, 'one more, and they begin anew')
    assert.equal(of(scriptingLimits.scriptMachinesMax, 1), firstUs)
  })
})
