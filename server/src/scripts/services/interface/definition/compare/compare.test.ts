import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Definition } from '../definition.ts'
import { parseDefinition } from '../parse-definition.ts'
import { compareDefinitions } from './definitions.ts'

type Schema = Readonly<Record<string, unknown>>
/** The old schema and the new; then the messages for a caller, and those for a receiver. */
type Row = readonly [string, Schema, Schema, readonly string[], readonly string[]]

const object = (properties: Schema, more: Schema = {}) => ({ type: 'object', properties, ...more })
const text = { type: 'string' }
const whole = { type: 'integer' }

const rows: readonly Row[] = [
  ['nothing changed', object({ a: text }), object({ a: text }), [], []],
  ['a description', { ...text, description: 'a' }, { ...text, description: 'b' }, [], []],
  ['a type that widens', whole, { type: 'number' }, [], ['P: type was "integer", is "number"']],
  ['a type that narrows', { type: 'number' }, whole, ['P: type was "number", is "integer"'], []],
  [
    'another type',
    text,
    whole,
    ['P: type was "string", is "integer"'],
    ['P: type was "string", is "integer"'],
  ],
  ['a type that is set now', {}, text, ['P: type was not set, is "string"'], []],
  ['a type that is not set any more', text, {}, [], ['P: type was "string", is not set']],
  [
    'an enum value that is gone',
    { enum: ['a', 'b'] },
    { enum: ['a'] },
    ['P: enum was ["a","b"], is ["a"]'],
    [],
  ],
  [
    'an enum value more',
    { enum: ['a'] },
    { enum: ['a', 'b'] },
    [],
    ['P: enum was ["a"], is ["a","b"]'],
  ],
  ['an enum for a text', text, { enum: ['a'] }, ['P: enum was not set, is ["a"]'], []],
  [
    'a maximum that sinks',
    { ...whole, maximum: 7 },
    { ...whole, maximum: 5 },
    ['P: maximum was 7, is 5'],
    [],
  ],
  [
    'a maximum that rises',
    { ...whole, maximum: 5 },
    { ...whole, maximum: 7 },
    [],
    ['P: maximum was 5, is 7'],
  ],
  [
    'a minimum that rises',
    { ...whole, minimum: 0 },
    { ...whole, minimum: 1 },
    ['P: minimum was 0, is 1'],
    [],
  ],
  [
    'a bound that is open now',
    { type: 'number', maximum: 5 },
    { type: 'number', exclusiveMaximum: 5 },
    ['P: exclusiveMaximum was 5, is 5'],
    [],
  ],
  [
    'the same bound of whole numbers, said in another way',
    { ...whole, maximum: 5, exclusiveMinimum: 0 },
    { ...whole, exclusiveMaximum: 6, minimum: 1 },
    [],
    [],
  ],
  ['a bound of another type', { ...text }, { ...text, maximum: 3, minItems: 2 }, [], []],
  [
    'a length that narrows',
    { ...text, maxLength: 9 },
    { ...text, maxLength: 8, minLength: 0 },
    ['P: maxLength was 9, is 8'],
    [],
  ],
  ['a length that begins', text, { ...text, minLength: 1 }, ['P: minLength was not set, is 1'], []],
  [
    'another pattern',
    { ...text, pattern: '^a' },
    { ...text, pattern: '^b' },
    ['P: pattern was "^a", is "^b"'],
    ['P: pattern was "^a", is "^b"'],
  ],
  ['a format', text, { ...text, format: 'date' }, ['P: format was not set, is "date"'], []],
  ['a format for people', text, { ...text, format: 'serial number' }, [], []],
  [
    'a parameter that is required now',
    object({ a: text }),
    object({ a: text }, { required: ['a'] }),
    ['P.a is required now'],
    [],
  ],
  [
    'a field that may be missing now',
    object({ a: text }, { required: ['a'] }),
    object({ a: text }),
    [],
    ['P.a may be missing now'],
  ],
  [
    'required, and filled in where it is missing',
    object({ a: text }),
    object({ a: { ...text, default: 'x' } }, { required: ['a'] }),
    [],
    [],
  ],
  [
    'a default that is gone',
    object({ a: { ...text, default: 'x' } }, { required: ['a'] }),
    object({ a: text }, { required: ['a'] }),
    ['P.a is required now'],
    [],
  ],
  [
    'a field that was filled in',
    object({ a: { ...text, default: 'x' } }),
    object({ a: text }),
    [],
    ['P.a may be missing now'],
  ],
  ['a member more', object({}), object({ a: text }), [], []],
  ['a member less', object({ a: text }), object({}), [], ['P.a: type was "string", is not set']],
  [
    'a member deep within',
    object({ a: object({ 'b c': { ...whole, maximum: 2 } }) }),
    object({ a: object({ 'b c': { ...whole, maximum: 1 } }) }),
    ['P.a["b c"]: maximum was 2, is 1'],
    [],
  ],
  [
    'no further members any more',
    object({ a: text }),
    object({ a: text }, { additionalProperties: { type: 'null' } }),
    ['P: additionalProperties was not set, is {"type":"null"}'],
    [],
  ],
  [
    'a member less where no others are',
    object({ a: text, b: text }, { additionalProperties: { type: 'null' } }),
    object({ a: text }, { additionalProperties: { type: 'null' } }),
    ['P.b: type was "string", is "null"'],
    [],
  ],
  [
    'a member more where no others were',
    object({ a: text }, { additionalProperties: { type: 'null' } }),
    object({ a: text, b: text }, { additionalProperties: { type: 'null' } }),
    [],
    ['P.b: type was "null", is "string"'],
  ],
  [
    'further members of another type',
    object({}, { additionalProperties: whole }),
    object({}, { additionalProperties: { type: 'number' } }),
    [],
    ['P[]: type was "integer", is "number"'],
  ],
  [
    'a pattern of names, narrower',
    object({}, { patternProperties: { '^x': { ...whole, maximum: 9 } } }),
    object({}, { patternProperties: { '^x': { ...whole, maximum: 8 } } }),
    ['P[/^x/]: maximum was 9, is 8'],
    [],
  ],
  [
    'a name that a pattern held before',
    object({}, { patternProperties: { '^x': text } }),
    object({ xa: text }, { patternProperties: { '^x': text } }),
    [],
    [],
  ],
  [
    'names of a pattern, with a type now',
    object({}),
    object({}, { patternProperties: { '^x': text } }),
    ['P[/^x/]: type was not set, is "string"'],
    [],
  ],
  [
    'items',
    { type: 'array', items: whole },
    { type: 'array', items: { ...whole, minimum: 1 } },
    ['P[]: minimum was not set, is 1'],
    [],
  ],
  [
    'the first items, one by one',
    { type: 'array', items: whole, maxItems: 2 },
    { type: 'array', items: [whole, text], maxItems: 2 },
    ['P[1]: type was "integer", is "string"'],
    ['P[1]: type was "integer", is "string"'],
  ],
  [
    'items that must differ',
    { type: 'array' },
    { type: 'array', uniqueItems: true, maxItems: 3 },
    ['P: maxItems was not set, is 3', 'P: uniqueItems was false, is true'],
    [],
  ],
  [
    'a name that objects have already',
    object({ constructor: text }),
    object({ constructor: whole }, { required: ['__proto__'] }),
    ['P.__proto__ is required now', 'P.constructor: type was "string", is "integer"'],
    ['P.constructor: type was "string", is "integer"'],
  ],
]

