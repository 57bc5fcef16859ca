import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { readProcessAnswer } from '../protocol.ts'

const limits = { valuesMax: 4 }
const s = { ts: 1_700_000_000_000_000, value: 1.5, origin: 'o', generated: 'g' }

test('one array an outlet, each with any number of signals', () => {
  const full = { ...s, gts: 5, ttl: 2, tags: { inlet: '0' } }
  deepEqual(readProcessAnswer([[full, s], []], 2, limits), {
    value: [[full, s], []],
    complaints: [],
    unusable: [],
  })
})

for (const value of ['text', 0, false, { a: [1] }]) {
  test(`a value may be ${JSON.stringify(value)}`, () => {
    const read = readProcessAnswer([[{ ...s, value }]], 1, limits)
    deepEqual(read, { value: [[{ ...s, value }]], complaints: [], unusable: [] })
  })
}

for (const [outletCount, value] of [
  [0, []],
  [1, [[]]],
  [2, [[], []]],
] as const) {
  test(`[[]] is nothing to say, with ${outletCount} outlets`, () => {
    deepEqual(readProcessAnswer([[]], outletCount, limits), { value, complaints: [], unusable: [] })
  })
}

test('value null is no output, with a complaint', () => {
  deepEqual(readProcessAnswer([[{ ...s, value: null }, s]], 1, limits), {
    value: [[s]],
    complaints: ['outlet 0: value is null, taken as no output'],
    unusable: [],
  })
})

test('more outlets than declared are dropped, with a complaint', () => {
  deepEqual(readProcessAnswer([[s], [s]], 1, limits), {
    value: [[s]],
    complaints: ['2 outlets answered, 1 declared; the rest is left out'],
    unusable: [],
  })
})

test('fewer outlets than declared are filled with nothing, with a complaint', () => {
  deepEqual(readProcessAnswer([[s]], 2, limits), {
    value: [[s], []],
    complaints: ['1 outlets answered, 2 declared'],
    unusable: [],
  })
})

test('extra fields are dropped, with one complaint for all', () => {
  const extra = { ...s, colour: 'red' }
  deepEqual(readProcessAnswer([[extra, extra]], 1, limits), {
    value: [[s, s]],
    complaints: ['outlet 0: fields that the protocol does not know: ["colour"]'],
    unusable: [],
  })
})

test('a time in digits or with a fraction is taken; without one the value is unusable', () => {
  const { ts: _, ...timeless } = s
  const read = readProcessAnswer([[{ ...s, ts: '12' }, { ...s, ts: 3.7 }, timeless]], 1, limits)
  deepEqual(read, {
    value: [
      [
        { ...s, ts: 12 },
        { ...s, ts: 3 },
      ],
    ],
    complaints: ['outlet 0: ts is "12", taken as 12', 'outlet 0: ts is 3.7, taken as 3'],
    unusable: ['outlet 0: ts is missing'],
  })
})

test('empty ids and tags that are no strings are complained about', () => {
  const sloppy = { ...s, origin: '', tags: { a: '', b: 1, c: 'kept' } }
  deepEqual(readProcessAnswer([[sloppy]], 1, limits), {
    value: [[{ ...s, origin: 'g', tags: { c: 'kept' } }]],
    complaints: [
      'outlet 0: origin is missing',
      'outlet 0: tags that are no string of at least one character are left out',
    ],
    unusable: [],
  })
})

test('what cannot be read is unusable, the rest is used', () => {
  deepEqual(readProcessAnswer([s, [s, 'x', { ...s, ts: 'x' }]], 2, limits), {
    value: [[], [s]],
    complaints: ['outlet 1: ts is "x", not an integer; it is left out'],
    unusable: [
      'outlet 0 is an object, not an array',
      'outlet 1: a signal is a string, not an object',
      'outlet 1: ts is "x", no time',
    ],
  })
})

test('null in place of an outlet or of a signal is no output, with a complaint', () => {
  deepEqual(readProcessAnswer([null, [null, s]], 2, limits), {
    value: [[], [s]],
    complaints: [
      'outlet 0 is null, taken as no output',
      'outlet 1: a signal is null, taken as no output',
    ],
    unusable: [],
  })
})

test('as many values as allowed are read; one more is an error', () => {
  equal(
    readProcessAnswer(
      [
        [s, s],
        [s, s],
      ],
      2,
      limits,
    ).error,
    undefined,
  )
  const read = readProcessAnswer(
    [
      [s, s, s],
      [s, s],
    ],
    2,
    limits,
  )
  deepEqual(read, { error: 'the answer holds more than 4 values' })
})

for (const [json, said] of [
  [{}, 'an object'],
  ['<!doctype html>', 'HTML or XML'],
  [null, 'null'],
  [undefined, 'missing'],
  ['ok', 'a string'],
  [3, 'a number'],
] as const) {
  test(`an answer that is ${said} is an error`, () => {
    deepEqual(readProcessAnswer(json, 1, limits), {
      error: `the answer is ${said}, not an array of arrays`,
    })
  })
}

test('an ErrorResponse that came as a success is quoted', () => {
  const read = readProcessAnswer({ message: 'no data', status: 500, name: 'E' }, 1, limits)
  equal(read.error, 'the answer is an object, not an array of arrays; it says "no data"')
})
