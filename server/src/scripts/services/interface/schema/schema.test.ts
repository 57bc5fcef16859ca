import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Fault } from '../../../../foundation/kernel/index.ts'
import type { ScriptValue } from '../../../scripting/index.ts'
import { checkValue } from './check.ts'
import { schemaReader } from './parse.ts'

/** The value with its defaults, or the sentence of the refusal. */
function look(schema: unknown, value: unknown): unknown {
  try {
    return plain(checkValue(schemaReader()('schema', schema), 'event', value as ScriptValue))
  } catch (error) {
    assert.ok(error instanceof Fault)
    return error.detail
  }
}

function plain(value: unknown): unknown {
  return value instanceof Uint8Array || value === undefined
    ? value
    : JSON.parse(JSON.stringify(value))
}

type Row = readonly [keyword: string, schema: object, good: unknown[], ...bad: [unknown, string][]]

const bytes = Uint8Array.of(0xff, 0xfe)

/** Values that are of a type or a format, and values that are not. */
type Kinds = Readonly<Record<string, readonly [good: unknown[], bad: unknown[]]>>

const types: Kinds = {
  array: [[[], [1]], ['[]']],
  boolean: [[true], [1]],
  integer: [
    [0, -3, 2.0, 2 ** 53],
    [1.5, '1'],
  ],
  null: [[null, undefined], [0]],
  number: [[1, 1.5], ['1']],
  object: [
    [{}, { a: 1 }],
    [[1], undefined],
  ],
  string: [['', bytes], [1]],
}

const formats: Kinds = {
  email: [
    ['ann@example.com', 7],
    ['ann', 'ann@@example.com'],
  ],
  'date-time': [
    ['2026-02-28T23:59:60Z', '2024-02-29t00:00:00.5+01:00'],
    ['2026-02-29T00:00:00Z', '2026-02-28 00:00:00Z'],
  ],
  uuid: [['9c5b94b1-35ad-49bb-b118-8e8fc24abf80'], ['9c5b94b1']],
  ipv4: [['192.0.2.1'], ['192.0.2']],
  ipv6: [['::1'], ['::1%lo']],
  hostname: [['a.example'], ['-a.example']],
  uri: [['https://a.example/b?c'], ['/b']],
}

const makeRows = (keyword: string, what: string, kinds: Kinds): Row[] =>
  Object.entries(kinds).map(([kind, [good, bad]]) => {
    const sentence = `event must be of ${what} ${kind} (${keyword})`
    const wrong = bad.map((value): [unknown, string] => [value, sentence])
    return [`${keyword} ${kind}`, { [keyword]: kind }, good, ...wrong]
  })

