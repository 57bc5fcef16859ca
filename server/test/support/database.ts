import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import pg from 'pg'
import { type Database, openDatabase } from '../../src/database/index.ts'
import { startEngine } from '../../src/database/embedded/index.ts'
import { createLogger, newId, systemRandom } from '../../src/kernel/index.ts'

/** Which engine this run of the tests stands on; dev/test.mjs runs them once on each. */
export const testEngine = process.env.MILLRACE_TEST_ENGINE === 'external' ? 'external' : 'embedded'

const logger = createLogger('silent')
const externalServer =
  process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

let engineDir: Promise<string> | undefined

/** How a fresh database of this test is opened: pass it to `openDatabase` or to the platform. */
export type TestAddress = { readonly url: string | undefined; readonly dataDir: string; readonly name: string }

/** A database of the test's own, empty, gone after the test. */
export async function testAddress(t: Pick<TestContext, 'after'>): Promise<TestAddress> {
  const name = `millrace_test_${newId(systemRandom)}`
  if (testEngine === 'embedded') return { url: undefined, dataDir: await sharedEngine(), name }
  await onServer(`create database ${name}`)
  t.after(() => onServer(`drop database if exists ${name} with (force)`))
  const url = new URL(externalServer)
  url.pathname = `/${name}`
  return { url: url.href, dataDir: '', name }
}

/** The same, open and migrated. */
export async function testDatabase(t: Pick<TestContext, 'after'>): Promise<Database> {
  const address = await testAddress(t)
  const database = await openDatabase({ ...address, owner: false, logger })
  t.after(() => database.close())
  return database
}

async function onServer(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: externalServer })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

/** One engine for all tests of this process: a start costs a second, a database a tenth. */
function sharedEngine(): Promise<string> {
  engineDir ??= (async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'millrace-test-'))
    const engine = await startEngine({ dataDir, owner: true, logger })
    after(async () => {
      await engine.stop()
      await rm(dataDir, { recursive: true, force: true })
    })
    return dataDir
  })()
  return engineDir
}
