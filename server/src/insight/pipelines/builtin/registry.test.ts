import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { type Json, limits } from '../../../foundation/kernel/index.ts'
import { pipelineLimits } from '../limits.ts'
import type { Constants } from '../types.ts'
import { distanceM, isInArea } from './geofence.ts'
import {
  type BuiltinResult,
  builtinFunctions,
  checkBuiltin,
  isStateful,
  type LinkState,
  readsPrevious,
  runBuiltin,
} from './registry.ts'

const usPerSecond = 1_000_000
const nowUs = 1_000 * usPerSecond

/** Runs a function on values of its first inlet, by the second of their time. */
function run(
  functionId: string,
  constants: Constants,
  values: readonly (readonly [number, Json])[],
  state?: LinkState,
): BuiltinResult {
  const data = values.map(([second, value]) => {
    const tags = { inlet: '0', signal: 's' }
    return { ts: second * usPerSecond, value, origin: 'o', generated: 'g', tags }
  })
  const given = { functionId, constants, data, previous: undefined, state, nowUs }
  return runBuiltin({ ...given, isNew: () => true })
}

const shown = ({ value }: BuiltinResult) =>
  (value[0] ?? []).map((one) => [one.ts / usPerSecond, one.value])

test('a state goes from call to call, and the result is that of one call', () => {
  const values = Array.from({ length: 50 }, (_, at) => [at, (at * 7) % 11] as const)
  for (const { id, inlets } of builtinFunctions()) {
    const constants: Constants = { state: '3', seconds: 2, warning: 5, lower: 4 }
    if (inlets.length > 1 || !isStateful({ functionId: id, constants })) continue
    const whole = run(id, constants, values)
    let state: LinkState | undefined
    const parts = []
    for (const one of values) {
      const part = run(id, constants, [one], state)
      // As the database gives it back.
      state = JSON.parse(JSON.stringify(part.state)) as LinkState
      parts.push(...shown(part))
    }
    assert.deepEqual(parts, shown(whole), id)
    assert.deepEqual(state, whole.state, id)
  }
})

test('the last value of its outlet matters only to a function that reads it', () => {
  const units = { from: 'METERS', to: 'METERS', expression: 'a' }
  const constants: Constants = { ...units, lower: 4, warning: 5, texts: ['6'], hysteresis: 3 }
  const data = [{ ts: 1, value: 4, origin: 'o', generated: 'g' }]
  const readers: string[] = []
  for (const { id: functionId } of builtinFunctions()) {
    const results = [undefined, { level: 2 }].map((previous) => {
      const given = { functionId, constants, data, previous, state: undefined, nowUs }
      return runBuiltin({ ...given, isNew: () => true })
    })
    const differs = !isDeepStrictEqual(results[0], results[1])
    assert.equal(differs, readsPrevious({ functionId, constants }), functionId)
    if (differs) readers.push(functionId)
  }
  assert.deepEqual(readers, ['threshold'])
  for (const other of [{ warning: 5 }, { ...constants, seconds: 2 }]) {
    assert.equal(readsPrevious({ functionId: 'threshold', constants: other }), false)
  }
})

test('a datum that is not newer than what was taken changes nothing', () => {
  const first = run('counter', {}, [[5, 1]])
  assert.deepEqual(shown(first), [[5, 1]])
  for (const second of [5, 4.999999]) {
    const again = run('counter', {}, [[second, 2]], first.state)
    assert.deepEqual([shown(again), again.state], [[], undefined])
  }
  assert.deepEqual(shown(run('counter', {}, [[5.000001, 2]], first.state)), [[5.000001, 2]])
})

test('data are taken in the order of their times, of one time the last', () => {
  const mixed = run('delta', {}, [
    [3, 30],
    [1, 10],
    [2, 19],
    [2, 20],
  ])
  assert.deepEqual(shown(mixed), [
    [2, 10],
    [3, 10],
  ])
})

test('after a stamp of the future a function begins anew', () => {
  const ahead = nowUs / usPerSecond + limits.clockLeadMsMax / 1_000
  const constants = { window: 9 }
  for (const [second, expected] of [
    [ahead, []],
    [ahead + 0.000001, [[1, 7]]],
  ] as const) {
    const { state } = run('sum', constants, [[second, 1]])
    assert.deepEqual(shown(run('sum', constants, [[1, 7]], state)), expected, String(second))
  }
})

test('the state of other constants is not used', () => {
  const { state } = run('counter', { step: 1 }, [[1, 1]])
  assert.deepEqual(shown(run('counter', { step: 1 }, [[2, 1]], state)), [[2, 2]])
  assert.deepEqual(shown(run('counter', { step: 5 }, [[2, 1]], state)), [[2, 5]])
})

test('a window has as many values as it says, and as young ones', () => {
  const sums = (constants: Constants, ...seconds: readonly number[]) =>
    shown(
      run(
        'sum',
        constants,
        seconds.map((at) => [at, 1] as const),
      ),
    ).map(([, value]) => value)
  assert.deepEqual(sums({ window: 2 }, 1, 2, 3), [1, 2, 2])
  assert.deepEqual(sums({ window: 9, seconds: 2 }, 1, 2, 3, 4.999999), [1, 2, 2, 2])
  assert.deepEqual(sums({ window: 9, seconds: 2 }, 1, 2.999999), [1, 2])
  assert.deepEqual(sums({ window: 9, seconds: 2 }, 1, 3), [1, 1])
})