const definition = (fields: Schema): Definition =>
  parseDefinition('pump', { default_script_key: 'Pump', ...fields })
const compared = (before: Schema, after: Schema) =>
  compareDefinitions(definition(before), definition(after))

const places = [
  ['an operation’s parameters are given', 'operations', 'parameters', 'in'],
  ['an operation’s response comes back', 'operations', 'response', 'out'],
  ['an event’s parameters come to a subscriber', 'events', 'parameters', 'out'],
  ['an event’s response is given by a subscriber', 'events', 'response', 'in'],
] as const

for (const [title, list, field, flow] of places) {
  describe(title, () => {
    for (const [name, before, after, given, received] of rows) {
      it(name, () => {
        const found = compared(
          { [list]: [{ name: 'go', [field]: before }] },
          { [list]: [{ name: 'go', [field]: after }] },
        )
        const wanted = (flow === 'in' ? given : received).map((one) => one.replace(/^P/, field))
        assert.deepEqual(
          found.map(({ change }) => change),
          wanted,
        )
      })
    }
  })
}

describe('a definition', () => {
  it('an operation or an event that is gone, or new', () => {
    const before = { operations: [{ name: 'go' }], events: [{ name: 'tick' }] }
    const after = { operations: [{ name: 'walk' }], events: [{ name: 'tock' }] }
    assert.deepEqual(compared(before, after), [
      { part: 'operation', name: 'go', change: 'is gone' },
      { part: 'event', name: 'tick', change: 'is gone' },
    ])
  })

  it('another mode', () => {
    assert.deepEqual(compared({}, { mode: 'sync' }), [
      { part: 'mode', name: 'mode', change: 'was not set, is sync' },
    ])
    assert.deepEqual(compared({ mode: 'sync' }, { mode: 'sync' }), [])
  })

  it('a parameter of subscriptions: its type counts, what is not listed any more passes', () => {
    const parameter = (type: string) => ({ parameters: [{ name: 'level', type }] })
    assert.deepEqual(compared(parameter('number'), parameter('integer')), [
      { part: 'parameter', name: 'level', change: 'level: type was "number", is "integer"' },
    ])
    assert.deepEqual(compared(parameter('integer'), parameter('number')), [])
    assert.deepEqual(compared(parameter('integer'), {}), [])
  })

  it('scripts, whitelist, names and descriptions are nobody’s contract', () => {
    const operations = [{ name: 'go', script: 'return 1', description: 'a' }]
    const after = { operations: [{ name: 'go' }], whitelist: ['b'], name: 'Other' }
    assert.deepEqual(compared({ operations, whitelist: ['a'] }, after), [])
  })

  it('the largest schemas are compared in bounded work', () => {
    const wide = (value: Schema) => {
      const named = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`x${at}`, value]))
      return object(named, { patternProperties: { '^x': text, '^x.*1': text } })
    }
    const [before, after] = [wide(text), wide(whole)]
    const found = compared(
      { operations: [{ name: 'go', parameters: before }] },
      { operations: [{ name: 'go', parameters: after }] },
    )
    assert.equal(found.length, 900)
  })
})
