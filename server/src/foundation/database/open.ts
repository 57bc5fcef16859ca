import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { Fault, type Logger, limits, newId, systemRandom } from '../kernel/index.ts'
import { type RestoreOptions, type RestoreResult, restoreBackup } from './backup/restore.ts'
import { type BackupOptions, type BackupResult, writeBackup } from './backup/write.ts'
import type { BoundedClient } from './connection/bounded-client.ts'
import { CancelScopes, type StatementMeter } from './connection/cancel.ts'
import { Connections } from './connection/connections.ts'
import { type Connection, openPool, type PoolUse } from './connection/pool.ts'
import { checkDurable, watchWrites } from './durability.ts'
import { type Engine, startEngine } from './embedded/index.ts'
import { createHints, type Hints, type HintTopic } from './hints.ts'
import { JoinedTransactions } from './joined-transactions.ts'
import { type Migrated, migrate, planMigration } from './migrate/migrate.ts'
import { checkTables } from './migrate/table-version.ts'
import type { Queryable, Transaction, Writer } from './statement.ts'
import { keepTableUse } from './table-use.ts'
import { besides, createTemporary, dropExpired, dropTemporary } from './temporary-databases.ts'
import { Writers } from './writer.ts'

/** A PostgreSQL, embedded or elsewhere. */
export type Database = Queryable & {
  readonly engine: 'embedded' | 'external'
  /**
   * Runs `work` in a transaction. A lost race (SQLSTATE 40001, 40P01) runs it again, so `work` may
   * do nothing that is not undone by a rollback.
   */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
  /**
   * Runs `work` as one transaction: its statements, and each of its transactions, which is undone
   * by itself where it fails. Hints that it sends go out after the commit. It is not run again;
   * what it asks of a writer is no part of it.
   */
  joined<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
  /** True if the running code is a part of what `joined` runs. */
  isJoined(): boolean
  /** Calls `follow` once what `joined` runs is committed; at once outside of it. */
  afterCommit(follow: () => unknown): void
  /**
   * Runs `work`, the statements of which are cancelled when the signal is aborted, and its
   * transactions rolled back: they fail with the signal's reason. A commit that was sent stands.
   * @param meter learns what the statements take.
   */
  within<Result>(signal: AbortSignal, work: () => Result, meter?: StatementMeter): Result
  writer(): Writer
  /** The connections of `main`, which requests share, and of the writers. */
  connections(): Readonly<Record<'main' | 'writers', PoolUse>>
  /** @returns a sentence that says why nothing can be written; undefined if writes succeed. */
  unwritable(): Promise<string | undefined>
  /** Hints to other processes on the same database, and theirs. */
  readonly hints: Hints
  /**
   * Opens another database on the same server, empty but for the tables. Closing it drops it; if
   * the process is killed before, `dropExpired` does so after `expiresAtMs`.
   * @throws Error for which `mayNotCreate` is true if the role of the server may not.
   */
  openTemporary(expiresAtMs: number): Promise<Database>
  /** Drops the temporary databases that have expired and that nobody uses. */
  dropExpired(nowMs: number): Promise<void>
  /** Ends the connections, and the engine if this process is its owner. */
  close(): Promise<void>
}

export type DatabaseOptions = {
  /** A server of the PostgreSQL family; without it the embedded engine is started. */
  readonly url?: string | undefined
  /** The folder of the embedded engine's data. */
  readonly dataDir: string
  /** The database inside the embedded engine; created if it is missing. */
  readonly name?: string
  /**
   * True if this process stops the embedded engine when it closes even if it found it running: the
   * platform does, a command that only reads does not.
   */
  readonly owner: boolean
  readonly logger: Logger
  /** Milliseconds between two checks of silent connections; else the limit `databaseCheckMs`. */
  readonly lookMs?: number
}

/**
 * Connects to the database, starting the embedded engine if no URL is given, and migrates it.
 * @throws Error with a sentence for the operator if no server answers or none can be started, Fault
 *   database_not_durable if the server loses commits when the power fails, database_version or
 *   database_in_use if the tables are of another version and cannot be changed.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const engine = options.url === undefined ? await startEngine(options) : undefined
  try {
    return await openAt(await resolveAddress(options, engine), engine, options)
  } catch (error) {
    await engine?.stop()
    throw error
  }
}

export type TemporaryDatabaseOptions = Pick<DatabaseOptions, 'logger'> & {
  /** A server of the PostgreSQL family, with a database that exists; it is left as it is. */
  readonly url: string
  readonly nowMs: number
  readonly expiresAtMs: number
}

/**
 * Opens a temporary database on a server, as `Database.openTemporary` does, and drops those that
 * have expired.
 */
export async function openTemporaryDatabase(options: TemporaryDatabaseOptions): Promise<Database> {
  const server = { connectionString: options.url }
  await dropExpired(server, options.nowMs)
  return openTemporaryAt(server, options.expiresAtMs, options)
}

async function openTemporaryAt(
  server: Connection,
  expiresAtMs: number,
  options: Pick<DatabaseOptions, 'logger' | 'lookMs'>,
): Promise<Database> {
  const name = await createTemporary(server, expiresAtMs)
  try {
    const database = await openAt(besides(server, name), undefined, options)
    const close = () => database.close().finally(() => dropTemporary(server, name))
    return { ...database, close }
  } catch (error) {
    await dropTemporary(server, name)
    throw error
  }
}