test('a state is bounded, whatever comes', () => {
  const most = pipelineLimits.functionWindowValuesMax
  const many = Array.from(
    { length: most * 2 },
    (_, at) => [at / 10, -1.7976931348623157e308] as const,
  )
  const long = 'x'.repeat(1_000_000)
  for (const { id, inlets } of builtinFunctions()) {
    const seconds = pipelineLimits.functionWindowSecondsMax
    const constants: Constants = { window: most, seconds, warning: 1, lower: 0 }
    if (inlets.length > 1 || !isStateful({ functionId: id, constants })) continue
    const value = inlets[0]?.primitive_type === undefined ? ([[1, long]] as const) : many
    const { state } = run(id, constants, value)
    assert.ok(JSON.stringify(state ?? null).length < most * 50, id)
  }
})

test('a result that is no finite number is left out, with a complaint', () => {
  const scaled = run('scale', { multiplier: 1e308, offset: 0 }, [
    [1, 10],
    [2, 1],
  ])
  assert.deepEqual(shown(scaled), [[2, 1e308]])
  assert.deepEqual(scaled.complaints, ['a result is no finite number, and left out'])
  const counted = run('counter', { step: 1e308 }, [
    [1, 1],
    [2, 1],
  ])
  assert.deepEqual(shown(counted), [
    [1, 1e308],
    [2, 1e308],
  ])
})

test('constants that make no sense together are refused', () => {
  const rows: [string, Constants, RegExp][] = [
    ['range', {}, /lower and upper/],
    ['range', { lower: 2, upper: 1 }, /"lower" must not exceed/],
    ['text', { match: 'equals' }, /at least one text/],
    ['text', { match: 'contains', texts: ['a', ''] }, /at least one text/],
    ['convert', { from: 'METERS' }, /"to" is missing/],
    ['convert', { from: 'METERS', to: 'SECONDS' }, /no units of the same quantity/],
    ['calculate_2', { expression: 'a + c' }, /"c" is not known/],
    ['join_2', { names: ['a', 'a'] }, /a name of its own/],
    ['join_2', { names: ['b'] }, /a name of its own/],
    ['sum', { window: 1.5 }, /whole number/],
    ['geofence_circle', { latitude: 1 }, /latitude and the longitude/],
    ['geofence_area', { latitudes: [1, 2], longitudes: [1, 2] }, /at least 3 corners/],
    ['geofence_area', { latitudes: [1, 2, 3], longitudes: [1, 2] }, /as many longitudes/],
  ]
  for (const [id, constants, message] of rows) {
    assert.throws(() => checkBuiltin(id, constants), { code: 'invalid_argument', message }, id)
  }
})

test('a bound of a range belongs to it, and a place on a circle lies in it', () => {
  const level = (constants: Constants, value: Json, id: string) =>
    (shown(run(id, constants, [[1, value]]))[0]?.[1] as { level: number }).level
  for (const [value, expected] of [
    [0.999, 2],
    [1, 0],
    [2, 0],
    [2.001, 2],
  ] as const) {
    assert.equal(level({ lower: 1, upper: 2 }, value, 'range'), expected, String(value))
  }
  const radius = distanceM({ lat: 1, lng: 2 }, { lat: 1, lng: 3 })
  const at = { latitude: 1, longitude: 2, radius }
  assert.equal(level(at, { lat: 1, lng: 3 }, 'geofence_circle'), 0)
  assert.equal(level({ ...at, radius: radius - 1 }, { lat: 1, lng: 3 }, 'geofence_circle'), 2)
})

test('distances on the earth, and areas with a corner that juts in', () => {
  const near = (a: number, b: number) => Math.abs(a - b) < 1
  assert.ok(near(distanceM({ lat: 0, lng: 0 }, { lat: 0, lng: 180 }), Math.PI * 6_371_008.8))
  assert.ok(near(distanceM({ lat: 0, lng: 179.5 }, { lat: 0, lng: -179.5 }), 111_195.08))
  const arrow = [
    { lat: 0, lng: 0 },
    { lat: 10, lng: 5 },
    { lat: 0, lng: 10 },
    { lat: 5, lng: 5 },
  ]
  assert.equal(isInArea({ lat: 7, lng: 5 }, arrow), true)
  assert.equal(isInArea({ lat: 3, lng: 5 }, arrow), false)
  assert.equal(isInArea({ lat: 1, lng: 0.9 }, arrow), true)
})

test('a location that is none is a complaint', () => {
  const at = { latitude: 1, longitude: 2, radius: 5 }
  for (const value of [null, 'x', [1, 2], { lat: 91, lng: 0 }, { lat: 1 }, { lat: '', lng: '1' }]) {
    const { value: outlets, complaints } = run('geofence_circle', at, [[1, value]])
    assert.deepEqual(outlets, [[]], JSON.stringify(value))
    assert.deepEqual(complaints, ['the value is no location with lat and lng'])
  }
})

test('several inlets: at each new time, with what the others have then', () => {
  const datum = (inlet: number, ts: number, value: Json) => {
    return { ts, value, origin: 'o', generated: 'g', tags: { inlet: String(inlet) } }
  }
  const held = datum(1, 3, 100)
  const data = [datum(0, 5, 1), datum(0, 2, 2), held]
  const { value } = runBuiltin({
    functionId: 'calculate_2',
    constants: { expression: 'a + b' },
    data,
    previous: undefined,
    state: undefined,
    isNew: (one) => one !== held,
    nowUs,
  })
  assert.deepEqual(
    value[0]?.map((one) => [one.ts, one.value]),
    [
      [2, 102],
      [5, 101],
    ],
  )
})
