import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import {
  type Answer,
  ask,
  type GraphqlFixture,
  graphqlFixture,
} from '../../../fixtures/wire/graphql.ts'

const query = `query($limit: Int) { assets(pagination: { limit: $limit }) {
  id name group { name } status { level } links { id }
  signals { id name lastValue { timestamp value } } } }`

async function fill(fixture: GraphqlFixture, assets: number, signals: number) {
  for (let at = 0; at < assets; at += 1) {
    await fixture.assets.create(fixture.view, {
      name: `asset ${at}`,
      signals: Array.from({ length: signals }, (_, signal) => ({
        name: `signal ${signal}`,
        primitiveType: 'NUMERIC',
      })),
    })
  }
  const { assets: made } = fixture
  const all = await made.list(fixture.view, { limit: limits.pageMax })
  const ids = all.map((asset) => asset.id)
  const ts = fixture.clock.nowUs()
  await made.ensurePartitions(ts)
  const found = await made.signals.ofAssets(fixture.view, ids)
  const values = found.map(({ key }, at) => ({ key, ts, value: at }))
  await fixture.database.transaction((transaction) => made.writeValues(transaction, values))
}

async function measured(fixture: GraphqlFixture, limit: number) {
  const before = fixture.statements()
  const answer = await ask(fixture, fixture.viewer, query, { limit })
  return { answer, statements: fixture.statements() - before }
}

test('twenty assets cost as many statements as one', async (t) => {
  const fixture = await graphqlFixture(t)
  await fill(fixture, 20, 5)
  await measured(fixture, 1)
  const one = await measured(fixture, 1)
  const many = await measured(fixture, 20)
  // Assets, groups, statuses, links, signals with last values: each once.
  assert.equal(one.statements, 5)
  assert.equal(many.statements, 5)
  const assets = many.answer.data?.assets as { signals: { lastValue: { value: number } }[] }[]
  assert.equal(assets.length, 20)
  assert.equal(assets[19]?.signals[4]?.lastValue.value, 99)
})

test('the values of a hundred signals are one statement, and of buckets one more', async (t) => {
  const fixture = await graphqlFixture(t)
  await fill(fixture, 20, 5)
  const text = `query($limit: Int) { assets(pagination: { limit: $limit }) { signals {
    newest: data(options: { limit: 1 }) { timestamp value }
    hours: data(options: { every: "1h" }) { timestamp value } } rulez { data { level } } } }`
  const count = async (limit: number) => {
    const before = fixture.statements()
    const answer = await ask(fixture, fixture.viewer, text, { limit })
    return { answer, statements: fixture.statements() - before }
  }
  await count(1)
  // Assets, signals, links; values, and values by hour. No asset has a rule.
  assert.equal((await count(1)).statements, 5)
  const { answer, statements } = await count(20)
  assert.equal(statements, 5)
  type Found = { signals: { newest: { value: number }[]; hours: { value: number }[] }[] }
  const assets = answer.data?.assets as Found[]
  assert.equal(assets.length, 20)
  assert.deepEqual(assets[19]?.signals[4]?.newest[0]?.value, 99)
  assert.deepEqual(assets[19]?.signals[4]?.hours[0]?.value, 99)
})

test('a document answers the same with a plan and without', async (t) => {
  const fixture = await graphqlFixture(t)
  await fill(fixture, 3, 2)
  const documents = [
    [query, { limit: 2 }],
    ['query($id: ID!) { asset(id: $id) { id } none: asset(id: 5) { id } }', { id: 'x' }],
    ['query($id: ID!) { asset(id: $id) { id } }', {}],
    ['query($limit: Int) { assets(pagination: { limit: $limit, offset: 1 }) { name } }', {}],
    ['{ assets(pagination: { limit: 1001 }) { name } }', undefined],
    ['{ assets { ...A signals { ...S } } } fragment A on Asset { id } fragment S on Signal { id }'],
    ['{ assets { __typename signals { data(options: { limit: 1, order: asc }) { value } } } }'],
    ['{ connectors { id } assets { name } }', undefined],
    [
      'query($from: Timestamp) { assets { signals { data(options: { from: $from }) { value } } } }',
      { from: 'x' },
    ],
  ] as const
  for (const [text, variables] of documents) {
    const planned = await ask(fixture, fixture.viewer, text, variables)
    const walked = await ask(fixture, fixture.viewer, withDirective(text), variables)
    assert.deepEqual(planned.data, walked.data, text)
    assert.deepEqual(planned.errors?.map(place), walked.errors?.map(place), text)
  }
})

/** The same document as graphql-js runs it: a document with a directive has no plan. */
function withDirective(text: string): string {
  const [operation = '', ...fragments] = text.split(' fragment ')
  const included = `${operation.replace(/\{\s/, '{ ... @include(if: true) { ')} }`
  return [included, ...fragments].join(' fragment ')
}

const place = ({ path, extensions }: NonNullable<Answer['errors']>[number]) => ({
  path,
  extensions,
})
