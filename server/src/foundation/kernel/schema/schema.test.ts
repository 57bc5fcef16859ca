import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from 'typebox'
import { Fault } from '../errors.ts'
import { limits } from '../limits.ts'
import { AnyValue, Nullable, RecordOf, StrictObject, Text } from './build.ts'
import { createArgumentsParser, createSettingsParser } from './parser.ts'
import { withoutRefused } from './refused-parts.ts'

const pump = StrictObject({
  name: Type.String({ minLength: 1, maxLength: 5, numberAsText: true }),
  speed: Type.Integer({ minimum: 1, maximum: 9, default: 5, digitsAsNumber: true }),
  mode: Type.Optional(Type.Enum(['on', 'off'], { emptyAsMissing: true })),
  tags: Type.Array(Type.String({ rule: 'must be a tag' }), {
    default: [],
    maxItems: 2,
    itemAsList: true,
  }),
  levels: Type.Optional(Type.Array(Type.Integer(), { minItems: 1 })),
  pair: Type.Optional(Type.Array(Type.Integer(), { minItems: 2 })),
  parts: Type.Optional(RecordOf(StrictObject({ on: Type.Boolean() }))),
  note: Type.Optional(Nullable(Text({ maxLength: 3, missing: 'is missing' }))),
  place: Type.Optional(Nullable(StrictObject({ x: Type.Integer() }))),
  any: Type.Optional(AnyValue<unknown>()),
})
const parse = createArgumentsParser(pump)
const preset = { name: 'p', speed: 5, tags: [] }

const taken: readonly (readonly [string, unknown, unknown])[] = [
  ['a default for what is left out', { name: 'p' }, preset],
  ['nil as left out', { name: 'p', speed: null, mode: undefined, parts: null }, preset],
  ['null for a field that may be null', { name: 'p', note: null }, { ...preset, note: null }],
  ['a number as text', { name: 7 }, { ...preset, name: '7' }],
  ['digits as a number', { name: 'p', speed: '3' }, { ...preset, speed: 3 }],
  ['an empty text as left out', { name: 'p', mode: '' }, preset],
  ['an empty list for an empty object', { name: 'p', parts: [] }, { ...preset, parts: {} }],
  ['an empty object for an empty list', { name: 'p', tags: {} }, preset],
  ['one item for a list', { name: 'p', tags: 'a' }, { ...preset, tags: ['a'] }],
]

const refused: readonly (readonly [unknown, string])[] = [
  [undefined, 'name must be given'],
  [[], 'name must be given'],
  ['p', 'the argument must be a table with names'],
  [new Uint8Array(), 'the argument must be a table with names'],
  [[1], 'the argument must be a table with names'],
  [{ nam: 'p' }, 'there is no argument nam'],
  [{ name: 'p', a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1 }, 'there is no argument a'],
  [{ name: '' }, 'name must not be empty'],
  [{ name: 'pumper' }, 'name must have at most 5 characters'],
  [{ name: Number.NaN }, 'name must be a string'],
  [{ name: 'p', speed: 10 }, 'speed must be a whole number from 1 to 9'],
  [{ name: 'p', speed: '1.5' }, 'speed must be a whole number from 1 to 9'],
  [{ name: 'p', mode: 'fast' }, 'mode must be one of on, off'],
  [{ name: 'p', tags: ['a', 'b', 'c'] }, 'tags must have at most 2 items'],
  [{ tags: ['a', 'b', 'c'] }, 'name must be given'],
  [{ name: 'p', levels: [] }, 'levels must have at least 1 item'],
  [{ name: 'p', levels: 1 }, 'levels must be an array'],
  [{ name: 'p', pair: [1] }, 'pair must have at least 2 items'],
  [{ name: 'p', tags: ['a', 1] }, 'tags[2] must be a tag'],
  [{ name: 'p', parts: { a: { on: 1 } } }, 'parts.a.on must be true or false'],
  [{ name: 'p', parts: { 'a\u2028': { on: 1 } } }, 'parts.a\u2028.on must be true or false'],
  [{ name: 'p', parts: { a: { off: 1, on: 1 } } }, 'there is no argument off'],
  [{ name: 'p', place: { x: 'a' } }, 'place.x must be a whole number'],
  [{ name: 'p', place: 5 }, 'place must be a table with names'],
  [{ tags: [1], speed: 0 }, 'name must be given'],
  [{ name: 'p', note: 'a\u0000' }, 'note must not hold control characters'],
]

