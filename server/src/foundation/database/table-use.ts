import { hostname } from 'node:os'
import { Fault, type Logger } from '../kernel/index.ts'
import type { BoundedClient } from './connection/bounded-client.ts'
import { KeptConnection } from './connection/kept-connection.ts'
import { connectionLost } from './connection/pool.ts'
import { poll } from './embedded/processes.ts'
import { databaseLimits } from './limits.ts'

/**
 * The time for which a process whose connection ended may still count as one that uses the tables,
 * when another version changes them.
 */
const databaseReleaseMsMax = 5_000

/**
 * Each process that has a database open holds this lock of PostgreSQL, shared, on one connection:
 * it uses the tables as its version knows them. A process that changes the tables needs it alone.
 * It goes with the connection, and so with its process however that ends. It is asked for while the
 * row of `database_lock` is held and is never waited for with that row, so that nobody waits in a
 * circle.
 */
const lock = '7461, 2'

const featureNotSupported = '0A000'
const undefinedFunction = '42883'

/**
 * Names the process for others, and lets the server find out soon that its machine is gone.
 * @returns whether the server has such locks; some of its family have none.
 */
export async function introduce(client: BoundedClient): Promise<boolean> {
  const name = `process ${process.pid} on ${hostname()}`
  await client.query("select set_config('application_name', $1, false)", [name])
  const seconds = Math.ceil(databaseLimits.databaseCheckMs / 1_000)
  for (const setting of ['tcp_keepalives_idle', 'tcp_keepalives_interval']) {
    // A server that has no such setting finds out when it does.
    await client.query(`set ${setting} = ${seconds}`).catch(() => {})
  }
  try {
    await client.query(`select pg_try_advisory_lock_shared(7461, 3), pg_advisory_unlock_all()`)
    return true
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === featureNotSupported || code === undefinedFunction) return false
    throw error
  }
}

/**
 * Takes the lock that this connection's process uses the tables; waits while another changes them.
 */
export async function shareTables(client: BoundedClient): Promise<void> {
  await client.query(`select pg_advisory_lock_shared(${lock})`)
}

/**
 * Takes the tables for this connection alone.
 * @throws Fault database_in_use that names the processes which use them.
 */
export async function takeTables(client: BoundedClient): Promise<void> {
  const got = await poll(async () => {
    const { rows } = await client.query(`select pg_try_advisory_lock(${lock}) as got`)
    // The server needs a moment to see that the connection of a killed process is gone.
    return rows[0]?.got === true ? true : undefined
  }, databaseReleaseMsMax)
  if (got === undefined) throw await inUse(client)
}

/** Gives back what takeTables took; what shareTables has taken stays. */
export async function releaseTables(client: BoundedClient): Promise<void> {
  await client.query(`select pg_advisory_unlock(${lock})`)
}

const users = `
  select activity.application_name as name, host(activity.client_addr) as address,
    to_char(activity.backend_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as since
  from pg_locks held join pg_stat_activity activity on activity.pid = held.pid
  where held.locktype = 'advisory' and held.classid = 7461 and held.objid = 2
    and held.objsubid = 2 and held.granted and held.pid <> pg_backend_pid()
    and activity.datname = current_database()
  order by activity.backend_start`

async function inUse(client: BoundedClient): Promise<Fault> {
  type User = { name: string; address: string | null; since: string }
  const { rows } = await client.query<User>(users)
  const named = rows.map(({ name, address, since }) => {
    const from = address === null ? '' : `, connected from ${address}`
    return `${name}${from} (since ${since} UTC)`
  })
  return new Fault(
    'database_in_use',
    'The tables are of an older version, and others serve from them: ' +
      `${named.join('; ')}. Stop these first, and start this version; ` +
      'or run the command with their version.',
  )
}

export type TableUseOptions = {
  readonly newClient: () => BoundedClient
  readonly logger: Logger
  /** @throws Error if the tables are no longer those of this version, or the connection is lost. */
  readonly check: (client: BoundedClient) => Promise<void>
  /** Called when check has thrown: nothing more may be read or written. */
  readonly onOutdated: (error: Error) => void
}

/**
 * Keeps the tables in use over lost connections. While there is none, another version may change
 * the tables; then this process finds out when it has a connection again.
 */
export function keepTableUse(options: TableUseOptions): KeptConnection {
  const { newClient, logger, check, onOutdated } = options
  return new KeptConnection({
    newClient,
    async begin(client) {
      if (!(await introduce(client))) return
      await shareTables(client)
      await check(client).catch((error: Error) => {
        // It says nothing of the tables: they are checked on the next connection.
        if (connectionLost(error)) throw error
        logger.error({ err: error }, 'the tables were changed; this process must be stopped')
        onOutdated(error)
      })
    },
    onLost: (error) => logger.info({ err: error }, 'the lock of the tables was lost for now'),
  })
}
