import { join } from 'node:path'
import { type Logger, newId, systemRandom } from '../kernel/index.ts'
import { type Engine, startEngine } from './embedded/index.ts'
import { createHints } from './hints.ts'
import { migrate } from './migrate.ts'
import { type Connection, openPool } from './pool.ts'
import type { Database } from './statement.ts'
import { watchWrites } from './writable.ts'
import { openWriter } from './writer.ts'

export type DatabaseOptions = {
  /** A server of the PostgreSQL family; without it the embedded engine is started. */
  readonly url?: string | undefined
  /** Where the embedded engine keeps its data. */
  readonly dataDir: string
  /** The database inside the embedded engine; made where it is missing. */
  readonly name?: string
  /**
   * Whether this process stops the embedded engine when it closes even if it found it running: the
   * platform does, a command that looks in does not.
   */
  readonly owner: boolean
  readonly logger: Logger
}

/**
 * Connects to the database, starting the embedded engine where no URL is given, and migrates it.
 * @throws Error with a sentence for the operator where no server answers or none can be started.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const engine = options.url === undefined ? await startEngine(options) : undefined
  try {
    const connection = await addressOf(options, engine)
    const migrated = await migrate(connection, engine?.otherOwner)
    if (migrated.length > 0) options.logger.info({ migrated }, 'the database was migrated')
    return open(connection, engine, options)
  } catch (error) {
    await engine?.stop()
    throw error
  }
}

async function addressOf(
  options: DatabaseOptions,
  engine: Engine | undefined,
): Promise<Connection> {
  if (engine !== undefined) return engine.database(options.name ?? 'millrace')
  return { connectionString: options.url ?? '' }
}

function open(
  connection: Connection,
  engine: Engine | undefined,
  { logger, dataDir }: DatabaseOptions,
): Database {
  let closing = false
  const lost = (error: Error) => {
    if (!closing) logger.warn({ err: error }, 'a database connection was lost')
  }
  const pool = openPool(connection, lost)
  const folders = engine === undefined ? [] : [dataDir, join(dataDir, 'postgres')]
  const { noted, why } = watchWrites(pool.transaction, folders)
  const hints = createHints({ connection, logger, run: pool.run, process: newId(systemRandom) })
  return {
    hints,
    engine: engine === undefined ? 'external' : 'embedded',
    rows: (text, values) => noted(pool.rows(text, values)),
    one: (text, values) => noted(pool.one(text, values)),
    run: (text, values) => noted(pool.run(text, values)),
    transaction: (work) => noted(pool.transaction(work)),
    writer() {
      const writer = openWriter(connection, lost)
      return { ...writer, commit: (statements) => noted(writer.commit(statements)) }
    },
    unwritable: why,
    async close() {
      closing = true
      await hints.close()
      await pool.end()
      await engine?.stop()
    },
  }
}
