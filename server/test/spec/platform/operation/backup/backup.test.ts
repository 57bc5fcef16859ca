import assert from 'node:assert/strict'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import {
  backUpDatabase,
  type Database,
  openDatabase,
  restoreDatabase,
} from '../../../../../src/foundation/database/index.ts'
import { createLogger } from '../../../../../src/foundation/kernel/index.ts'
import { openPlatform, serve } from '../../../../../src/main.ts'
import { emptyAddress } from '../../../../fixtures/database.ts'
import { atEnd } from '../../../../fixtures/ends.ts'
import { type TestPlatform, testPlatform } from '../../../../fixtures/platform.ts'
import { newDevice, send } from '../../../../fixtures/wire/device.ts'

const logger = createLogger('silent')

async function backedUp(t: TestContext, { databaseUrl, platform }: TestPlatform) {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-backup-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'backup.tar')
  const from = { url: await databaseUrl(), dataDir: platform.config.dataDir, owner: false, logger }
  const result = await backUpDatabase(from, createWriteStream(file), { keys: [] })
  return { file, ...result }
}

async function restored(t: TestContext, file: string) {
  const address = await emptyAddress(t)
  const options = { ...address, owner: false, logger }
  const result = await restoreDatabase(options, createReadStream(file), {})
  return { address, result }
}

/** An instance on what was restored, with the keys of the one before. */
async function opened(t: TestContext, { platform }: TestPlatform, file: string) {
  const { address, result } = await restored(t, file)
  const config = Object.assign({}, platform.config, { databaseUrl: address.url })
  const parts = { config, logger, owner: false, databaseName: address.name }
  const other = await openPlatform(parts)
  const served = await serve(other)
  atEnd(t, () => served.close())
  return { ...served, result, platform: other }
}

/** A device writes with the credential that it has. */
function writes(url: string, token: string) {
  const type = 'application/x-www-form-urlencoded; charset=utf-8'
  const headers = { 'X-vendor-CIK': token, 'Content-Type': type }
  return send(url, 'POST', '/vendor:v1/stack/alias', headers, 'temperature=1000')
}

/**
 * Each table's rows, in an order of their own; without the ends of leases, which are renewed each
 * second: a slow machine would not have two equal looks.
 */
async function readContent(database: Database): Promise<Map<string, string>> {
  const tables = await database.rows<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
       and relname not in ('database_migration', 'database_process') order by relname`,
  )
  const content = new Map<string, string>()
  for (const { name } of tables) {
    const row = await database.one<{ rows: string }>(
      `select count(*)::text || ' ' || coalesce(md5(string_agg(row, '' order by row)), '') as rows
       from (select md5((to_jsonb(t) - '{leased_until,seen_until}'::text[])::text) as row
             from ${name} t) rows`,
    )
    content.set(name, row?.rows ?? '')
  }
  return content
}

describe('a backup of an instance', () => {
  it('holds every row of every table, with the numbers that come next', async (t) => {
    const millrace = await testPlatform(t, { own: 'backs up the database' })
    const { connector, httpUrl, platform } = millrace
    const device = await newDevice(httpUrl, connector.id, 'd')
    for (let at = 0; at < 5; at += 1) await device.write(`temperature=${at}`)
    await platform.activity.flush()
    // Consumers go on for a while: a backup of between two equal looks is compared.
    let source: Map<string, string>
    let made: Awaited<ReturnType<typeof backedUp>>
    do {
      source = await readContent(platform.database)
      made = await backedUp(t, millrace)
    } while (!isDeepStrictEqual(source, await readContent(platform.database)))
    const { address, result } = await restored(t, made.file)
    assert.equal(result.rows, made.rows)
    const other = await openDatabase({ ...address, owner: false, logger })
    atEnd(t, () => other.close())
    assert.deepEqual(await readContent(other), source)
    const numbers = `select sequencename as name, last_value::text as last from pg_sequences
      where schemaname = current_schema() order by sequencename`
    assert.deepEqual(await other.rows(numbers), await platform.database.rows(numbers))
  })

  it('made under load is of one moment: devices go on, and all is accounted for', async (t) => {
    const millrace = await testPlatform(t, { own: 'backs up the database' })
    const { connector, httpUrl } = millrace
    const devices = await Promise.all(
      ['a', 'b', 'c'].map((name) => newDevice(httpUrl, connector.id, name)),
    )
    let going = true
    let written = 0
    const load = devices.map(async ({ write }) => {
      for (let at = 0; going; at += 1) {
        assert.equal((await write(`temperature=${at}`)).status, 204)
        written += 1
      }
    })
    while (written < 20) await new Promise((resolve) => setImmediate(resolve))
    const acknowledged = written
    const { file } = await backedUp(t, millrace)
    going = false
    await Promise.all(load)
    const restoredOne = await opened(t, millrace, file)
    const { eventlog, database } = restoredOne.platform
    const { faults } = await eventlog.ledger.verify()
    assert.deepEqual(faults, [])
    const row = await database.one<{ count: number }>(
      "select count(*)::float8 as count from eventlog_entry where kind = 'write'",
    )
    assert.ok((row?.count ?? 0) >= acknowledged, `${row?.count} of ${acknowledged}`)
    for (const { token } of devices) {
      assert.equal((await writes(restoredOne.httpUrl, token)).status, 204)
    }
  })
})
