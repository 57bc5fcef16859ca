import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { parse } from 'graphql'
import { compileQuery as compile } from 'graphql-jit'
import { limits } from '../kernel/index.ts'
import { isCompilable } from './compile.ts'
import { createSchema } from './schema.ts'
import { measureDocument } from './structure.ts'

const compilable = (text: string) => {
  const document = parse(text)
  return isCompilable(document, measureDocument(document).selections)
}

test('queries of names, numbers, enums and variables are compiled', () => {
  assert(compilable('{ assets(pagination: { limit: 20 }) { id signals { lastValue { ts } } } }'))
  assert(
    compilable(
      'query Q($id: ID!) { asset(id: $id) { __typename ...A } } fragment A on Asset { id }',
    ),
  )
  assert(compilable('{ assets { signals { values(order: asc, limit: 1) { value } } } }'))
})

test('what could carry a text into the code is not', () => {
  const documents = [
    '{ asset(id: "x") { id } }',
    '{ asset(id: """x""") { id } }',
    'query($id: ID! = "x") { asset(id: $id) { id } }',
    'query($limit: Int = 5) { assets(pagination: { limit: $limit }) { id } }',
    '{ assets @skip(if: false) { id } }',
    'query($with: Boolean!) { assets { id ... @include(if: $with) { name } } }',
    '{ __proto__: assetCount }',
    '{ __schema { types { name } } }',
    'mutation { deleteAsset(id: 5) { id } }',
    '{ assetCount } query Two { assetCount }',
    'query Q { a: assets(groupId: [5]) { id } }',
  ]
  for (const text of documents) assert(!compilable(text), text)
})

test('a document is compiled up to a number of selections', () => {
  const fields = (count: number) => `{ ${'assetCount '.repeat(count)}}`
  assert(compilable(fields(limits.graphqlCompiledSelectionsMax)))
  assert(!compilable(fields(limits.graphqlCompiledSelectionsMax + 1)))
})

test('the reason: graphql-jit runs a certain text as code', async () => {
  const marker = globalThis as { millraceWasHere?: boolean }
  const marked = '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d'
  const text = `{ asset(id: "${marked}globalThis.millraceWasHere=true") { id } }`
  assert(!compilable(text))
  const schema = createSchema({ Query: { asset: () => null } })
  const compiled = compile(schema, parse(text))
  assert('query' in compiled)
  await compiled.query(undefined, {}, {})
  // When this fails, graphql-jit was mended, and the rule about texts may be thought over again.
  assert.equal(marker.millraceWasHere, true)
  delete marker.millraceWasHere
})