const rows: readonly Row[] = [
  ...makeRows('type', 'type', types),
  ...makeRows('format', 'the format', formats),
  ['enum', { enum: ['a', 'b'] }, ['a', 'b'], ['c', 'event must be one of a, b (enum)']],
  ['enum', { enum: ['1'] }, [], [1, 'event must be one of 1 (enum)']],
  [
    'items',
    { items: { type: 'integer' } },
    [[], [1, 2], 'no array'],
    [[1, 'x'], 'event[1] must be of type integer (type)'],
  ],
  [
    'items as a list, additionalItems',
    { items: [{ type: 'string' }], additionalItems: { type: 'integer' } },
    [['a'], ['a', 1, 2], []],
    [[1], 'event[0] must be of type string (type)'],
    [['a', 'b'], 'event[1] must be of type integer (type)'],
  ],
  ['additionalItems alone', { additionalItems: { type: 'null' } }, [[1, 2]]],
  ['a format that is not known', { format: 'colour' }, ['anything']],
  ['maximum', { maximum: 3 }, [3, 'x'], [3.1, 'event must be at most 3 (maximum)']],
  ['minimum', { minimum: 3 }, [3], [2.9, 'event must be at least 3 (minimum)']],
  [
    'exclusiveMaximum',
    { exclusiveMaximum: 3 },
    [2.9],
    [3, 'event must be less than 3 (exclusiveMaximum)'],
  ],
  [
    'exclusiveMinimum',
    { exclusiveMinimum: 3 },
    [3.1],
    [3, 'event must be more than 3 (exclusiveMinimum)'],
  ],
  [
    'pattern',
    { pattern: '^a*$' },
    ['', 'aaa', 1],
    ['ab', 'event must match ^a*$ (pattern)'],
    [bytes, 'event must be UTF-8 (pattern)'],
  ],
  [
    'pattern is not anchored',
    { pattern: 'a+' },
    ['xxaayy'],
    ['x', 'event must match a+ (pattern)'],
  ],
  ['examples', { examples: [1, 'x', null] }, ['anything']],
  ['maxItems', { maxItems: 1 }, [[1]], [[1, 2], 'event must have at most 1 items (maxItems)']],
  ['minItems', { minItems: 1 }, [[1]], [[], 'event must have at least 1 items (minItems)']],
  [
    'maxLength counts code points',
    { maxLength: 2 },
    ['ab', '\u{1f600}\u{1f600}'],
    ['abc', 'event must have at most 2 characters (maxLength)'],
  ],
  [
    'minLength',
    { minLength: 2 },
    ['ab'],
    ['\u{1f600}', 'event must have at least 2 characters (minLength)'],
  ],
  [
    'maxProperties',
    { maxProperties: 1 },
    [{ a: 1 }],
    [{ a: 1, b: 2 }, 'event must have at most 1 properties (maxProperties)'],
  ],
  [
    'minProperties',
    { minProperties: 1 },
    [{ a: 1 }],
    [{}, 'event must have at least 1 properties (minProperties)'],
  ],
  [
    'uniqueItems',
    { uniqueItems: true },
    [[1, '1', true, [1], { a: 1 }, { a: 2 }]],
    [[1, 2, 1], 'event must not repeat an item: 0 and 2 are equal (uniqueItems)'],
    [
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
      'event must not repeat an item: 0 and 1 are equal (uniqueItems)',
    ],
  ],
  [
    'required',
    { required: ['a', 'toString'] },
    [{ a: null, toString: 1 }],
    [{ toString: 1 }, 'event.a must be given (required)'],
    [{ a: 1 }, 'event.toString must be given (required)'],
  ],
  [
    'properties',
    { properties: { a: { properties: { b: { type: 'string' } } } } },
    [{}, { a: { b: 'x' }, c: 1 }],
    [{ a: { b: 1 } }, 'event.a.b must be of type string (type)'],
  ],
  [
    'patternProperties',
    { patternProperties: { '^n_': { type: 'number' }, x$: { minimum: 3 } } },
    [{ n_a: 1, other: 'x' }, { n_x: 3 }],
    [{ n_a: '1' }, 'event.n_a must be of type number (type)'],
    [{ n_x: 2 }, 'event.n_x must be at least 3 (minimum)'],
  ],
  [
    'additionalProperties',
    {
      properties: { a: {} },
      patternProperties: { '^b': {} },
      additionalProperties: { type: 'null' },
    },
    [{ a: 1, b: 1, c: null }],
    [{ 'odd key': 1 }, 'event["odd key"] must be of type null (type)'],
  ],
]

describe('payload schema, a test for each keyword', () => {
  for (const [keyword, schema, good, ...bad] of rows) {
    it(keyword, () => {
      for (const value of good) assert.deepEqual(look(schema, value), plain(value))
      for (const [value, sentence] of bad) assert.equal(look(schema, value), sentence)
    })
  }

  it('title: names the payload, "event" where it is not given', () => {
    assert.equal(schemaReader()('s', { title: 'reading' }).title, 'reading')
    assert.equal(schemaReader()('s', {}).title, undefined)
  })

  it('default: filled in where nothing is given, before required is looked at', () => {
    const schema = {
      required: ['unit'],
      properties: {
        unit: { type: 'string', default: 'C' },
        deep: { properties: { n: { default: 1 } } },
      },
    }
    const given = { deep: {} }
    assert.deepEqual(look(schema, given), { unit: 'C', deep: { n: 1 } })
    assert.deepEqual(given, { deep: {} })
    assert.equal(look({ type: 'integer', default: 3 }, undefined), 3)
    assert.deepEqual(look({ properties: { a: { default: null } } }, {}), { a: null })
    assert.deepEqual(look({ properties: { a: { default: null } } }, { a: 2 }), { a: 2 })
  })

  it('an empty table of Lua is an empty array if one is expected, and the other way round', () => {
    assert.deepEqual(look({ type: 'array' }, {}), [])
    assert.deepEqual(look({ type: 'object' }, []), {})
    const strict = { emptyTables: false }
    assert.throws(() => checkValue(schemaReader()('s', { type: 'array' }), 'v', {}, strict), Fault)
  })

  it('keys that prototypes have are ordinary', () => {
    const schema = {
      properties: { ['__proto__']: { type: 'number' } },
      additionalProperties: { type: 'string' },
    }
    assert.equal(
      look(schema, JSON.parse('{"__proto__":"x"}')),
      'event.__proto__ must be of type number (type)',
    )
    assert.equal(
      look(schema, { constructor: 1 }),
      'event.constructor must be of type string (type)',
    )
    assert.equal(
      look({ required: ['constructor'] }, {}),
      'event.constructor must be given (required)',
    )
  })
})

