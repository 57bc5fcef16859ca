import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { type Permission, permissions } from '../../../src/accounts/index.ts'
import { ask, codes, graphqlFixture } from '../../fixtures/wire/graphql.ts'

/** A document, and the permission without which it is refused. */
const table: readonly (readonly [string, Permission])[] = [
  ['{ assets { id } }', 'View Asset'],
  ['{ asset(id: "x") { id } }', 'View Asset'],
  ['{ assetCount }', 'View Asset'],
  ['{ groups { id } }', 'View Asset'],
  ['{ assets { signals { lastValue { ts } } } }', 'View Asset Data'],
  ['{ assets { signals { values { ts } } } }', 'View Asset Data'],
  ['{ assets { events { ts } } }', 'View Asset Data'],
  ['{ assets { log { text } } }', 'View Asset Data'],
  ['{ connectors { id } }', 'Setup'],
  ['{ modules { id } }', 'Asset Management'],
  ['{ functions(moduleId: "builtin") { id } }', 'Asset Management'],
  ['mutation { createAsset(input: { name: "x" }) { id } }', 'Asset Management'],
  ['mutation { deleteAsset(id: "x") { id } }', 'Asset Management'],
  [
    'mutation { createSignal(assetId: "x", input: { name: "x", primitiveType: JSON }) { id } }',
    'Asset Management',
  ],
  [
    `mutation { linkFunction(input: { assetId: "x", moduleId: "builtin", functionId: "threshold",
      inlets: [] }) { id } }`,
    'Asset Management',
  ],
  ['mutation { unlinkFunction(id: "x") { id } }', 'Asset Management'],
  ['mutation { createGroup(input: { name: "x" }) { id } }', 'Group Management'],
]

test('each field is refused without its permission, and names it', async (t) => {
  let missing: Permission | undefined
  const fixture = await graphqlFixture(t, (options) => ({
    ...options,
    accounts: {
      ...options.accounts,
      async authorize(header) {
        const principal = await options.accounts.authorize(header)
        const left = permissions.filter((permission) => permission !== missing)
        return { ...principal, permissions: new Set(left) }
      },
    },
  }))
  await fixture.assets.create(fixture.business, {
    name: 'Pump',
    signals: [{ name: 's', primitiveType: 'NUMERIC' }],
  })
  for (const [query, permission] of table) {
    missing = permission
    const refused = await ask(fixture, fixture.administrator, query)
    assert.deepEqual(codes(refused), ['forbidden'], query)
    assert.equal(refused.errors?.[0]?.message, `This needs the permission "${permission}".`)
    missing = undefined
    const allowed = codes(await ask(fixture, fixture.administrator, query)) ?? []
    assert(!allowed.includes('forbidden'), query)
  }
})

test('an asset is shown without the values that the token may not read', async (t) => {
  const fixture = await graphqlFixture(t, (options) => ({
    ...options,
    accounts: {
      ...options.accounts,
      authorize: async (header) => ({
        ...(await options.accounts.authorize(header)),
        permissions: new Set<Permission>(['View Asset']),
      }),
    },
  }))
  await fixture.assets.create(fixture.business, {
    name: 'Pump',
    signals: [{ name: 's', primitiveType: 'NUMERIC' }],
  })
  const answer = await ask(
    fixture,
    fixture.viewer,
    '{ assets { name signals { lastValue { ts } } } }',
  )
  assert.deepEqual(answer.data, { assets: [{ name: 'Pump', signals: [{ lastValue: null }] }] })
  assert.deepEqual(answer.errors?.[0]?.path, ['assets', 0, 'signals', 0, 'lastValue'])
})
