import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Connection } from './pool.ts'

const folder = join(import.meta.dirname, 'migrations')

/**
 * Brings the tables up to this version: each file of migrations/ once, in the order of their
 * names, all in one transaction, so that a cut leaves the version before. Processes that start
 * together on one server wait for each other on the row of `database_lock`.
 * @returns the names of the files that were run.
 */
export async function migrate(connection: Connection): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await makeLock(client)
    await client.query('insert into database_lock (id) values (1) on conflict do nothing')
    await client.query('begin')
    await client.query('select id from database_lock where id = 1 for update')
    const fresh = await missing(client, files)
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

async function missing(client: pg.Client, files: readonly string[]): Promise<string[]> {
  await client.query(
    `create table if not exists database_migration
       (name text primary key, at timestamptz not null)`,
  )
  const { rows } = await client.query<{ name: string }>('select name from database_migration')
  const done = new Set(rows.map((row) => row.name))
  return files.filter((name) => !done.has(name))
}
