import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { ask, codes, graphqlFixture } from '../../fixtures/wire/graphql.ts'

test('no form of a document leads around a permission', async (t) => {
  const fixture = await graphqlFixture(t)
  const forms = [
    '{ other: connectors { id } }',
    '{ ...F } fragment F on Query { connectors { id } }',
    '{ ... on Query { connectors { id } } }',
    '{ ... @include(if: true) { connectors { id } } }',
    'query Q($with: Boolean = true) { connectors @include(if: $with) { id } }',
    '{ assetCount connectors { id } __schema { queryType { name } } }',
  ]
  for (const form of forms) {
    assert.equal((await ask(fixture, fixture.administrator, form)).errors, undefined, form)
    assert.deepEqual(codes(await ask(fixture, fixture.operator, form)), ['forbidden'], form)
  }
})

test('an asset is shown without the values that the token may not read', async (t) => {
  const fixture = await graphqlFixture(t)
  const { accounts, business, view } = fixture
  await accounts.createRole(business, { name: 'Lister', permissions: ['View Asset'] })
  await fixture.assets.create(view, {
    name: 'Pump',
    signals: [{ name: 's', primitiveType: 'NUMERIC' }],
  })
  const answer = await ask(
    fixture,
    await fixture.tokenOf('Lister'),
    '{ assets { name signals { lastValue { value } } } }',
  )
  assert.deepEqual(answer.data, { assets: [{ name: 'Pump', signals: [{ lastValue: null }] }] })
  assert.deepEqual(answer.errors?.[0]?.path, ['assets', 0, 'signals', 0, 'lastValue'])
})
