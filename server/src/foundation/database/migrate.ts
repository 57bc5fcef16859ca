import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault, limits } from '../kernel/index.ts'
import type { BoundedClient } from './connection/bounded-client.ts'
import { waitedTooLong } from './connection/pool.ts'
import { introduce, releaseTables, shareTables, takeTables } from './table-use.ts'

const folder = join(import.meta.dirname, 'migrations')

type Migration = {
  /** The file's name, NNNN_module.sql. */
  readonly name: string
  readonly sql: string
  /** SHA-256 of the file, in hexadecimal. */
  readonly checksum: string
  /**
   * True if processes of the version before go on while and after it runs: it only adds what they
   * do not need to know. Its first line is `-- beside: yes` then.
   */
  readonly beside: boolean
}

/** A file that was run, of whatever version. */
type Made = Pick<Migration, 'checksum' | 'beside'>

/**
 * Brings the tables up to this version: each file of migrations/ once, in the order of their
 * names, all in one transaction, so that a cut leaves the version before. Processes that start
 * together on one server wait for each other on the row of `database_lock`. Files that are all
 * marked `-- beside: yes` run while other processes use the tables. From then on the connection
 * holds the lock of table-use.ts, shared, if the server has such locks.
 * @param only the names of the files of an earlier version, to which the tables are brought.
 * @returns the names of the files that were run.
 * @throws Fault database_version if the tables were made by files that are not this version's,
 *   database_in_use if they must be changed while other processes use them; nothing is changed
 *   then.
 */
export async function migrate(
  client: BoundedClient,
  only?: ReadonlySet<string>,
): Promise<string[]> {
  const locks = await introduce(client)
  const migrations = await readMigrations()
  refuseOtherTables(await recorded(client), migrations)
  await makeLock(client)
  await client.query('insert into database_lock (id) values (1) on conflict do nothing')
  await client.query('begin')
  await waitForOthers(client)
  await client.query(
    `create table if not exists database_migration
       (name text primary key, checksum text not null, at timestamptz not null)`,
  )
  // Another process may have changed the tables while this one waited.
  const before = await recorded(client)
  refuseOtherTables(before, migrations)
  const fresh = migrations.filter(({ name }) => !before.has(name) && only?.has(name) !== false)
  const alone = locks && fresh.some(({ beside }) => !beside)
  if (alone) await takeTables(client)
  else if (fresh.length > 0)
    await client.query(`set local lock_timeout = ${limits.besideLockMsMax}`)
  await client.query(`select set_config('millrace.log_partitions', $1, true)`, [
    String(limits.logPartitions),
  ])
  for (const migration of fresh) await run(client, migration).catch(explained)
  if (locks) await shareTables(client)
  await client.query('commit')
  if (alone) await releaseTables(client)
  return fresh.map(({ name }) => name)
}

/**
 * Names the files that `migrate` would run; changes nothing.
 * @throws Fault database_version as `migrate` does.
 */
export async function planMigration(client: BoundedClient): Promise<string[]> {
  const migrations = await readMigrations()
  const before = await recorded(client)
  refuseOtherTables(before, migrations)
  return migrations.filter(({ name }) => !before.has(name)).map(({ name }) => name)
}

/** Returns the checksums of the files that made the tables, by name; none without tables. */
export async function recordedMigrations(
  client: BoundedClient,
): Promise<ReadonlyMap<string, string>> {
  return new Map([...(await recorded(client))].map(([name, { checksum }]) => [name, checksum]))
}

/** @throws Fault database_version if tables were made by files that are not this version's. */
export async function refuseOtherMigrations(
  made: readonly Pick<Migration, 'name' | 'checksum'>[],
): Promise<void> {
  const before = new Map(made.map(({ name, checksum }) => [name, { checksum, beside: false }]))
  refuseOtherTables(before, await readMigrations())
}

/** Returns the tables that hold rows once the files have run. */
export async function tablesFilledByMigrations(): Promise<ReadonlySet<string>> {
  const inserted = (await readMigrations()).flatMap(({ sql }) =>
    [...sql.matchAll(/\binsert into (\w+)/g)].map(([, table = '']) => table),
  )
  return new Set(inserted)
}

