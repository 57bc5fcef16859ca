import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  buildSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  printSchema,
  specifiedDirectives,
} from 'graphql'
import { graphqlSchema } from '../../../../../dev/generate/graphql-schema.ts'
import { readSchema } from '../../../../src/api/graphql/index.ts'
import { graphqlFixture } from '../../../fixtures/wire/graphql.ts'

type Described = { readonly description?: string | null | undefined }

/** Every type, field, argument, input field and enum value of the schema, by its path. */
function listElements(text: string): Map<string, Described> {
  const elements = new Map<string, Described>()
  for (const type of Object.values(buildSchema(text).getTypeMap())) {
    if (type.name.startsWith('__') || isSpecifiedScalarType(type)) continue
    elements.set(type.name, type)
    if (isEnumType(type)) {
      for (const value of type.getValues()) elements.set(`${type.name}.${value.name}`, value)
    }
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) {
        elements.set(`${type.name}.${field.name}`, field)
      }
    }
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      elements.set(`${type.name}.${field.name}`, field)
      for (const arg of field.args) elements.set(`${type.name}.${field.name}(${arg.name})`, arg)
    }
  }
  return elements
}

const undescribed = (text: string) =>
  [...listElements(text)]
    .filter(([, { description }]) => !description?.trim())
    .map(([path]) => path)

test('every element of the schema is described', () => {
  const elements = listElements(readSchema())
  assert(elements.size > 100, `${elements.size} elements`)
  assert.deepEqual(undescribed(readSchema()), [])
})

test('an element without a description is found', () => {
  const planted = `"""All""" type Query { "A field" a("An argument" x: Int, y: Int): E b: I }
    enum E { A } input J { z: Int } "A scalar" scalar I`
  assert.deepEqual(undescribed(planted).sort(), ['E', 'E.A', 'J', 'J.z', 'Query.a(y)', 'Query.b'])
})

test('the complete schema is there by introspection, within the limits', async (t) => {
  const { as, viewer } = await graphqlFixture(t)
  const { data, errors } = await as(viewer, getIntrospectionQuery())
  assert.equal(errors, undefined)
  const names = (data as unknown as IntrospectionQuery).__schema.types.map((type) => type.name)
  for (const name of ['Asset', 'Signal', 'Pagination', 'Timestamp', 'JSON', 'CreateAssetInput']) {
    assert(names.includes(name), name)
  }
  const one = await as(viewer, '{ __type(name: "Pagination") { inputFields { name } } }')
  assert.deepEqual(one.data, {
    __type: { inputFields: [{ name: 'limit' }, { name: 'offset' }, { name: 'after' }] },
  })
})

test('introspection has the permission in the description, and no directive of ours', async (t) => {
  const { as, viewer } = await graphqlFixture(t)
  const { data } = await as(viewer, getIntrospectionQuery())
  const { directives, types } = (data as unknown as IntrospectionQuery).__schema
  const names = directives.map(({ name }) => name).sort()
  assert.deepEqual(names, specifiedDirectives.map(({ name }) => name).sort())
  const fields = types.flatMap((type) => (type.kind === 'OBJECT' ? type.fields : []))
  const described = fields.filter(({ description }) => description?.includes('Needs the perm'))
  assert.equal(described.length, readSchema().split('@permission(requires: "').length - 1)
  const refused = await as(viewer, '{ assetCount @permission(requires: "x") }')
  assert.equal(refused.errors?.[0]?.message, 'Unknown directive "@permission".')
})

test('the printed schema is the whole schema, with each permission at its field', () => {
  const sorted = (text: string) => printSchema(lexicographicSortSchema(buildSchema(text)))
  assert.equal(sorted(graphqlSchema()), sorted(readSchema()))
  const guards = (text: string) => text.match(/@permission\(requires: "[^"]+"\)/g)?.sort()
  assert.deepEqual(guards(graphqlSchema()), guards(readSchema()))
})
