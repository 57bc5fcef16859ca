import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Connection } from './pool.ts'

const folder = join(import.meta.dirname, 'migrations')

/**
 * Brings the tables up to this version: each file of migrations/ once, in the order of their
 * names, all in one transaction, so that a cut leaves the version before. Processes that start
 * together on one server wait for each other on the row of `database_lock`.
 * @param otherOwner the process that serves from this database, if that is another one: its
 *   tables are not changed under it.
 * @returns the names of the files that were run.
 * @throws Error if a newer version has made the tables; nothing is changed then.
 */
export async function migrate(
  connection: Connection,
  otherOwner: () => Promise<number | undefined> = async () => undefined,
): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const client = new pg.Client(connection)
  await client.connect()
  try {
    refuseNewer(await done(client), files)
    await makeLock(client)
    await client.query('insert into database_lock (id) values (1) on conflict do nothing')
    await client.query('begin')
    await client.query('select id from database_lock where id = 1 for update')
    await client.query(
      `create table if not exists database_migration
         (name text primary key, at timestamptz not null)`,
    )
    const before = await done(client)
    refuseNewer(before, files)
    const fresh = files.filter((name) => !before.includes(name))
    if (before.length > 0 && fresh.length > 0) refuseUsed(await otherOwner())
    for (const name of fresh) {
      await client.query(await readFile(join(folder, name), 'utf8'))
      await client.query('insert into database_migration (name, at) values ($1, now())', [name])
    }
    await client.query('commit')
    return fresh
  } finally {
    await client.end()
  }
}

/** Duplicate table, duplicate type, unique violation: how far the other one was when we looked. */
const madeMeanwhile = ['42P07', '42710', '23505']

/** `if not exists` is no lock: of two that make a table at once, one is told that it is there. */
async function makeLock(client: pg.Client): Promise<void> {
  const text = 'create table if not exists database_lock (id smallint primary key)'
  await client.query(text).catch((error: { code?: string }) => {
    if (!madeMeanwhile.includes(error.code ?? '')) throw error
  })
}

/** The names of the files that were run before, of whatever version. */
async function done(client: pg.Client): Promise<string[]> {
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

function refuseUsed(owner: number | undefined): void {
  if (owner === undefined) return
  throw new Error(
    `The tables are of an older version, and process ${owner} serves from them. ` +
      'Stop it first, and start this version; or run the command with the version of that process.',
  )
}
