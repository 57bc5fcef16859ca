import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Constants } from '../types.ts'
import { checkBuiltin, runBuiltin } from './registry.ts'
import { thresholdLevel } from './threshold.ts'

const above = { direction: 'above', info: 60, warning: 70, critical: 80 }

test('a threshold is crossed strictly, on either side', () => {
  const rows: [number, number][] = [
    [60, 0],
    [60.001, 1],
    [70, 1],
    [70.001, 2],
    [80, 2],
    [80.001, 3],
  ]
  for (const [value, level] of rows)
    assert.equal(thresholdLevel(above, value, 0), level, `${value}`)
  const below = { direction: 'below', warning: 10, critical: 5 }
  const under = [10, 9.99, 5, 4.99].map((value) => thresholdLevel(below, value, 0))
  assert.deepEqual(under, [0, 2, 2, 3])
})

test('a level that was reached is left only past its hysteresis', () => {
  const constants = { ...above, hysteresis: 5 }
  assert.equal(thresholdLevel(constants, 76, 0), 2, 'not reached before: no slack')
  assert.equal(thresholdLevel(constants, 75.001, 3), 3)
  assert.equal(thresholdLevel(constants, 75, 3), 2)
  assert.equal(thresholdLevel(constants, 65.001, 2), 2)
  assert.equal(thresholdLevel(constants, 65, 2), 1)
  assert.equal(thresholdLevel(constants, 55, 1), 0)
  const below = { direction: 'below', warning: 10, hysteresis: 2 }
  assert.equal(thresholdLevel(below, 11.999, 2), 2)
  assert.equal(thresholdLevel(below, 12, 2), 0)
})

/** The levels of values, a second after each other. */
function computeLevels(
  constants: Constants,
  values: readonly number[],
  previous?: unknown,
): unknown[] {
  const data = values.map((value, at) => ({
    ts: at * 1_000_000,
    value,
    origin: 'o',
    generated: 'g',
  }))
  const given = { functionId: 'threshold', constants, data, previous, state: undefined }
  const { value } = runBuiltin({ ...given, isNew: () => true, nowUs: 0 })
  assert.ok(
    value[0]?.every(({ origin }) => origin === 'o'),
    'the fields of the source are kept',
  )
  return (value[0] ?? []).map((one) => (one.value as { level: number }).level)
}

test('the level is carried from value to value, and from the last status', () => {
  const constants = { ...above, hysteresis: 5 }
  assert.deepEqual(computeLevels(constants, [82, 77, 74, 20]), [3, 3, 2, 0])
  assert.deepEqual(computeLevels(constants, [77], { level: 3 }), [3])
  assert.deepEqual(computeLevels(constants, [77]), [2])
})

test('a level has to last so many seconds, a lower one counts at once', () => {
  const constants = { ...above, hysteresis: 5, seconds: 2 }
  assert.deepEqual(computeLevels(constants, [85, 85, 85, 85]), [0, 0, 3, 3])
  assert.deepEqual(computeLevels(constants, [65, 75, 85, 75, 85]), [0, 0, 1, 2, 2])
  assert.deepEqual(computeLevels(constants, [85, 85, 55, 85, 85, 85]), [0, 0, 0, 0, 0, 3])
  assert.deepEqual(
    computeLevels({ ...constants, seconds: 2.000001 }, [85, 85, 85, 85]),
    [0, 0, 0, 3],
  )
})

test('a threshold without thresholds, and a function that is not there', () => {
  assert.throws(() => checkBuiltin('threshold', { direction: 'above' }), {
    code: 'invalid_argument',
  })
  checkBuiltin('threshold', { warning: 0 })
  const call = { data: [], constants: {}, previous: undefined, state: undefined, nowUs: 0 }
  assert.throws(() => runBuiltin({ ...call, functionId: 'nothing', isNew: () => true }), {
    code: 'not_found',
  })
})
