import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkBuiltin, processBuiltin, thresholdLevel } from './builtin.ts'

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

test('the level is carried from value to value, and from the last status', () => {
  const data = [82, 77, 74, 20].map((value, ts) => ({ ts, value, origin: 'o', generated: 'g' }))
  const constants = { ...above, hysteresis: 5 }
  const [statuses] = processBuiltin('threshold', { data, constants, previous: undefined })
  const levels = statuses?.map((one) => (one.value as { level: number }).level)
  assert.deepEqual(levels, [3, 3, 2, 0])
  const [one] = processBuiltin('threshold', {
    data: data.slice(1, 2),
    constants,
    previous: { level: 3 },
  })
  assert.deepEqual(one?.[0]?.value, { level: 3, type: 'threshold', value: 77 })
  assert.equal(one?.[0]?.origin, 'o', 'the fields of the source are kept')
})

test('a threshold without thresholds, and a function that is not there', () => {
  assert.throws(() => checkBuiltin('threshold', { direction: 'above' }), {
    code: 'invalid_argument',
  })
  checkBuiltin('threshold', { warning: 0 })
  const call = { data: [], constants: {}, previous: undefined }
  assert.throws(() => processBuiltin('nothing', call), { code: 'not_found' })
})
