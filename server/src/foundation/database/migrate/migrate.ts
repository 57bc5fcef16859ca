import { limits } from '../../kernel/index.ts'
import type { BoundedClient } from '../connection/bounded-client.ts'
import { waitedTooLong } from '../connection/pool.ts'
import { introduce, releaseTables, shareTables, takeTables } from '../table-use.ts'
import { type Migration, readMigrations, selectBaseline } from './migration-files.ts'
import { readTableVersion } from './table-version.ts'

/** The changes of the tables by `migrate`. */
export type Migrated = {
  /** The names of the files that were run. */
  readonly files: readonly string[]
  /** The number of recorded migrations that gave way to those of the baseline. */
  readonly replaced: number
}

/**
 * Brings the tables up to this version: each file of migrations/ once, in the order of their
 * names, all in one transaction, so that a cut leaves the version before. Processes that start
 * together on one server wait for each other on the row of `database_lock`. Files that are all
 * marked `-- beside: yes` run while other processes use the tables. From then on the connection
 * holds the lock of table-use.ts, shared, if the server has such locks.
 *
 * Tables that the replaced migrations have made are equal to those of the baseline: their record is
 * replaced by that of its files, in the same transaction. Processes of the version before would
 * not know that record, so the tables are taken alone.
 * @param only the names of the files of an earlier version, to which the tables are brought.
 * @throws Fault database_version if the tables were made by files that are not this version's,
 *   database_in_use if they must be changed while other processes use them; nothing is changed
 *   then.
 */
export async function migrate(
  client: BoundedClient,
  only?: ReadonlySet<string>,
): Promise<Migrated> {
  const locks = await introduce(client)
  const migrations = await readMigrations()
  await readTableVersion(client, migrations)
  await makeLock(client)
  await client.query('insert into database_lock (id) values (1) on conflict do nothing')
  await client.query('begin')
  await waitForOthers(client)
  await client.query(
    `create table if not exists database_migration
       (name text primary key, checksum text not null, at timestamptz not null,
        beside boolean not null default false)`,
  )
  // Another process may have changed the tables while this one waited.
  const { made, replaced } = await readTableVersion(client, migrations)
  const fresh = migrations.filter(({ name }) => !made.has(name) && only?.has(name) !== false)
  const alone = locks && (replaced > 0 || fresh.some(({ beside }) => !beside))
  if (alone) await takeTables(client)
  else if (fresh.length > 0)
    await client.query(`set local lock_timeout = ${limits.besideLockMsMax}`)
  if (replaced > 0) await carryOver(client, selectBaseline(migrations))
  await client.query(`select set_config('millrace.log_partitions', $1, true)`, [
    String(limits.logPartitions),
  ])
  for (const migration of fresh) await run(client, migration).catch(explained)
  if (locks) await shareTables(client)
  await client.query('commit')
  if (alone) await releaseTables(client)
  return { files: fresh.map(({ name }) => name), replaced }
}

/**
 * Returns the changes that `migrate` would make; changes nothing.
 * @throws Fault database_version as `migrate` does.
 */
export async function planMigration(client: BoundedClient): Promise<Migrated> {
  const migrations = await readMigrations()
  const { made, replaced } = await readTableVersion(client, migrations)
  const fresh = migrations.filter(({ name }) => !made.has(name))
  return { files: fresh.map(({ name }) => name), replaced }
}

/** Replaces the record of the replaced migrations by that of the baseline. */
async function carryOver(client: BoundedClient, baseline: readonly Migration[]): Promise<void> {
  await client.query('delete from database_migration')
  for (const migration of baseline) await record(client, migration)
}

async function run(client: BoundedClient, migration: Migration): Promise<void> {
  await client.query(migration.sql)
  await record(client, migration)
}

async function record(client: BoundedClient, { name, checksum, beside }: Migration): Promise<void> {
  await client.query(
    'insert into database_migration (name, checksum, at, beside) values ($1, $2, now(), $3)',
    [name, checksum, beside],
  )
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

/** Duplicate table, duplicate type, unique violation: how far the other one was when we looked. */
const madeMeanwhile = ['42P07', '42710', '23505']

/** `if not exists` is no lock: of two that create a table at once, one fails because it exists. */
async function makeLock(client: BoundedClient): Promise<void> {
  const text = 'create table if not exists database_lock (id smallint primary key)'
  await client.query(text).catch((error: { code?: string }) => {
    if (!madeMeanwhile.includes(error.code ?? '')) throw error
  })
}
