import type { Logger } from '../kernel/index.ts'
import { type Engine, startEngine } from './embedded/index.ts'
import { migrate } from './migrate.ts'
import { type Connection, openPool } from './pool.ts'
import type { Database } from './statement.ts'
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
    const migrated = await migrate(connection)
    if (migrated.length > 0) options.logger.info({ migrated }, 'the database was migrated')
    return open(connection, engine, options.logger)
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

function open(connection: Connection, engine: Engine | undefined, logger: Logger): Database {
  let closing = false
  const lost = (error: Error) => {
    if (!closing) logger.warn({ err: error }, 'a database connection was lost')
  }
  const { end, ...pool } = openPool(connection, lost)
  return {
    ...pool,
    engine: engine === undefined ? 'external' : 'embedded',
    writer: () => openWriter(connection, lost),
    async close() {
      closing = true
      await end()
      await engine?.stop()
    },
  }
}
