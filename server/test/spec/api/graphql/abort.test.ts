import { strict as assert } from 'node:assert'
import { type TestContext, test } from 'node:test'
import type { Database } from '../../../../src/foundation/database/index.ts'
import { until } from '../../../fixtures/engine.ts'
import { ask, codes, type GraphOptions, graphqlFixture } from '../../../fixtures/wire/graphql.ts'

const active = `select count(*) as count from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()
    and (state like 'idle in transaction%' or (state = 'active' and query like '%pg_sleep%'))`

/** Counts the statements or transactions of the test that run in the database. */
async function runningIn(database: Database): Promise<number> {
  return (await database.one<{ count: number }>(active))?.count ?? -1
}

/** A server whose requests may take 300 ms, and the database that they run on. */
async function shortFixture(t: TestContext, change: (options: GraphOptions) => GraphOptions) {
  return graphqlFixture(t, { change: (options) => ({ ...change(options), requestMsMax: 300 }) })
}

test('a query past its time is ended in the database too', async (t) => {
  const fixture = await shortFixture(t, (options) => ({
    ...options,
    assets: {
      ...options.assets,
      count: async () => (await options.database.rows('select pg_sleep(60)')).length,
    },
  }))
  const answer = await ask(fixture, fixture.viewer, '{ assetCount }')
  assert.deepEqual(codes(answer), ['time_exceeded'])
  await untilIdle(fixture.database)
})

const untilIdle = (database: Database) => until(async () => (await runningIn(database)) === 0)

test('a mutation past its time changes nothing, however long it waited', async (t) => {
  const { as, administrator, assets, database, view } = await shortFixture(t, (options) => options)
  const asset = await assets.create(view, { name: 'Pump' })
  const held = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const other = database.transaction(async (transaction) => {
    await transaction.rows('select id from assets_asset where id = $1 for update', [asset.id])
    held.resolve()
    await release.promise
  })
  await held.promise
  const remove = `mutation { deleteAsset(id: "${asset.id}") { id } }`
  const answer = await as(administrator, remove)
  assert.deepEqual(codes(answer), ['time_exceeded'])
  release.resolve()
  await other
  await untilIdle(database)
  assert.equal(await assets.count(view), 1)
  // On a busy machine a call may take longer than its time: that one changes nothing either.
  let again = answer
  await until(async () => {
    again = await as(administrator, remove)
    return again.errors === undefined
  })
  assert.deepEqual(again, { data: { deleteAsset: { id: asset.id } } })
})
