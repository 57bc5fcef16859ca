import { Fault } from '../../kernel/index.ts'
import type { BoundedClient } from '../connection/bounded-client.ts'
import { type Migration, readMigrations, readReplaced, selectBaseline } from './migration-files.ts'

/** A file that was run, of whatever version. */
type Made = Pick<Migration, 'checksum' | 'beside'>

/** The files that made the tables of a database, in the terms of this version. */
export type TableVersion = {
  /** The names of this version's files that need not run. */
  readonly made: ReadonlySet<string>
  /**
   * The number of migrations that are recorded and that the baseline replaced; 0: the record is
   * that of this version's files.
   */
  readonly replaced: number
}

/** A version that has the last of the replaced migrations, and so brings older tables up to it. */
const lastCommit = '20515092'

/**
 * Compares the tables with the files of this version.
 * @throws Fault database_version if they were made by other files.
 */
export async function readTableVersion(
  client: BoundedClient,
  migrations: readonly Migration[],
): Promise<TableVersion> {
  return findVersion(await readRecord(client), migrations)
}

/** @throws Fault database_version if the tables were made by files that are not this version's. */
export async function checkTables(client: BoundedClient): Promise<void> {
  await readTableVersion(client, await readMigrations())
}

/** Returns the checksums of the files that made the tables, by name; none without tables. */
export async function recordedMigrations(
  client: BoundedClient,
): Promise<ReadonlyMap<string, string>> {
  return new Map([...(await readRecord(client))].map(([name, { checksum }]) => [name, checksum]))
}

/**
 * Returns the names of this version's files that make the tables which the given files made.
 * @throws Fault database_version if tables were made by files that are not this version's.
 */
export async function ownMigrations(
  made: readonly Pick<Migration, 'name' | 'checksum'>[],
): Promise<ReadonlySet<string>> {
  const record = new Map(made.map(({ name, checksum }) => [name, { checksum, beside: false }]))
  return (await findVersion(record, await readMigrations())).made
}

async function findVersion(
  record: ReadonlyMap<string, Made>,
  migrations: readonly Migration[],
): Promise<TableVersion> {
  const replaced = await readReplaced()
  if ([...record.keys()].some((name) => replaced.has(name))) {
    refuseOtherTables(record, replaced)
    refuseOlderTables(record, replaced)
    const made = new Set(selectBaseline(migrations).map(({ name }) => name))
    return { made, replaced: record.size }
  }
  refuseOtherTables(record, new Map(migrations.map(({ name, checksum }) => [name, checksum])))
  return { made: new Set(record.keys()), replaced: 0 }
}

const undefinedColumn = '42703'

/**
 * Reads the files that were run before, by name, of whatever version. Tables of before the column
 * `beside` have none.
 * @throws Fault database_version if the tables are of before checksums were recorded.
 */
async function readRecord(client: BoundedClient): Promise<ReadonlyMap<string, Made>> {
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
 * Such tables mean nothing to this version, and another one would misread its rows. Files that a
 * newer version added beside this one are no reason.
 */
function refuseOtherTables(
  record: ReadonlyMap<string, Made>,
  checksums: ReadonlyMap<string, string>,
): void {
  const names = [...record.keys()].sort()
  const unknown = names.filter((name) => !checksums.has(name) && !record.get(name)?.beside)
  if (unknown.length > 0) {
    throw otherVersion(
      `The data were written by a newer version of Millrace (${unknown.join(', ')}). ` +
        'Start that version, or put back the backup of before its first start.',
    )
  }
  const changed = names.filter((name) => {
    const own = checksums.get(name)
    return own !== undefined && own !== record.get(name)?.checksum
  })
  if (changed.length === 0) return
  throw otherVersion(
    `The tables were made by other migrations than those of this version (${changed.join(', ')} ` +
      'differ in their checksums). Start the version that made the tables, put its unchanged ' +
      'migrations back, or start with an empty database.',
  )
}

/** @throws Fault database_version if a part of the replaced migrations has not run. */
function refuseOlderTables(
  record: ReadonlyMap<string, Made>,
  replaced: ReadonlyMap<string, string>,
): void {
  const missing = [...replaced.keys()].filter((name) => !record.has(name))
  if (missing.length === 0) return
  throw otherVersion(
    `The data are of an earlier version, without ${missing[0]}, which this version does not ` +
      `migrate. Start the version of commit ${lastCommit} once with these data, and then this ` +
      'one. A backup is restored by that version.',
  )
}

function otherVersion(why: string): Fault {
  return new Fault('database_version', why)
}