async function run(client: BoundedClient, migration: Migration): Promise<void> {
  const { name, sql, checksum, beside } = migration
  await client.query(sql)
  await client.query('insert into database_migration (name, checksum, at) values ($1, $2, now())', [
    name,
    checksum,
  ])
  // The column is made by a file, and no file before it is marked.
  if (!beside) return
  await client.query('update database_migration set beside = true where name = $1', [name])
}

/** @throws Error with a sentence if a file waited too long for tables that others use. */
function explained(error: Error): never {
  if (!waitedTooLong(error)) throw error
  throw new Error(
    `The tables could not be changed beside the processes that use them: one transaction has ` +
      `used them for more than ${limits.besideLockMsMax / 1_000} s, such as that of a backup. ` +
      'Nothing was changed; start again when it has ended.',
    { cause: error },
  )
}

/** Reads this version's files, in the order of their names. */
async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8')
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { name, sql, checksum, beside: /^-- beside: yes$/m.exec(sql)?.index === 0 }
    }),
  )
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
 * @throws Fault database_version if they were made by other files.
 */
export async function checkTables(client: BoundedClient): Promise<void> {
  refuseOtherTables(await recorded(client), await readMigrations())
}

/** Duplicate table, duplicate type, unique violation: how far the other one was when we looked. */
const madeMeanwhile = ['42P07', '42710', '23505']

/** `if not exists` is no lock: of two that create a table at once, one fails because it exists. */
async function makeLock(client: BoundedClient): Promise<void> {
  const text = 'create table if not exists database_lock (id smallint primary key)'
  await client.query(text).catch((error: { code?: string }) => {
    if (!madeMeanwhile.includes(error.code ?? '')) throw error
  })
}

const undefinedColumn = '42703'

/**
 * Reads the files that were run before, by name, of whatever version. Tables of before the column
 * `beside` have none.
 * @throws Fault database_version if the tables are of before the first release.
 */
async function recorded(client: BoundedClient): Promise<ReadonlyMap<string, Made>> {
  const there = "select to_regclass('database_migration') is not null as there"
  if ((await client.query(there)).rows[0]?.there !== true) return new Map()
  const { rows } = await client
    .query<Made & { name: string }>(
      `select name, checksum, coalesce((to_jsonb(made) ->> 'beside')::boolean, false) as beside
       from database_migration made`,
    )
    .catch((error: { code?: string }) => {
      throw error.code === undefinedColumn ? unreleased() : error
    })
  return new Map(rows.map(({ name, ...made }) => [name, made]))
}

function unreleased(): Fault {
  return otherVersion(
    'The tables were made by a version of before 0.1.0, and no release can bring them up to ' +
      'date. Set the data directory (MILLRACE_DATA) aside or name an empty database in ' +
      'DATABASE_URL, and start again; or go on with the version that made them.',
  )
}

/**
 * Such tables mean nothing to this version, and another one would misread its rows. Tables that a
 * newer version added beside this one are no reason.
 */
function refuseOtherTables(
  before: ReadonlyMap<string, Made>,
  migrations: readonly Migration[],
): void {
  const checksums = new Map(migrations.map(({ name, checksum }) => [name, checksum]))
  const names = [...before.keys()].sort()
  const unknown = names.filter((name) => !checksums.has(name) && !before.get(name)?.beside)
  if (unknown.length > 0) {
    throw otherVersion(
      `The data were written by a newer version of Millrace (${unknown.join(', ')}). ` +
        'Start that version, or put back the backup of before its first start.',
    )
  }
  const changed = names.filter((name) => {
    const own = checksums.get(name)
    return own !== undefined && own !== before.get(name)?.checksum
  })
  if (changed.length === 0) return
  throw otherVersion(
    `The tables were made by other migrations than those of this version (${changed.join(', ')} ` +
      'differ in their checksums). Start the version that made the tables, put its unchanged ' +
      'migrations back, or start with an empty database.',
  )
}

function otherVersion(why: string): Fault {
  return new Fault('database_version', why)
}
