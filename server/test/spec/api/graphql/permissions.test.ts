import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { codes, graphqlFixture } from '../../../fixtures/wire/graphql.ts'

test('no form of a document leads around a permission', async (t) => {
  const { as, administrator, operator } = await graphqlFixture(t)
  const forms = [
    '{ other: connectors { id } }',
    '{ ...F } fragment F on Query { connectors { id } }',
    '{ ... on Query { connectors { id } } }',
    '{ ... @include(if: true) { connectors { id } } }',
    'query Q($with: Boolean = true) { connectors @include(if: $with) { id } }',
    '{ assetCount connectors { id } __schema { queryType { name } } }',
  ]
  for (const form of forms) {
    assert.equal((await as(administrator, form)).errors, undefined, form)
    assert.deepEqual(codes(await as(operator, form)), ['forbidden'], form)
  }
})

test('an asset is shown without the values that the token may not read', async (t) => {
  const { assets, as, makeToken, accounts, business, view } = await graphqlFixture(t)
  await accounts.createRole(business, { name: 'Lister', permissions: ['View Asset'] })
  await assets.create(view, {
    name: 'Pump',
    signals: [{ name: 's', primitiveType: 'NUMERIC' }],
  })
  const answer = await as(
    await makeToken('Lister'),
    '{ assets { name signals { lastValue { value } } } }',
  )
  assert.deepEqual(answer.data, { assets: [{ name: 'Pump', signals: [{ lastValue: null }] }] })
  assert.deepEqual(answer.errors?.[0]?.path, ['assets', 0, 'signals', 0, 'lastValue'])
})
