import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { limits } from '../../../src/kernel/index.ts'
import { type Answer, ask, type GraphqlBench, graphqlBench } from '../../fixtures/wire/graphql.ts'

const query = `query($limit: Int) { assets(pagination: { limit: $limit }) {
  id name group { name } status { name } links { id }
  signals { id name lastValue { ts value } } } }`

async function fill(bench: GraphqlBench, assets: number, signals: number) {
  for (let at = 0; at < assets; at += 1) {
    await bench.assets.create(bench.business, {
      name: `asset ${at}`,
      signals: Array.from({ length: signals }, (_, signal) => ({
        name: `signal ${signal}`,
        primitiveType: 'NUMERIC',
      })),
    })
  }
  const { assets: made } = bench
  const all = await made.list(bench.business, { limit: limits.pageMax })
  const ids = all.map((asset) => asset.id)
  const ts = bench.clock.nowUs()
  await made.ensurePartitions(ts)
  const found = await made.signals.ofAssets(bench.business, ids)
  const values = found.map(({ key }, at) => ({ key, ts, value: at }))
  await bench.database.transaction((transaction) => made.writeValues(transaction, values))
}

async function measured(bench: GraphqlBench, limit: number) {
  const before = bench.statements()
  const answer = await ask(bench, bench.viewer, query, { limit })
  return { answer, statements: bench.statements() - before }
}

test('twenty assets cost as many statements as one', async (t) => {
  const bench = await graphqlBench(t)
  await fill(bench, 20, 5)
  await measured(bench, 1)
  const one = await measured(bench, 1)
  const many = await measured(bench, 20)
  // Assets, groups, statuses, links, signals with last values: each once.
  assert.equal(one.statements, 5)
  assert.equal(many.statements, 5)
  const assets = many.answer.data?.assets as { signals: { lastValue: { value: number } }[] }[]
  assert.equal(assets.length, 20)
  assert.equal(assets[19]?.signals[4]?.lastValue.value, 99)
})

test('what is not asked for is not loaded', async (t) => {
  const bench = await graphqlBench(t)
  await fill(bench, 3, 2)
  await ask(bench, bench.viewer, '{ assets { id } }')
  const before = bench.statements()
  await ask(bench, bench.viewer, '{ assets { id name createdAt } }')
  assert.equal(bench.statements() - before, 1)
})

test('a document answers the same after it was compiled', async (t) => {
  const bench = await graphqlBench(t)
  await fill(bench, 3, 2)
  const documents = [
    [query, { limit: 2 }],
    ['query($id: ID!) { asset(id: $id) { id } none: asset(id: 5) { id } }', { id: 'x' }],
    ['query($id: ID!) { asset(id: $id) { id } }', {}],
    ['query($limit: Int) { assets(pagination: { limit: $limit, offset: 1 }) { name } }', {}],
    ['{ assets(pagination: { limit: 1001 }) { name } }', undefined],
    ['{ assets { ...A signals { ...S } } } fragment A on Asset { id } fragment S on Signal { id }'],
    ['{ assets { __typename signals { values(limit: 1, order: asc) { ts value } } } }'],
    ['{ connectors { id } assets { name } }', undefined],
    [
      'query($from: Timestamp) { assets { signals { values(from: $from) { ts } } } }',
      { from: 'x' },
    ],
  ] as const
  for (const [text, variables] of documents) {
    const answers: Answer[] = []
    for (let use = 0; use <= limits.graphqlCompileAfter; use += 1) {
      answers.push(await ask(bench, bench.viewer, text, variables))
    }
    const [first] = answers
    const last = answers.at(-1)
    assert.deepEqual(last?.data, first?.data, text)
    assert.deepEqual(last?.errors?.map(place), first?.errors?.map(place), text)
  }
})

const place = ({ path, extensions }: NonNullable<Answer['errors']>[number]) => ({
  path,
  extensions,
})
