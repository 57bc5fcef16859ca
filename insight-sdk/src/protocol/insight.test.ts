import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { type Insight, readInsight } from '../protocol.ts'

const words = { id: 'f', name: 'F', description: 'does f', type: 'transform' }

function readOk(json: unknown): { value: Insight; complaints: string[] } {
  const read = readInsight(json)
  if (read.error !== undefined) throw new Error(read.error)
  return read
}

test('a function with every field is read as it is', () => {
  const insight = {
    ...words,
    type: 'rule',
    translations: { de: { name: 'F', description: 'tut f' } },
    constants: [
      {
        name: 'mode',
        type: 'string',
        description: 'how',
        default: 'a',
        enum: ['a', 'b'],
        enum_presented: ['A', 'B'],
        multiple: true,
        translations: { de: { description: 'wie', enum_presented: ['Aa', 'Bb'] } },
      },
      { name: 'limit', type: 'number', default: 1, maximum: 2, minimum: 0 },
    ],
    constants_multiple_maximum: 3,
    inlets: [
      { name: 'in', tag: 'x', primitive_type: 'NUMERIC', data_type: ['T'], data_unit: ['C'] },
    ],
    outlets: [{ name: 'out', suggested_name: '{} out', primitive_type: 'JSON' }],
  }
  deepEqual(readOk(insight), { value: insight, complaints: [] })
})

test('no type means transform', () => {
  const { value, complaints } = readOk({ id: 'f', name: 'F', description: '' })
  equal(value.type, 'transform')
  deepEqual(complaints, ['function "f": type is missing, taken as transform'])
})

test('outlets as one object are a list of one', () => {
  const { value, complaints } = readOk({ ...words, outlets: { primitive_type: 'NUMERIC' } })
  deepEqual(value.outlets, [{ primitive_type: 'NUMERIC' }])
  deepEqual(complaints, ['function "f": outlets is an object, taken as a list of one'])
})

test('outlets as an object of objects are the list of its values, named by its keys', () => {
  const { value } = readOk({ ...words, outlets: { a: { data_type: ['T'] }, b: { name: 'B' } } })
  deepEqual(value.outlets, [{ name: 'a', data_type: ['T'] }, { name: 'B' }])
})

test('data_type as a string is a list of one', () => {
  const { value, complaints } = readOk({ ...words, inlets: [{ name: 'i', data_type: 'T' }] })
  deepEqual(value.inlets, [{ name: 'i', data_type: ['T'] }])
  deepEqual(complaints, ['inlet 0 of "f": data_type is the string "T", taken as a list of one'])
})

test('data_unit "" means any', () => {
  const { value, complaints } = readOk({ ...words, outlets: [{ name: 'o', data_unit: '' }] })
  deepEqual(value.outlets, [{ name: 'o' }])
  deepEqual(complaints, ['outlet 0 of "f": data_unit is "", taken as any'])
})

const json = { primitive_type: 'JSON' }

test('an inlet without a name goes by its tag, else by its index', () => {
  const { value, complaints } = readOk({ ...words, inlets: [{ tag: 'left', ...json }, json] })
  deepEqual(value.inlets, [
    { name: 'left', tag: 'left', ...json },
    { name: 'inlet 1', ...json },
  ])
  equal(complaints.length, 2)
})

test('an inlet of no kind takes any signal, with a complaint', () => {
  const { complaints } = readOk({ ...words, inlets: [{ name: 'i' }] })
  match(complaints[0] ?? '', /none of primitive_type, data_type, data_unit is there/)
})

test('extra fields are dropped with a complaint', () => {
  const { value, complaints } = readOk({ ...words, color: 'red' })
  equal('color' in value, false)
  deepEqual(complaints, ['function "f": fields that the protocol does not know: ["color"]'])
})

for (const part of ['inlets', 'outlets'] as const) {
  test(`5 ${part} are taken as they are; of 6 the last is left out`, () => {
    const items = Array.from({ length: 6 }, (_, index) => ({ name: `n${index}`, ...json }))
    deepEqual(readOk({ ...words, [part]: items.slice(0, 5) }).complaints, [])
    const { value, complaints } = readOk({ ...words, [part]: items })
    equal(value[part].length, 5)
    deepEqual(complaints, [`function "f": 6 ${part}, more than 5; the rest is left out`])
  })
}

test('a word in another letter case is taken; an unknown one is not', () => {
  const inlets = [{ name: 'i', primitive_type: 'numeric' }]
  const { value } = readOk({ ...words, type: 'Rule', inlets })
  equal(value.type, 'rule')
  equal(value.inlets[0]?.primitive_type, 'NUMERIC')
  equal(readOk({ ...words, type: 'magic' }).value.type, 'transform')
})

test('a constant without a name is left out; its type is inferred from its default', () => {
  const constants = [{ type: 'number' }, { name: 'c', default: 3 }]
  const { value, complaints } = readOk({ ...words, constants })
  deepEqual(value.constants, [{ name: 'c', type: 'number', default: 3 }])
  equal(complaints.length, 2)
})

test('enum_presented that is not as long as enum is left out', () => {
  const constants = [{ name: 'c', type: 'string', enum: ['a', 'b'], enum_presented: ['A'] }]
  const { value } = readOk({ ...words, constants })
  deepEqual(value.constants, [{ name: 'c', type: 'string', enum: ['a', 'b'] }])
})

test('a function without an id cannot be used', () => {
  equal(readInsight({ name: 'F' }).error, 'the function has no id')
})

test('a key named __proto__ touches no prototype', () => {
  const json: unknown = JSON.parse(
    '{"id":"f","name":"F","description":"","type":"rule",' +
      '"translations":{"__proto__":{"name":"x"}},"inlets":{"__proto__":{"tag":"t"}}}',
  )
  const { value } = readOk(json)
  equal(Object.getPrototypeOf(value.translations), Object.prototype)
  equal(({} as { name?: string }).name, undefined)
})

test('what is complained about is bounded, in number and in length', () => {
  const constants = Array.from({ length: 500 }, (_, index) => ({
    name: `c${index}`,
    type: 'x'.repeat(1000),
  }))
  const { complaints } = readOk({ ...words, constants })
  equal(complaints.length, 51)
  equal(complaints.at(-1), 'and 950 more complaints')
  ok(complaints.every((complaint) => complaint.length < 250))
})