describe('payload schema, what is no schema is refused by name', () => {
  const types = 'must be one of array, boolean, integer, null, number, object, string'
  const bad: [string, unknown, string][] = [
    ['not an object', [], 'schema must be a payload schema, an object'],
    ['a keyword that is not listed', { oneOf: [] }, 'schema.oneOf is not a keyword of a payload'],
    ['a reference', { $ref: '#' }, 'schema.$ref is not a keyword of a payload'],
    ['enum of numbers', { enum: [1] }, 'schema.enum[0] must be a string'],
    ['type', { type: 'date' }, `schema.type ${types}`],
    ['several types', { type: ['string', 'null'] }, `schema.type ${types}`],
    ['title', { title: 3 }, 'schema.title must be a string'],
    ['format', { format: 3 }, 'schema.format must be a string'],
    ['description', { description: 3 }, 'schema.description must be a string'],
    ['default', { default: [] }, 'schema.default must be a boolean, a number, a string or null'],
    [
      'a default that breaks its schema',
      { minLength: 4, default: 'bad' },
      'schema.default must have at least 4 characters (minLength)',
    ],
    ['maximum', { maximum: '3' }, 'schema.maximum must be a number'],
    [
      'exclusiveMinimum of draft 4',
      { exclusiveMinimum: true },
      'schema.exclusiveMinimum must be a number',
    ],
    ['maxItems', { maxItems: -1 }, 'schema.maxItems must be a whole number from 0'],
    ['minLength', { minLength: 1.5 }, 'schema.minLength must be a whole number from 0'],
    ['uniqueItems', { uniqueItems: 1 }, 'schema.uniqueItems must be true or false'],
    ['examples', { examples: 1 }, 'schema.examples must be an array'],
    ['required', { required: 'a' }, 'schema.required must be an array'],
    ['properties', { properties: [] }, 'schema.properties must be an object of schemas'],
    [
      'deep',
      { properties: { a: { items: { type: 'x' } } } },
      `schema.properties.a.items.type ${types}`,
    ],
    [
      'additionalProperties: false',
      { additionalProperties: false },
      'schema.additionalProperties must be a payload schema, an object',
    ],
    [
      'additionalItems',
      { additionalItems: true },
      'schema.additionalItems must be a payload schema, an object',
    ],
  ]
  for (const [name, schema, sentence] of bad) {
    it(name, () => assert.equal(look(schema, 1), sentence))
  }

  it('schemas deeper than 16, more than 2000, more than 50 patterns, lists above 1000', () => {
    let deep: object = {}
    for (let at = 0; at < 16; at += 1) deep = { items: deep }
    assert.match(String(look(deep, 1)), /^schema\.items.* lies deeper than 16 schemas$/)
    const many = (count: number, one: (index: number) => object) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, one(index)]))
    assert.equal(look({ properties: many(1_999, () => ({})) }, 1), 1)
    assert.match(String(look({ properties: many(2_000, () => ({})) }, 1)), /more than 2000$/)
    assert.equal(look({ properties: many(50, () => ({ pattern: 'a' })) }, 1), 1)
    assert.match(
      String(look({ properties: many(51, () => ({ pattern: 'a' })) }, 1)),
      /^schema\.properties\.p50\.pattern is one pattern more than 50$/,
    )
    assert.match(
      String(look({ enum: Array.from({ length: 1_001 }, String) }, 1)),
      /^schema\.enum must have at most 1000 items$/,
    )
  })
})