describe('the check of arguments', () => {
  for (const [what, given, expected] of taken) {
    test(`takes ${what}`, () => assert.deepEqual({ ...(parse(given) as object) }, expected))
  }
  for (const [given, sentence] of refused) {
    test(`refuses ${JSON.stringify(given)}: ${sentence}`, () => {
      assert.throws(
        () => parse(given),
        (error) => error instanceof Fault && error.detail === sentence,
      )
    })
  }
  test('leaves what it was given as it is', () => {
    const given = Object.freeze({ name: 7, tags: {} })
    parse(given)
    assert.deepEqual(given, { name: 7, tags: {} })
  })
  test('reads the items of a list that is too long once, for the refusal none', () => {
    let read = 0
    const item = {
      get on() {
        return ++read > 0
      },
    }
    const list = StrictObject({
      list: Type.Array(StrictObject({ on: Type.Boolean() }), { maxItems: 2 }),
    })
    const parseList = createSettingsParser(() => list, 'pump')
    assert.throws(
      () => parseList({ list: Array(1_000).fill(item) }),
      /list must have at most 2 items/,
    )
    assert.ok(read < 1_100, `${read} items were read`)
  })
})

describe('the search for the errors of large values', () => {
  const items = 1_000
  const numbers = StrictObject({
    list: Type.Optional(Type.Array(StrictObject({ on: Type.Boolean() }), { minItems: 3 })),
    record: Type.Optional(RecordOf(StrictObject({ on: Type.Boolean() }))),
  })
  const parse = createSettingsParser(() => numbers, 'pump')
  const many = <Item>(make: (at: number) => Item) =>
    Array.from({ length: items }, (_, at) => make(at))

  function countReads(given: (item: object) => unknown, sentence: RegExp): number {
    let read = 0
    const item = {
      get on() {
        return ++read > 0
      },
    }
    assert.throws(() => parse(given(item)), { detail: sentence })
    return read
  }

  for (const wrong of [0, 1, 500, items - 1]) {
    test(`reads a list in which item ${wrong} is wrong twice`, () => {
      const read = countReads(
        (item) => ({ list: many((at) => (at === wrong ? { on: 1 } : item)) }),
        new RegExp(`pump.list\\[${wrong}\\].on must be true or false`),
      )
      assert.ok(read < 2 * items + 20, `${read} reads`)
    })
    test(`reads a record in which field ${wrong} is wrong twice`, () => {
      const fields = (item: object) => many((at) => [`k${at}`, at === wrong ? { no: 1 } : item])
      const read = countReads(
        (item) => ({ record: Object.fromEntries(fields(item)) }),
        new RegExp(`pump.record.k${wrong} has no field "no"`),
      )
      assert.ok(read < 2 * items + 20, `${read} reads`)
    })
  }
  test('refuses a table of too many fields by their number', () => {
    const table = Object.fromEntries(
      many((at) => [`k${at}`, 1]).concat(Object.entries(Array(limits.jsonFieldsMax).fill(1))),
    )
    const parse = createArgumentsParser(numbers)
    for (const given of [table, { record: table }, { list: [table] }]) {
      assert.throws(() => parse(given), { code: 'too_large' })
    }
  })
  test('names the first of thousands of unknown fields', () => {
    const given = Object.fromEntries(many((at) => [`k${at}`, 1]))
    assert.throws(() => parse({ list: many(() => given) }), { detail: /has no field "k0"/ })
  })
})

describe('fields of which the schema refuses the value', () => {
  const numbers = StrictObject({ of: RecordOf(Type.Integer()) })
  const values = (of: number) => Array.from({ length: of }, (_, at) => [`a${at}`, 'x'] as const)

  test('have a sentence each, up to a limit', () => {
    const notes: string[] = []
    const of = Object.fromEntries([...values(limits.refusedFieldsNotedMax + 50), ['last', 1]])
    assert.deepEqual(withoutRefused(numbers, { of }, { note: (one) => notes.push(one) }), {
      of: { last: 1 },
    })
    assert.equal(notes.length, limits.refusedFieldsNotedMax + 1)
    assert.equal(notes[0], 'of.a0 must be a whole number: it is kept and has no effect')
    assert.equal(notes.at(-1), 'further fields are kept and have no effect')
  })
})