async function openAt(
  address: Connection,
  engine: Engine | undefined,
  options: OpenOptions,
): Promise<Database> {
  const connections = new Connections(address, options.lookMs)
  try {
    const client = await connections.first()
    const { files, replaced } = await checkDurable(client)
      .then(() => migrate(client))
      .catch(async (error) => {
        await client.end()
        throw error
      })
    const { logger } = options
    if (replaced > 0) logger.info({ replaced }, 'the database was carried over to the baseline')
    if (files.length > 0) logger.info({ migrated: files }, 'the database was migrated')
    return open(connections, client, engine, options)
  } catch (error) {
    connections.close()
    throw error
  }
}

/**
 * Brings the tables up to this version and closes the database again, or with `dryRun` changes
 * nothing. Returns the changes that were made, or would be.
 * @throws Error, Fault as `openDatabase` does.
 */
export async function migrateDatabase(
  options: DatabaseOptions,
  { dryRun }: { readonly dryRun: boolean },
): Promise<Migrated> {
  return withAddress(options, async (connections) => {
    const client = await connections.first()
    try {
      return await (dryRun ? planMigration(client) : migrate(client))
    } finally {
      await client.end()
    }
  })
}

/**
 * Runs `work` with the address of the database, as it is: the tables are not brought up to this
 * version.
 * @throws Error with a sentence for the operator if no server answers or none can be started.
 */
async function withAddress<Result>(
  options: DatabaseOptions,
  work: (connections: Connections) => Promise<Result>,
): Promise<Result> {
  const engine = options.url === undefined ? await startEngine(options) : undefined
  const connections = new Connections(await resolveAddress(options, engine), options.lookMs)
  try {
    return await work(connections)
  } finally {
    connections.close()
    await engine?.stop()
  }
}

/** Writes a backup of the database, beside the processes that use it; see backup/write.ts. */
export function backUpDatabase(
  options: DatabaseOptions,
  output: Writable,
  backup: BackupOptions,
): Promise<BackupResult> {
  return withAddress(options, ({ connection }) => writeBackup(connection, output, backup))
}

/** Puts a backup into an empty database; see backup/restore.ts. */
export function restoreDatabase(
  options: DatabaseOptions,
  input: Readable,
  restore: RestoreOptions,
): Promise<RestoreResult> {
  return withAddress(options, async (connections) => {
    const client = await connections.first()
    try {
      await checkDurable(client)
      return await restoreBackup(client, input, restore)
    } finally {
      await client.end()
    }
  })
}

async function resolveAddress(
  options: DatabaseOptions,
  engine: Engine | undefined,
): Promise<Connection> {
  if (engine !== undefined) return engine.database(options.name ?? 'millrace')
  return { connectionString: options.url ?? '' }
}

type OpenOptions = Pick<DatabaseOptions, 'logger' | 'lookMs'> & {
  /** The folder of the engine's data. */
  readonly dataDir?: string
}

function open(
  connections: Connections,
  client: BoundedClient,
  engine: Engine | undefined,
  options: OpenOptions,
): Database {
  const { logger, dataDir = '' } = options
  let closing = false
  let outdated: string | undefined
  const onError = (error: Error) => {
    if (!closing) logger.warn({ err: error }, 'a database connection was lost')
  }
  const { connection, newClient } = connections
  const scopes = new CancelScopes({ newClient, logger })
  const onConnect = (one: BoundedClient) => connections.watch(one)
  const joins = new JoinedTransactions()
  const writers = new Writers(newClient, onError)
  const pool = openPool({ connection, scopes, joins, onError, onConnect })
  const folders = engine === undefined ? [] : [dataDir, join(dataDir, 'postgres')]
  const { noted, why } = watchWrites(pool.transaction, folders)
  const use = keepTableUse({
    newClient,
    logger,
    check: checkTables,
    onOutdated: (error) => {
      outdated = error.message
    },
  })
  use.adopt(client)
  const asked = <Result>(ask: () => Promise<Result>) =>
    outdated === undefined ? noted(ask()) : Promise.reject(unavailable(outdated))
  const all = createHints({ ...pool, newClient, logger, process: newId(systemRandom) })
  const hints = afterCommit(all, joins)
  return {
    hints,
    engine: engine === undefined ? 'external' : 'embedded',
    rows: (text, values) => asked(() => pool.rows(text, values)),
    one: (text, values) => asked(() => pool.one(text, values)),
    run: (text, values) => asked(() => pool.run(text, values)),
    transaction: (work) => asked(() => pool.transaction(work)),
    joined: (work) => asked(() => pool.joined(work)),
    isJoined: () => joins.isJoined,
    afterCommit: (follow) => joins.afterCommit(follow),
    within: (signal, work, meter) => scopes.run(signal, work, meter),
    writer() {
      const writer = writers.open()
      return { ...writer, commit: (statements) => asked(() => writer.commit(statements)) }
    },
    connections: () => ({ main: pool.use(), writers: writers.use() }),
    unwritable: async () => outdated ?? why(),
    openTemporary: (expiresAtMs) => openTemporaryAt(connection, expiresAtMs, options),
    dropExpired: (nowMs) => dropExpired(connection, nowMs),
    async close() {
      closing = true
      await hints.close()
      await Promise.all([pool.end(), use.close()])
      connections.close()
      await engine?.stop()
    },
  }
}

/** Hints of a joined transaction, which others would read too early. */
function afterCommit(hints: Hints, joins: JoinedTransactions): Hints {
  return {
    ...hints,
    notify: (...hint: Parameters<Hints['notify']>) =>
      joins.afterCommit(() => hints.notify(...hint)),
    async reached(topic: HintTopic) {
      if (!joins.isJoined) return hints.reached(topic)
      joins.afterCommit(() => hints.reached(topic))
    },
  }
}

function unavailable(why: string): Fault {
  return new Fault('database_unavailable', why, { retryAfterS: limits.retryAfterS })
}
