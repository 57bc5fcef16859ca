import { newId, systemRandom } from '../kernel/index.ts'
import { BoundedClient } from './connection/bounded-client.ts'
import type { Connection } from './connection/pool.ts'

/**
 * The time to make or to drop a temporary database: the server writes what of all its databases is
 * in memory first.
 */
const databaseMadeMsMax = 2 * 60_000

/**
 * A temporary database lies beside another one on its server. Its name holds the second after which
 * it has expired, so that any process can drop what a killed one has left.
 */
const prefix = 'millrace_temporary_'
const name = /^millrace_temporary_(\d{1,12})_[a-z0-9]+$/

/** Creates an empty one. Returns its name. */
export async function createTemporary(server: Connection, expiresAtMs: number): Promise<string> {
  const made = `${prefix}${Math.ceil(expiresAtMs / 1_000)}_${newId(systemRandom)}`
  await onServer(server, (client) => client.query(`create database ${made}`))
  return made
}

/** Drops one, whoever is connected. */
export async function dropTemporary(server: Connection, made: string): Promise<void> {
  await onServer(server, (client) => client.query(`drop database if exists ${made} with (force)`))
}

/** Drops those that have expired, belong to the same role, and that nobody is connected to. */
export async function dropExpired(server: Connection, nowMs: number): Promise<void> {
  await onServer(server, async (client) => {
    const { rows } = await client.query<{ datname: string }>(unused, [`${prefix}%`])
    const expired = rows.filter(({ datname }) => {
      const seconds = name.exec(datname)?.[1]
      return seconds !== undefined && Number(seconds) * 1_000 <= nowMs
    })
    for (const { datname } of expired) {
      // Another process may drop it at the same time.
      await client.query(`drop database if exists ${datname}`).catch((error) => {
        if (!goneOrUsed.includes(error.code)) throw error
      })
    }
  })
}

const unused = `
  select datname from pg_database
  where datname like $1 and pg_get_userbyid(datdba) = current_user and not exists
    (select 1 from pg_stat_activity where pg_stat_activity.datname = pg_database.datname)`

/** Undefined database, object in use. */
const goneOrUsed: readonly unknown[] = ['3D000', '55006']

/** Returns whether the role of the server may not create a database. */
export function mayNotCreate(error: unknown): boolean {
  const insufficientPrivilege = '42501'
  return (error as { code?: unknown } | null)?.code === insufficientPrivilege
}

/** The address of another database on the same server. */
export function besides(server: Connection, database: string): Connection {
  if (!('connectionString' in server)) return { ...server, database }
  const { connectionString: url } = server
  const [, address, query] = /^([a-z]+:\/\/[^/?#]*)(?:\/[^?#]*)?(.*)$/is.exec(url) ?? []
  if (address === undefined) throw new Error('DATABASE_URL is no URL')
  return { connectionString: `${address}/${database}${query}` }
}

async function onServer(
  server: Connection,
  work: (client: BoundedClient) => Promise<unknown>,
): Promise<void> {
  const client = new BoundedClient(server)
  await client.connect()
  try {
    await client.query(`set statement_timeout = ${databaseMadeMsMax}`)
    await work(client)
  } finally {
    await client.end()
  }
}
