import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { graphqlLimits } from '../../../../src/api/graphql/index.ts'
import { applyLimits, limits } from '../../../../src/foundation/kernel/index.ts'
import {
  ask,
  codes,
  type GraphqlFixture,
  graphqlFixture,
  post,
  type WholeAnswer,
} from '../../../fixtures/wire/graphql.ts'

type Explained = {
  readonly cost: number
  readonly rows: number
  readonly statements: number
  readonly limit: number
  readonly passes: boolean
  readonly dearest: { readonly path: string } | null
  readonly smaller: {
    readonly change: string
    readonly query: string
    readonly variables: Record<string, unknown>
    readonly cost: number
  } | null
}

/** Returns the answer of `?explain`; nothing may be run for it. */
async function explain(
  fixture: GraphqlFixture,
  query: string,
  variables?: Record<string, unknown>,
): Promise<Explained> {
  const before = fixture.statements()
  const url = `${fixture.url}?explain`
  const { answer } = await post({ url }, fixture.viewer, { query, variables })
  assert.equal(fixture.statements(), before)
  assert.equal(answer.data, null, JSON.stringify(answer))
  return (answer.extensions as { explain?: Explained }).explain ?? assert.fail('no explanation')
}

const assumed = graphqlLimits.graphqlListAssumed
const perStatement = graphqlLimits.graphqlStatementCost
const values = (assets: number, points: number) =>
  `{ assets(pagination: { limit: ${assets} }) {
    id signals { data(options: { limit: ${points} }) { value } } } }`

test('the estimate counts rows and statements of the limits, and runs nothing', async (t) => {
  const fixture = await graphqlFixture(t)
  const found = await explain(fixture, values(30, 50))
  const rows = 30 + 30 * assumed + 30 * assumed * 50
  assert.equal(found.rows, rows)
  assert.equal(found.statements, 3)
  assert.equal(found.cost, rows + 3 * perStatement)
  assert.equal(found.limit, limits.graphqlCostMax)
  assert.equal(found.passes, true)
  assert.equal(found.dearest?.path, 'assets.signals.data')
  assert.equal(found.smaller, null)
})

test('limits of variables, of defaults and of named things count', async (t) => {
  const fixture = await graphqlFixture(t)
  const withPage = 'query($page: Pagination) { assets(pagination: $page) { id } }'
  assert.equal((await explain(fixture, withPage, { page: { limit: 7 } })).rows, 7)
  assert.equal((await explain(fixture, withPage)).rows, limits.pageDefault)
  const preset = 'query($n: Int = 9) { assets(pagination: { limit: $n }) { id } }'
  assert.equal((await explain(fixture, preset)).rows, 9)
  assert.equal((await explain(fixture, '{ assets(ids: ["a", "b"]) { id } }')).rows, 2)
  const alone = await explain(fixture, '{ assets(pagination: { limit: 40 }) { log { text } } }')
  assert.equal(alone.statements, 41)
})

test('fragments and aliases count where they stand, and the same field once', async (t) => {
  const fixture = await graphqlFixture(t)
  const rows = async (query: string) => (await explain(fixture, query)).rows
  assert.equal(
    await rows('{ assets { id } assets { name } ...F } fragment F on Query { assets { id } }'),
    100,
  )
  assert.equal(await rows('{ a: assets { id } b: assets { id } }'), 200)
  assert.equal(await rows('{ __schema { types { name fields { name } } } }'), 0)
})

test('past the bound a document is refused before anything runs', async (t) => {
  const fixture = await graphqlFixture(t)
  const before = fixture.statements()
  const { answer } = await post(fixture, fixture.viewer, { query: values(1_000, 10_000) })
  assert.deepEqual(codes(answer), ['cost_exceeded'])
  assert.equal(answer.data, undefined)
  assert.match(answer.errors?.[0]?.message ?? '', /assets\.signals\.data.*limit: \d+ of assets/)
  assert.equal(answer.extensions?.cost.usage.cost, 0)
  assert.equal(answer.extensions?.cost.limits.cost, limits.graphqlCostMax)
  assert.equal(fixture.statements(), before)
  const highest = Math.floor(
    (limits.graphqlCostMax - 3 * perStatement) / (1 + assumed + assumed * 100),
  )
  const fits = await ask(fixture, fixture.viewer, values(Math.min(highest, limits.pageMax), 100))
  assert.deepEqual(fits, { data: { assets: [] } })
})

const ofSignals = 'signals { data(options: { limit: 10000, every: "1d" }) { value } }'
const tooDear: readonly (readonly [string, string, Record<string, unknown> | undefined])[] = [
  ['a literal', values(1_000, 10_000), undefined],
  [
    'no limit at all',
    `{ assets { signals { data(options: { limit: 10000 }) { value } } } }`,
    undefined,
  ],
  [
    'a variable for the limit',
    `query($n: Int) { assets(pagination: { limit: $n }) { ${ofSignals} } }`,
    { n: 1_000 },
  ],
  [
    'a variable for the page',
    `query($page: Pagination) { assets(pagination: $page) { ${ofSignals} } }`,
    { page: { limit: 1_000, offset: 3 } },
  ],
  [
    'several dear fields',
    `{ a: assets(pagination: { limit: 1000 }) { ...F } b: assets(pagination: { limit: 9 }) { ...F }
       c: assets { ...F } } fragment F on Asset { ${ofSignals} }`,
    undefined,
  ],
]

