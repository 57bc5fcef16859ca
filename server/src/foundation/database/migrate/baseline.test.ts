import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import type pg from 'pg'
import { setLimits } from '../../../../test/fixtures/bounds.ts'
import { readCatalog } from '../../../../test/fixtures/database/catalog.ts'
import {
  connectTo,
  type ReplacedDatabase,
  replacedDatabase,
  replacedMigrations,
} from '../../../../test/fixtures/database/replaced.ts'
import { databaseProxy } from '../../../../test/fixtures/database-proxy.ts'
import { comes } from '../../../../test/fixtures/demo.ts'
import { atEnd } from '../../../../test/fixtures/ends.ts'
import { createLogger } from '../../kernel/index.ts'
import { type Database, openDatabase } from '../index.ts'
import { readMigrations, readReplaced } from './migration-files.ts'

const logger = createLogger('silent')

/** Opens the database in this process, until the end of the test. */
async function opened(t: TestContext, { config }: Pick<ReplacedDatabase, 'config'>) {
  const { databaseUrl: url, dataDir } = config
  const database = await openDatabase({ url, dataDir, owner: false, logger })
  atEnd(t, () => database.close())
  return database
}

async function readRecord(client: Pick<pg.Client, 'query'>) {
  const text = 'select name, checksum, beside from database_migration order by name'
  return (await client.query(text)).rows
}

const tables = `
  select relname as name from pg_class where relnamespace = 'public'::regnamespace
    and relkind = 'r' and relname <> 'database_migration' order by 1`

/** The rows of all tables but the record. */
async function readRows(client: pg.Client) {
  const rows = new Map<string, unknown[]>()
  for (const { name } of (await client.query<{ name: string }>(tables)).rows) {
    const text = `select to_jsonb(one)::text as row from ${name} one order by 1`
    rows.set(name, (await client.query(text)).rows)
  }
  return rows
}

/** Asserts that the database is refused, and that nothing of it is changed. */
async function isRefused(t: TestContext, one: ReplacedDatabase, fault: object): Promise<void> {
  const before = [await readRecord(one.client), await readCatalog(one.client)]
  await assert.rejects(opened(t, one), fault)
  assert.deepEqual([await readRecord(one.client), await readCatalog(one.client)], before)
}

describe('a database of before the baseline', () => {
  it('is carried over: only its record changes, and it equals a fresh one', async (t) => {
    const old = await replacedDatabase(t)
    const insert = 'insert into mail_sender (business_id, sender) values ($1, $2)'
    await old.client.query(insert, ['b', '@sender.example'])
    const rows = await readRows(old.client)
    await opened(t, old)
    assert.deepEqual(await readRows(old.client), rows)
    await old.client.query('delete from mail_sender')
    const { config } = await databaseProxy(t)
    const fresh = await connectTo(t, config.databaseUrl)
    assert.deepEqual(await readCatalog(old.client), await readCatalog(fresh))
    assert.deepEqual(await readRecord(old.client), await readRecord(fresh))
    assert.deepEqual(await readRows(old.client), await readRows(fresh))
  })

  it('is carried over once by processes that start together', async (t) => {
    const old = await replacedDatabase(t)
    const databases = await Promise.all([1, 2, 3, 4].map(() => opened(t, old)))
    const record = await readRecord(old.client)
    assert.deepEqual(
      record.map(({ name }) => name),
      (await readMigrations()).map(({ name }) => name),
    )
    for (const database of databases) await database.run('select 1')
    await opened(t, old)
    assert.deepEqual(await readRecord(old.client), record)
  })

  it('is left as it was if its server ends the connection meanwhile', async (t) => {
    const old = await replacedDatabase(t)
    const before = await readRecord(old.client)
    const other = await connectTo(t, old.config.databaseUrl)
    await other.query('begin; lock table database_migration in share mode')
    const opening = opened(t, old)
    opening.catch(() => {})
    const waiting = `select pid from pg_locks where relation = 'database_migration'::regclass
      and not granted`
    const { pid } = await comes(async () => (await old.client.query(waiting)).rows[0])
    await old.client.query('select pg_terminate_backend($1)', [pid])
    await assert.rejects(opening)
    await other.query('rollback')
    assert.deepEqual(await readRecord(old.client), before)
    await opened(t, old)
    assert.notDeepEqual(await readRecord(old.client), before)
  })
})

describe('a database of before the baseline is refused', () => {
  it('if a migration is missing, and the commit to start is named', async (t) => {
    const old = await replacedDatabase(t, '0157_graphql.sql')
    await isRefused(t, old, {
      code: 'database_version',
      detail:
        /earlier version, without 0158_marketplace\.sql.*Start the version of commit 20515092/,
    })
    await old.client.query("delete from database_migration where name = '0031_accounts.sql'")
    await isRefused(t, old, { code: 'database_version', detail: /without 0031_accounts\.sql/ })
  })

  it('if a checksum is another, or a file is unknown', async (t) => {
    const old = await replacedDatabase(t)
    await old.client.query(
      "update database_migration set checksum = repeat('0', 64) where name = '0031_accounts.sql'",
    )
    await isRefused(t, old, {
      code: 'database_version',
      detail: /other migrations than those of this version \(0031_accounts\.sql differ/,
    })
    await old.client.query(
      "insert into database_migration (name, checksum, at) values ('0161_x.sql', '', now())",
    )
    await isRefused(t, old, { code: 'database_version', detail: /newer version.*0161_x\.sql/ })
  })

  it('while a process serves from it', async (t) => {
    setLimits(t, { databaseReleaseMsMax: 50 })
    const old = await replacedDatabase(t)
    const other = await connectTo(t, old.config.databaseUrl)
    await other.query('select pg_advisory_lock_shared(7461, 2)')
    await isRefused(t, old, { code: 'database_in_use', detail: /others serve from them/ })
    await other.query('select pg_advisory_unlock_all()')
    const database: Database = await opened(t, old)
    assert.equal(await database.unwritable(), undefined)
  })
})

it('no file of the baseline has the name of a replaced one', async () => {
  const replaced = await readReplaced()
  for (const { name } of await readMigrations()) assert.ok(!replaced.has(name), name)
  const sums = [...replacedMigrations()].map(([name, sql]) => {
    return [name, createHash('sha256').update(sql).digest('hex')] as const
  })
  assert.deepEqual(new Map(sums), replaced)
})
