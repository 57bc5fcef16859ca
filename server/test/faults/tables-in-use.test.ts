import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import pg from 'pg'
import { type Database, openDatabase } from '../../src/foundation/database/index.ts'
import { createLogger } from '../../src/foundation/kernel/index.ts'
import { replacedDatabase } from '../fixtures/database/replaced.ts'
import { databaseProxy } from '../fixtures/database-proxy.ts'
import { comes } from '../fixtures/demo.ts'
import { atEnd } from '../fixtures/ends.ts'
import { addNewerMigration, revertHosts } from '../fixtures/migrations.ts'
import { startCli } from '../fixtures/processes/cli-process.ts'
import { startInstance } from '../fixtures/processes/instance-process.ts'

const logger = createLogger('silent')

/** Settings of processes that share a database by its address, whichever engine it is. */
async function makeSettings(t: TestContext) {
  const { config } = await databaseProxy(t)
  const folder = await mkdtemp(join(tmpdir(), 'millrace-shared-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true, maxRetries: 20 }))
  return { MILLRACE_DATA: folder, DATABASE_URL: config.databaseUrl, MILLRACE_LOG: 'silent' }
}

type Settings = Awaited<ReturnType<typeof makeSettings>>

function verifyLedger(t: TestContext, settings: Settings) {
  const words = ['ledger', 'verify']
  return startCli(t, words, { cwd: tmpdir(), env: { ...process.env, ...settings } })
}

/** Opens the database in this process. */
function openHere({ DATABASE_URL, MILLRACE_DATA }: Settings): Promise<Database> {
  return openDatabase({ url: DATABASE_URL, dataDir: MILLRACE_DATA, owner: false, logger })
}

const lockHolders = `
  select pid from pg_locks where locktype = 'advisory' and classid = 7461 and objid = 2 and granted
    and database = (select oid from pg_database where datname = current_database())`

async function findHolder(database: Database): Promise<number> {
  return comes(async () => (await database.one<{ pid: number }>(lockHolders))?.pid)
}

/** Waits until somebody waits for the lock. */
async function waits(database: Database, mode: string): Promise<void> {
  const waiting =
    "select pid from pg_locks where locktype = 'advisory' and mode = $1 and not granted"
  await comes(() => database.one(waiting, [mode]))
}

describe('tables of an older version', () => {
  it('are not changed while a process serves from them, and are when it was killed', async (t) => {
    const settings = await makeSettings(t)
    const first = await startInstance(settings)
    atEnd(t, () => first.kill())
    await revertHosts(settings.DATABASE_URL)
    const refused = verifyLedger(t, settings)
    assert.equal(await refused.end(), 1)
    const name = `process ${first.pid} on ${hostname()}`.slice(0, 63)
    assert.ok(refused.printed().includes(`others serve from them: ${name}`), refused.printed())
    assert.match(refused.printed(), /Stop these first, and start this version/)
    await assert.rejects(openHere(settings), { code: 'database_in_use' })
    await first.kill()
    const taken = verifyLedger(t, settings)
    await taken.end()
    assert.match(taken.printed(), /Every message is accounted for/)
  })

  it('are changed by one of several processes that start together', async (t) => {
    const settings = await makeSettings(t)
    await revertHosts(settings.DATABASE_URL)
    const started = await Promise.all([1, 2, 3].map(() => startInstance(settings)))
    for (const instance of started) atEnd(t, () => instance.kill())
    for (const { httpUrl } of started) assert.equal((await fetch(`${httpUrl}/healthz`)).status, 200)
    for (const instance of started) assert.equal(await instance.stop(), 0)
  })
})

describe('a process whose connection with the lock of the tables is lost', () => {
  it('takes the lock again', async (t) => {
    const database = await openHere(await makeSettings(t))
    atEnd(t, () => database.close())
    const before = await findHolder(database)
    await database.run('select pg_terminate_backend($1)', [before])
    const after = await comes(async () => {
      const pid = await findHolder(database)
      return pid === before ? undefined : pid
    })
    assert.notEqual(after, before)
    await database.run('select 1')
  })

  it('can be closed while it waits for who changes the tables', async (t) => {
    const settings = await makeSettings(t)
    const database = await openHere(settings)
    const other = new pg.Client({ connectionString: settings.DATABASE_URL })
    await other.connect()
    atEnd(t, () => other.end())
    const before = await findHolder(database)
    const taking = other.query('select pg_advisory_lock(7461, 2)')
    await waits(database, 'ExclusiveLock')
    await database.run('select pg_terminate_backend($1)', [before])
    await taking
    await waits(database, 'ShareLock')
    await database.close()
  })

  it('reads and writes nothing more if a newer version has changed the tables', async (t) => {
    const database = await openHere(await makeSettings(t))
    atEnd(t, () => database.close())
    const writer = database.writer()
    atEnd(t, () => writer.close())
    await addNewerMigration(database)
    await database.run('select pg_terminate_backend($1)', [await findHolder(database)])
    const why = await comes(() => database.unwritable())
    assert.match(why, /written by a newer version of Millrace \(9998_x\.sql\)/)
    await assert.rejects(database.run('select 1'), { code: 'database_unavailable' })
    await assert.rejects(writer.commit([]), { code: 'database_unavailable' })
  })
})

async function migrates(t: TestContext, settings: object, words: readonly string[]) {
  const env = { ...process.env, ...settings }
  const command = startCli(t, ['migrate', ...words], { cwd: tmpdir(), env })
  assert.equal(await command.end(), 0, command.printed())
  return command.printed()
}

describe('millrace migrate', () => {
  it('carries tables of before the baseline over', async (t) => {
    const { config } = await replacedDatabase(t)
    const settings = { MILLRACE_DATA: config.dataDir, DATABASE_URL: config.databaseUrl }
    const migrate = (...words: string[]) => migrates(t, settings, words)
    const done = 'the record of 109 migrations by that of the baseline\n'
    for (let times = 0; times < 2; times += 1) {
      assert.equal(await migrate('--dry-run'), `would replace ${done}`)
    }
    assert.equal(await migrate(), `replaced ${done}`)
    assert.equal(await migrate(), 'The tables are up to date.\n')
  })

  it('names the files that it would run, and runs them once', async (t) => {
    const settings = await makeSettings(t)
    const migrate = (...words: string[]) => migrates(t, settings, words)
    assert.equal(await migrate('--dry-run'), 'The tables are up to date.\n')
    await revertHosts(settings.DATABASE_URL)
    for (let times = 0; times < 2; times += 1) {
      assert.equal(await migrate('--dry-run'), 'would run 0205_hosts.sql\n')
    }
    assert.equal(await migrate(), 'ran 0205_hosts.sql\n')
    assert.equal(await migrate(), 'The tables are up to date.\n')
  })
})