for (const [name, query, variables] of tooDear) {
  test(`a smaller query is named that passes: ${name}`, async (t) => {
    const fixture = await graphqlFixture(t)
    const { passes, smaller, cost } = await explain(fixture, query, variables)
    assert.equal(passes, false)
    assert(smaller !== null && smaller.cost <= limits.graphqlCostMax && smaller.cost < cost)
    const again = await explain(fixture, smaller.query, smaller.variables)
    assert.deepEqual([again.passes, again.cost], [true, smaller.cost])
    const run = await ask(fixture, fixture.viewer, smaller.query, smaller.variables)
    assert.equal(run.errors, undefined, JSON.stringify(run))
    assert.match(smaller.change, /limit: \d+ of /)
  })
}

test('the refusal of a document with many dear places costs little', async (t) => {
  const { as, viewer } = await graphqlFixture(t)
  const points = Array.from({ length: 45 }, (_, at) => `d${at}: data(options: { limit: 10000 })`)
  const signals = `signals { ${points.map((point) => `${point} { value }`).join(' ')} }`
  const field = `assets(pagination: { limit: 1000 }) { ${signals} }`
  const query = `{ ${Array.from({ length: 6 }, (_, at) => `a${at}: ${field}`).join(' ')} }`
  const before = process.threadCpuUsage()
  const answer = await as(viewer, query)
  const { user, system } = process.threadCpuUsage(before)
  assert.deepEqual(codes(answer), ['cost_exceeded'])
  assert.match(answer.errors?.[0]?.message ?? '', /The dearest field is assets\.signals\.data\./)
  // It took 8.8 s when each place was tried with each limit.
  assert.ok(user + system < 500_000, `${(user + system) / 1_000} ms of CPU`)
})

test('where no limit can be lowered, no smaller query is named', async (t) => {
  const fixture = await graphqlFixture(t)
  const { graphqlCostMax } = limits
  t.after(() => applyLimits({ graphqlCostMax }))
  applyLimits({ graphqlCostMax: 1_000 })
  const counts = Array.from({ length: 11 }, (_, at) => `a${at}: assetCount`).join(' ')
  const { passes, smaller, dearest } = await explain(fixture, `{ ${counts} }`)
  assert.deepEqual([passes, smaller, dearest?.path], [false, null, 'assetCount'])
  assert.deepEqual(codes(await ask(fixture, fixture.viewer, `{ ${counts} }`)), ['cost_exceeded'])
})

test('errors of the document and of its variables are answered as they are', async (t) => {
  const fixture = await graphqlFixture(t)
  const url = `${fixture.url}?explain`
  const asked = async (body: object) => (await post({ url }, fixture.viewer, body)).answer
  assert.deepEqual(codes(await asked({ query: '{ nothing }' })), ['invalid_argument'])
  const query = 'query($n: Int) { assets(pagination: { limit: $n }) { id } }'
  assert.deepEqual(codes(await asked({ query, variables: { n: 'x' } })), ['invalid_argument'])
  const other = await asked({ query, operationName: 'Other' })
  assert.deepEqual(codes(other), ['invalid_argument'])
  const none = await post({ url }, 'Automation no', { query })
  assert.equal(none.status, 401)
})

async function fill(fixture: GraphqlFixture, signals: number) {
  const view = fixture.view
  for (let at = 0; at < 3; at += 1) {
    await fixture.assets.create(view, {
      name: `asset ${at}`,
      signals: Array.from({ length: signals }, (_, one) => ({
        name: `signal ${one}`,
        primitiveType: 'NUMERIC',
      })),
    })
  }
}

test('the real cost is its rows and statements, and never above the estimate', async (t) => {
  const fixture = await graphqlFixture(t)
  await fill(fixture, 4)
  const documents = [
    '{ assets { id } }',
    '{ assetCount }',
    `{ assets { id name group { name } status { level } links { id }
      signals { id lastValue { value } } } }`,
    '{ assets { log { text } events { level } } }',
    `{ groups { name assets { id } children { id } totals { assets }
      all: totals(recurse: true) { groups } } }`,
    '{ assets { signals { data { value } day: data(options: { every: "1d" }) { value } } } }',
    '{ conditionQuery(pagination: { limit: 5 }) { results { id } } }',
  ]
  for (const query of documents) {
    const before = fixture.statements()
    const { answer } = await post(fixture, fixture.viewer, { query })
    assert.equal(answer.errors, undefined, JSON.stringify(answer))
    const cost = (answer as WholeAnswer).extensions?.cost.usage.cost ?? assert.fail('no cost')
    const statements = fixture.statements() - before
    // Statements of other modules count too, which the fixture leaves out.
    assert(Math.floor(cost / perStatement) >= statements, query)
    const most = await explain(fixture, query)
    assert(cost <= most.cost, `${query}: ${cost} of ${most.cost}`)
  }
  const { answer } = await post(fixture, fixture.viewer, { query: '{ assets { signals { id } } }' })
  const rows = 3 + 3 * 4
  assert.equal(answer.extensions?.cost.usage.cost, rows + perStatement)
})
