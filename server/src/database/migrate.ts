import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '../kernel/index.ts'
import type { BoundedClient } from './bounded-client.ts'
import { waitedTooLong } from './pool.ts'
import { introduce, releaseTables, shareTables, takeTables } from './table-use.ts'

const folder = join(import.meta.dirname, 'migrations')

/**
 * Brings the tables up to this version: each file of migrations/ once, in the order of their
 * names, all in one transaction, so that a cut leaves the version before. Processes that start
 * together on one server wait for each other on the row of `database_lock`. From then on the
 * connection holds the lock of table-use.ts, shared, where the server has such locks.
 * @returns the names of the files that were run.
 * @throws Error if a newer version has made the tables, Fault database_in_use if they must be
 *   changed while other processes use them; nothing is changed then.
 */
export async function migrate(client: BoundedClient): Promise<string[]> {
  const locks = await introduce(client)
  await refuseNewerTables(client)
  await makeLock(client)
  await client.query('insert into database_lock (id) values (1) on conflict do nothing')
  await client.query('begin')
  await waitForOthers(client)
  await client.query(
    `create table if not exists database_migration
       (name text primary key, at timestamptz not null)`,
  )
  const files = await refuseNewerTables(client)
  const before = await done(client)
  const fresh = files.filter((name) => !before.includes(name))
  if (locks && fresh.length > 0) await takeTables(client)
  for (const name of fresh) {
    await client.query(await readFile(join(folder, name), 'utf8'))
    await client.query('insert into database_migration (name, at) values ($1, now())', [name])
  }
  if (locks) await shareTables(client)
  await client.query('commit')
  if (locks && fresh.length > 0) await releaseTables(client)
  return fresh
}

/** Waits until no other process changes the tables. */
async function waitForOthers(client: BoundedClient): Promise<void> {
  await client.query(`set local lock_timeout = ${limits.migrationMsMax}`)
  await client.query('select id from database_lock where id = 1 for update').catch((error) => {
    if (!waitedTooLong(error)) throw error
    const minutes = limits.migrationMsMax / 60_000
    throw new Error(
      `Another process has been changing the tables for ${minutes} minutes. ` +
        'Wait until it has ended, or stop it; then start this one again.',
    )
  })
  await client.query('set local lock_timeout = default')
}

/**
 * Compares the tables with the files of this version.
 * @returns the names of these files.
 * @throws Error if a newer version has made the tables.
 */
export async function refuseNewerTables(client: BoundedClient): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  refuseNewer(await done(client), files)
  return files
}

/** Duplicate table, duplicate type, unique violation: how far the other one was when we looked. */
const madeMeanwhile = ['42P07', '42710', '23505']

/** `if not exists` is no lock: of two that make a table at once, one is told that it is there. */
async function makeLock(client: BoundedClient): Promise<void> {
  const text = 'create table if not exists database_lock (id smallint primary key)'
  await client.query(text).catch((error: { code?: string }) => {
    if (!madeMeanwhile.includes(error.code ?? '')) throw error
  })
}

/** The names of the files that were run before, of whatever version. */
async function done(client: BoundedClient): Promise<string[]> {
  const there = "select to_regclass('database_migration') is not null as there"
  if ((await client.query(there)).rows[0]?.there !== true) return []
  const { rows } = await client.query<{ name: string }>('select name from database_migration')
  return rows.map((row) => row.name).sort()
}

/** This version does not know what the tables mean, and would write what the newer one misreads. */
function refuseNewer(before: readonly string[], files: readonly string[]): void {
  const unknown = before.filter((name) => !files.includes(name))
  if (unknown.length === 0) return
  throw new Error(
    `The data were written by a newer version of Millrace (${unknown.join(', ')}). ` +
      'Start that version, or put back the backup of before its first start.',
  )
}
