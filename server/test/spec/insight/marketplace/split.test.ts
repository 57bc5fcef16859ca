import { strict as assert } from 'node:assert'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Transaction } from '../../../../src/foundation/database/index.ts'
import { createLogger } from '../../../../src/foundation/kernel/index.ts'
import { createMarketplace } from '../../../../src/insight/marketplace/index.ts'
import { createChanges } from '../../../../src/log/changes/index.ts'
import { fakeModule, insight, module, pipelinesFixture } from '../../../fixtures/pipelines.ts'
import { testSecrets } from '../../../fixtures/secrets.ts'

const folder = join(import.meta.dirname, '../../../../src/foundation/database/migrations')

/** Runs the first statements of a migration; each ends at the end of a line. */
async function runFile(transaction: Transaction, name: string, count?: number): Promise<void> {
  const text = await readFile(join(folder, name), 'utf8')
  for (const statement of text.split(/;$/m).slice(0, count)) {
    if (statement.trim() !== '') await transaction.run(statement)
  }
}

/** The tables of the version before listings, with a module of it; then this version's. */
async function upgrade(transaction: Transaction, business: string): Promise<void> {
  await transaction.run('drop table marketplace_use, marketplace_listing')
  await transaction.run('drop table pipelines_module')
  await runFile(transaction, '0015_pipelines.sql', 1)
  const endpoints = {
    info: { method: 'GET', url: 'https://m.example/v1/about' },
    insights: { method: 'POST', url: 'https://m.example/v1/insights' },
    process: { method: 'POST', url: `https://m.example/v1/run/${business}?url":"x` },
  }
  await transaction.run(
    `insert into pipelines_module
       (business_id, id, name, url, endpoints, info, warnings, created_at)
     values ($1, 'm1', 'Old', 'https://m.example/v1', $2, $3, '["odd"]', 17)`,
    [business, JSON.stringify(endpoints), JSON.stringify({ group_id_required: false })],
  )
  const later = (await readdir(folder)).sort().filter((name) => name >= '0019')
  for (const name of later) {
    const isOurs = name.includes('_marketplace.') || name === '0020_pipelines.sql'
    if (isOurs) await runFile(transaction, name)
  }
}

test('a module of before is a private listing and a use of the same id', async (t) => {
  const { database, pipelines, business } = await pipelinesFixture(t, {
    own: 'replaces tables',
  })
  await pipelines.stop()
  await database.transaction((transaction) => upgrade(transaction, business))
  const [, module] = await pipelines.modules.list(business)
  assert.deepEqual(module, {
    id: 'm1',
    businessId: business,
    name: 'Old',
    url: 'https://m.example/v1',
    info: { group_id_required: false },
    complaints: ['odd'],
    simulationSafe: false,
    createdAt: 17,
  })
  const changes = createChanges({ database, logger: createLogger('silent') })
  const options = { database, changes, outbound: { call: assert.fail, refusal: assert.fail } }
  const clock = { nowMs: () => 0, nowUs: () => 0, elapsedMs: () => 0 }
  const secrets = testSecrets()
  const random = () => Buffer.alloc(0)
  const { uses } = createMarketplace({ ...options, clock, random, secrets, prefixes: [] })
  const [use = assert.fail()] = await uses.list(business)
  assert.deepEqual(uses.endpoints(use), {
    info: { method: 'GET', url: 'https://m.example/v1/about', headers: {} },
    insights: { method: 'POST', url: 'https://m.example/v1/insights', headers: {} },
    process: { method: 'POST', url: `https://m.example/v1/run/${business}?url":"x`, headers: {} },
  })
  assert.deepEqual([use.listing.visibility, use.listing.implied], ['private', true])
})

test('a listing that was made with a module goes with it', async (t) => {
  const fake = await fakeModule(t, module([insight('f')]))
  const { database, pipelines, business } = await pipelinesFixture(t)
  const { id } = await pipelines.modules.add(business, { url: fake.url })
  const rowsOf = (table: string) =>
    database.rows(`select id from ${table} where business_id = $1`, [business])
  assert.equal((await rowsOf('marketplace_listing')).length, 1)
  await pipelines.modules.remove(business, id)
  assert.equal((await rowsOf('marketplace_listing')).length, 0)
  assert.equal((await rowsOf('pipelines_module')).length, 0)
})
