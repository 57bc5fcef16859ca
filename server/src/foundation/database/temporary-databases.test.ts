import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import pg from 'pg'
import { atEnd } from '../../../test/fixtures/ends.ts'
import { type TestPlatform, testPlatform } from '../../../test/fixtures/platform.ts'
import { createLogger, newId, systemRandom } from '../kernel/index.ts'
import { type Database, mayNotCreate, openTemporaryDatabase } from './index.ts'

const logger = createLogger('silent')
const hourMs = 3_600_000

async function readName(database: Database): Promise<string> {
  return (await database.one<{ name: string }>('select current_database() as name'))?.name ?? ''
}

async function has(database: Database, name: string): Promise<boolean> {
  return (await database.one('select 1 from pg_database where datname = $1', [name])) !== undefined
}

it('lies beside another database, has its tables, and is dropped when it closes', async (t) => {
  const { platform } = await testPlatform(t)
  const { database } = platform
  const temporary = await database.openTemporary(Date.now() + hourMs)
  const name = await readName(temporary)
  assert.notEqual(name, await readName(database))
  assert.deepEqual(await temporary.rows('select id from accounts_business'), [])
  assert.notEqual((await database.rows('select id from accounts_business')).length, 0)
  assert.ok(await has(database, name))
  await temporary.close()
  assert.equal(await has(database, name), false)
})

/** The same server as a role of its own, which no other test has. */
async function asRole(t: TestContext, { platform, databaseUrl }: TestPlatform, rights: string) {
  const { database } = platform
  const role = `role_${newId(systemRandom)}`
  await database.run(`create role ${role} ${rights}`)
  atEnd(t, () => database.run(`drop role ${role}`))
  const url = await databaseUrl()
  return `${url}${url.includes('?') ? '&' : '?'}options=-c%20role%3D${role}`
}

it('is dropped by anyone of its role once it has expired, unless it is in use', async (t) => {
  const instance = await testPlatform(t)
  const { database } = instance.platform
  const url = await asRole(t, instance, 'createdb')
  const expiresAtMs = Date.now() + hourMs
  const sweep = async (nowMs: number) =>
    (await openTemporaryDatabase({ url, logger, nowMs, expiresAtMs })).close()
  // As a killed process leaves it.
  const left = `millrace_temporary_${Math.ceil(expiresAtMs / 1_000)}_left`
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`create database ${left}`).finally(() => client.end())
  const used = await openTemporaryDatabase({ url, logger, nowMs: 0, expiresAtMs })
  await sweep(expiresAtMs - 1)
  assert.ok(await has(database, left))
  await sweep(expiresAtMs + 1_000)
  assert.equal(await has(database, left), false)
  assert.ok(await has(database, await readName(used)))
  await used.close()
})

it('is opened on a server whose own database stays as it is', async (t) => {
  const { platform, databaseUrl } = await testPlatform(t)
  const { database } = platform
  const times = { nowMs: Date.now(), expiresAtMs: Date.now() + hourMs }
  const url = await databaseUrl()
  const temporary = await openTemporaryDatabase({ url, logger, ...times })
  const name = await readName(temporary)
  assert.match(name, /^millrace_temporary_\d+_/)
  await temporary.close()
  assert.equal(await has(database, name), false)
})

it('is refused by a role that may create none', async (t) => {
  const url = await asRole(t, await testPlatform(t), 'nocreatedb')
  const times = { nowMs: Date.now(), expiresAtMs: Date.now() + hourMs }
  await assert.rejects(openTemporaryDatabase({ url, logger, ...times }), mayNotCreate)
})
