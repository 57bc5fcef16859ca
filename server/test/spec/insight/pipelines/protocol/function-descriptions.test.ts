import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Json } from '../../../../../src/foundation/kernel/index.ts'
import { fakeModule, insight, module } from '../../../../fixtures/pipelines.ts'
import { graphqlFixture } from '../../../../fixtures/wire/graphql.ts'

// The parts of a module's description that a dynamic form gets.

type Shown = {
  readonly functions: readonly object[]
  readonly modules: readonly { readonly id: string; readonly url?: string }[]
}

/** Asks for the one function of a module. */
async function shown(
  t: TestContext,
  described: Readonly<Record<string, Json>>,
  info: Readonly<Record<string, Json>> = {},
) {
  const fake = await fakeModule(t, module([insight('f', described)], info))
  const { as, pipelines, business, operator } = await graphqlFixture(t)
  const { id } = await pipelines.modules.add(business, { url: fake.url })
  return async (fields: string, ofModule = 'name description') => {
    const document = `query($id: ID!) { functions(moduleId: $id) { ${fields} }
      functionList(moduleId: $id) { failure functions { id } }
      function(moduleId: $id, functionId: "f") { id } modules { id ${ofModule} } }`
    const { data, errors } = await as(operator, document, { id })
    assert.equal(errors, undefined, JSON.stringify(errors))
    const { functions, modules, ...others } = data as Shown
    assert.deepEqual(others, {
      functionList: { failure: null, functions: [{ id: 'f' }] },
      function: { id: 'f' },
    })
    return { function: functions[0], module: modules.find((one) => one.id === id) }
  }
}

test('InsightInfoResults: name and description are shown, Markdown as it is', async (t) => {
  const get = await shown(t, {}, { name: 'Vibration', description: '**RMS** of\n\n* channels' })
  const { module: found } = await get('id')
  const { id: _, ...words } = found ?? { id: '' }
  assert.deepEqual(words, { name: 'Vibration', description: '**RMS** of\n\n* channels' })
})

test('InsightInfo: id, name, description and type are shown; transform when omitted', async (t) => {
  for (const [given, type] of [
    [null, 'transform'],
    ['transform', 'transform'],
    ['rule', 'rule'],
    ['action', 'action'],
  ] as const) {
    const get = await shown(t, { name: 'RMS', description: 'The root mean square.', type: given })
    assert.deepEqual((await get('id name description type')).function, {
      id: 'f',
      name: 'RMS',
      description: 'The root mean square.',
      type,
    })
  }
})

const port = {
  name: 'x',
  primitive_type: 'NUMERIC',
  data_type: ['TEMPERATURE', 'PRESSURE'],
  data_unit: ['KELVIN'],
  description: 'Help',
}
const shownPort = {
  name: 'x',
  primitiveType: 'NUMERIC',
  dataType: ['TEMPERATURE', 'PRESSURE'],
  dataUnit: ['KELVIN'],
  description: 'Help',
}
const portFields = 'name primitiveType dataType dataUnit description'

test('inlets and outlets are shown with every field, in their order', async (t) => {
  const get = await shown(t, {
    inlets: [
      { ...port, tag: 'left' },
      { name: 'y', primitive_type: 'JSON' },
    ],
    outlets: [{ ...port, suggested_name: '{} of x' }, {}],
  })
  const found = await get(`inlets { ${portFields} tag } outlets { ${portFields} suggestedName }`)
  const none = { dataType: [], dataUnit: [], description: null }
  assert.deepEqual(found.function, {
    inlets: [
      { ...shownPort, tag: 'left' },
      { name: 'y', primitiveType: 'JSON', ...none, tag: null },
    ],
    outlets: [
      { ...shownPort, suggestedName: '{} of x' },
      { name: null, primitiveType: null, ...none, suggestedName: null },
    ],
  })
})

test('constants are shown with every field', async (t) => {
  const get = await shown(t, {
    constants_multiple_maximum: 4,
    constants: [
      { name: 'n', type: 'number', description: 'How much', default: 2, minimum: 1, maximum: 3 },
      { name: 'm', type: 'string', enum: ['a', 'b'], enum_presented: ['A', 'B'], multiple: true },
      { name: 'b', type: 'boolean', default: false },
    ],
  })
  const fields = 'name type description default minimum maximum enum enumPresented multiple'
  const found = await get(`constantsMultipleMaximum constants { ${fields} }`)
  const none = {
    description: null,
    default: null,
    minimum: null,
    maximum: null,
    enum: null,
    enumPresented: null,
    multiple: false,
  }
  const n = { name: 'n', type: 'number', description: 'How much', default: 2 }
  const m = { name: 'm', type: 'string', enum: ['a', 'b'], enumPresented: ['A', 'B'] }
  assert.deepEqual(found.function, {
    constantsMultipleMaximum: 4,
    constants: [
      { ...none, ...n, minimum: 1, maximum: 3 },
      { ...none, ...m, multiple: true },
      { ...none, name: 'b', type: 'boolean', default: false },
    ],
  })
})

test('constants_multiple_maximum is a number: also one that is no integer is shown', async (t) => {
  for (const [given, is] of [
    [2.5, 2],
    [1e12, 2_147_483_647],
    [-1, 0],
    [null, null],
  ] as const) {
    const get = await shown(t, { constants_multiple_maximum: given })
    assert.deepEqual((await get('constantsMultipleMaximum')).function, {
      constantsMultipleMaximum: is,
    })
  }
})

test('texts in all languages, histories and the health of a module are shown', async (t) => {
  const translations = { de: { name: 'Skalieren' } }
  const ofEnum = { de: { enum_presented: ['Schnell', 'Langsam'] } }
  const constant = { name: 'm', type: 'string', enum: ['a', 'b'], translations: ofEnum }
  const described = {
    translations,
    history: { limit: 5 },
    constants: [constant],
    inlets: [{ ...port, translations }],
    outlets: [{ ...port, translations }],
  }
  const get = await shown(t, described, { translations })
  const found = await get(
    `translations history constants { translations } inlets { translations }
      outlets { translations }`,
    `groupIdRequired url complaints translations
      health { failuresInRow restsUntil lastFailure complaints }`,
  )
  const ports = [{ translations }]
  const texts = { constants: [{ translations: ofEnum }], inlets: ports, outlets: ports }
  assert.deepEqual(found.function, { translations, history: { limit: 5 }, ...texts })
  const { id: _, url, ...module } = found.module ?? assert.fail()
  assert.match(String(url), /^http:/)
  const health = { failuresInRow: 0, restsUntil: null, lastFailure: null, complaints: [] }
  assert.deepEqual(module, { groupIdRequired: false, complaints: [], translations, health })
})
