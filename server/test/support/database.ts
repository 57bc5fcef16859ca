import { rmSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Engine, startEngine, worksOn } from '../../src/database/embedded/index.ts'
import { type Database, openDatabase } from '../../src/database/index.ts'
import { createLogger, newId, systemRandom } from '../../src/kernel/index.ts'
import { atEnd } from './ends.ts'
import { afterAllSuites } from './suite.ts'

/** Which engine this run of the tests stands on; dev/test.mjs runs them once on each. */
export const testEngine = process.env.MILLRACE_TEST_ENGINE === 'external' ? 'external' : 'embedded'

const logger = createLogger('silent')
const externalServer = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** How a fresh database of this test is opened: pass it to `openDatabase` or to the platform. */
export type TestAddress = {
  readonly url: string | undefined
  readonly dataDir: string
  readonly name: string
}

/** A database of the test's own, empty, gone after the test. */
export async function emptyAddress(t: Pick<TestContext, 'after'>): Promise<TestAddress> {
  const name = newName()
  atEnd(t, () => dropSoon(name))
  if (testEngine === 'external') await onServer((client) => client.query(`create database ${name}`))
  return addressOf(name)
}

/** The same, migrated. */
export async function testAddress(t: Pick<TestContext, 'after'>): Promise<TestAddress> {
  const name = await (ready ?? copy())
  kept.delete(name)
  atEnd(t, () => dropSoon(name))
  ready = copy()
  // The test that takes it is told.
  ready.catch(() => {})
  return addressOf(name)
}

/** A migrated database for the next test that asks: it is made while this one runs. */
let ready: Promise<string> | undefined

const pollMs = 5

/** Databases that no test has. */
const kept = new Set<string>()

/** A database that was migrated once, to be copied: a copy costs a third of the migrations. */
let template: Promise<string> | undefined

async function copy(): Promise<string> {
  template ??= makeTemplate()
  const from = await template
  const name = newName()
  await onServer((client) => client.query(`create database ${name} template ${from}`))
  kept.add(name)
  return name
}

async function makeTemplate(): Promise<string> {
  const name = newName()
  if (testEngine === 'external') await onServer((client) => client.query(`create database ${name}`))
  const database = await openDatabase({ ...(await addressOf(name)), owner: false, logger })
  await database.close()
  const connected = 'select 1 from pg_stat_activity where datname = $1'
  await onServer(async (client) => {
    // A backend ends a moment after its client, and nothing is copied that is in use.
    while ((await client.query(connected, [name])).rowCount !== 0) await pause(pollMs)
  })
  kept.add(name)
  return name
}

function newName(): string {
  return `millrace_test_${newId(systemRandom)}`
}

async function addressOf(name: string): Promise<TestAddress> {
  if (testEngine === 'embedded') return { url: undefined, dataDir: (await shared()).dataDir, name }
  const url = new URL(externalServer)
  url.pathname = `/${name}`
  return { url: url.href, dataDir: '', name }
}

/** The same, open. */
export async function testDatabase(t: Pick<TestContext, 'after'>): Promise<Database> {
  const address = await testAddress(t)
  const open = await openDatabase({ ...address, owner: false, logger })
  atEnd(t, () => open.close())
  return open
}

/** Databases of tests that are over. */
const over = new Set<string>()
let dropping: Promise<unknown> = Promise.resolve()

/** Nobody waits for it: the next test runs meanwhile. */
function dropSoon(name: string): void {
  over.add(name)
  dropping = dropping.then(dropUnused).catch((error) => logger.warn(error))
}

/**
 * A test's own hooks may come after ours: what is still in use is dropped with a later one, since
 * PostgreSQL would wait five seconds for it.
 */
async function dropUnused(): Promise<void> {
  await onServer(async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      `select datname from pg_database where datname = any($1) and not exists
        (select 1 from pg_stat_activity where pg_stat_activity.datname = pg_database.datname)`,
      [[...over]],
    )
    for (const { datname } of rows) {
      await client.query(`drop database if exists ${datname} with (force)`)
      over.delete(datname)
    }
  })
}

// After the last test of all files: the runner ends the process then, whatever is still open.
afterAllSuites(() => (testEngine === 'external' ? dropAll() : running?.then(end)))

/** What tests of an external server have left when the process ends. */
async function dropAll(): Promise<void> {
  const left = [...over, ...kept]
  if (left.length === 0) return
  over.clear()
  kept.clear()
  await onServer(async (client) => {
    for (const name of left) await client.query(`drop database if exists ${name} with (force)`)
  })
}

/** Works on the server outside of every test's database. */
async function onServer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(
    testEngine === 'external'
      ? { connectionString: externalServer }
      : { ...(await (await shared()).engine.database('postgres')) },
  )
  await client.connect()
  await work(client).finally(() => client.end())
}

type SharedEngine = { readonly dataDir: string; readonly engine: Engine }

let running: Promise<SharedEngine> | undefined

/** One engine for all tests of this process: a start costs a second, a database a tenth. */
function shared(): Promise<SharedEngine> {
  running ??= startShared()
  return running
}

const prefix = 'millrace-test-'

async function startShared(): Promise<SharedEngine> {
  await sweep()
  const dataDir = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`))
  // Open to the engine's user, so that its socket lies here too and goes with the rest.
  await chmod(dataDir, 0o711)
  const engine = await startEngine({ dataDir, owner: true, logger })
  process.once('exit', () => endNow(dataDir, engine.pid))
  return { dataDir, engine }
}

async function end({ dataDir, engine }: SharedEngine): Promise<void> {
  await engine.stop()
  await rm(dataDir, { recursive: true, force: true })
}

/** The same where the process ends early, and nothing can be awaited any more. */
function endNow(dataDir: string, pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 })
}

/** Ends and removes what runs of the tests that were killed have left behind. */
async function sweep(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1]
    if (pid === undefined || lives(Number(pid))) continue
    const dataDir = join(tmpdir(), name)
    const cluster = join(dataDir, 'postgres')
    const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
    const server = Number.parseInt(text, 10)
    // A number alone might by now be a stranger's.
    if (server > 0 && (await worksOn(server, cluster))) process.kill(server, 'SIGKILL')
    // Another run that sweeps at the same time may be faster.
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 }).catch(() => {})
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
