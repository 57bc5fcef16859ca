import type { Readable } from 'node:stream'
import { from as copyFrom } from 'pg-copy-streams'
import { Fault } from '../../kernel/index.ts'
import type { BoundedClient } from '../connection/bounded-client.ts'
import { databaseLimits } from '../limits.ts'
import { migrate } from '../migrate/migrate.ts'
import { tablesFilledByMigrations } from '../migrate/migration-files.ts'
import { ownMigrations, recordedMigrations } from '../migrate/table-version.ts'
import { LateIndices } from './indices.ts'
import type { Manifest, TableShape } from './manifest.ts'
import { type BackupEntry, readBackup, refused, unpackRows } from './read.ts'
import { copyIn, readTables } from './tables.ts'
import type { BackupProgress, KeyFile } from './write.ts'

export type RestoreOptions = {
  readonly progress?: ((progress: BackupProgress) => void) | undefined
}

export type RestoreResult = {
  readonly createdAt: string
  readonly rows: number
  /** Empty if the backup has none. */
  readonly keys: readonly KeyFile[]
}

/**
 * Puts a backup into a database without tables of ours: makes the tables of its version, fills
 * them, and brings them up to this version. All rows come in one transaction: a backup that is
 * refused, or a cut, leaves the tables empty, and an empty database can be restored into again.
 * @throws Fault backup_refused, database_not_empty, database_version.
 */
export async function restoreBackup(
  client: BoundedClient,
  input: Readable,
  options: RestoreOptions,
): Promise<RestoreResult> {
  const entries = readBackup(input)
  const { value: first } = await entries.next()
  if (first?.kind !== 'manifest') throw refused('it has no manifest')
  const { manifest } = first
  const names = await ownMigrations(manifest.migrations)
  await refuseFilled(client, names)
  await migrate(client, names)
  await client.query('begin')
  try {
    await refuseOtherShapes(client, manifest)
    await empty(client, manifest)
    const filled = await fill(client, entries, manifest, options)
    await client.query('commit')
    await migrate(client)
    await client.query('analyze')
    return { createdAt: manifest.createdAt, ...filled }
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Tables that migrations fill hold rows in a new database, too. */
async function refuseFilled(client: BoundedClient, names: ReadonlySet<string>): Promise<void> {
  const recorded = await recordedMigrations(client)
  if (recorded.size === 0) return
  const isOther =
    names.size !== recorded.size || ![...recorded.keys()].every((one) => names.has(one))
  if (!isOther && !(await hasRows(client))) return
  throw new Fault(
    'database_not_empty',
    'This database has tables of Millrace already. Restore into a new data directory ' +
      '(MILLRACE_DATA), or an empty database (DATABASE_URL).',
  )
}

async function hasRows(client: BoundedClient): Promise<boolean> {
  const filled = await tablesFilledByMigrations()
  for (const { name } of await readTables(client)) {
    if (filled.has(name)) continue
    const { rows } = await client.query(`select exists (select from ${name}) as filled`)
    if (rows[0]?.filled === true) return true
  }
  return false
}

/** The migrations made the tables; a backup that says otherwise was not made by them. */
async function refuseOtherShapes(client: BoundedClient, manifest: Manifest): Promise<void> {
  const own = new Map((await readTables(client)).map((table) => [table.name, table]))
  for (const { name, columns, numbered } of manifest.tables) {
    const { columns: ownColumns = [], numbered: ownNumbered = [] } = own.get(name) ?? {}
    const known = new Set(ownColumns)
    const isNumbered = new Set(ownNumbered.map(({ column }) => column))
    const isKnown = columns.every((column) => known.has(column))
    if (isKnown && numbered.every(({ column }) => isNumbered.has(column))) continue
    throw refused(`its migrations make no table ${name} with these columns`)
  }
}

async function empty(client: BoundedClient, { tables }: Manifest): Promise<void> {
  await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`)
  for (const { name, partitions } of tables) {
    for (const { name: partition, from, to } of partitions) {
      await client.query(
        `create table ${partition} partition of ${name} for values from (${from}) to (${to})`,
      )
    }
  }
}

/** @throws Fault backup_refused, also for what is found only at the end. */
async function fill(
  client: BoundedClient,
  entries: AsyncIterable<BackupEntry>,
  { tables }: Manifest,
  { progress }: RestoreOptions,
): Promise<Omit<RestoreResult, 'createdAt'>> {
  const shapes = new Map(tables.map((table) => [table.name, table]))
  const keys: KeyFile[] = []
  const indices = new LateIndices(client)
  let filling: Filling | undefined
  let rows = 0
  let bytes = 0
  const end = async () => {
    rows += (await filling?.end()) ?? 0
    await indices.make()
  }
  try {
    for await (const entry of entries) {
      if (entry.kind === 'key') keys.push(entry.file)
      if (entry.kind !== 'part') continue
      const content = await unpackRows(entry)
      if (filling?.table !== entry.table) {
        await end()
        const shape = shapes.get(entry.table)
        if (shape === undefined) throw refused(`it has no table ${entry.table}`)
        // For a table of less than a part, indices take longer to make than to keep.
        if (content.length >= databaseLimits.backupPartBytes) await indices.drop(entry.table)
        filling = new Filling(client, shape)
      }
      await filling.add(content)
      bytes += entry.bytes.length
      progress?.({ table: entry.table, bytes })
    }
  } catch (error) {
    filling?.abort(error as Error)
    throw error
  }
  await end()
  await indices.makeForeign()
  for (const table of tables) await setNumbers(client, table)
  return { rows, keys }
}

/** A COPY into a table. */
class Filling {
  readonly table: string
  readonly #rows: ReturnType<typeof copyFrom>
  readonly #ended: Promise<void>

  constructor(client: BoundedClient, shape: TableShape) {
    this.table = shape.name
    this.#rows = client.query(copyFrom(copyIn(shape)))
    this.#ended = new Promise((resolve, reject) => {
      this.#rows.once('finish', resolve).once('error', reject)
    })
    // Whoever adds rows, or ends it, gets the error.
    this.#ended.catch(() => {})
  }

  async add(rows: Buffer): Promise<void> {
    if (this.#rows.write(rows)) return
    const drained = new Promise((resolve) => this.#rows.once('drain', resolve))
    await Promise.race([drained, this.#ended])
  }

  /** Lets the connection take other statements; the transaction has failed. */
  abort(error: Error): void {
    this.#rows.destroy(error)
  }

  /** @returns how many rows the table has got. */
  async end(): Promise<number> {
    this.#rows.end()
    await this.#ended
    return this.#rows.rowCount ?? 0
  }
}

async function setNumbers(client: BoundedClient, { name, numbered }: TableShape): Promise<void> {
  for (const { column, last } of numbered) {
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), greatest($3::bigint, 1), $3::bigint > 0)`,
      [name, column, last],
    )
  }
}
