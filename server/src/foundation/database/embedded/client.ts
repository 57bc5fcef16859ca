import pg from 'pg'
import type { Connection } from '../connection/pool.ts'
import { databaseLimits } from '../limits.ts'
import { port } from './socket.ts'

/** A running server: its process, and the directory of its socket. */
export type Server = { readonly pid: number; readonly socketDir: string }

/** The engine's one role, made by initdb. */
export const role = 'millrace'
/** The database that every engine has, for what belongs to none. */
const maintenance = 'postgres'
/** Marks a server that was started by a visitor, and so ends with the last one. */
export const visitorsCluster = 'millrace-visit'

const duplicateDatabase = '42P04'
const uniqueViolation = '23505'

/** The port and TLS are given, since else PGPORT and PGSSLMODE of the environment would count. */
function toAddress(server: Server, database: string) {
  return { host: server.socketDir, port, ssl: false, user: role, database }
}

/** A connection that is open for long; between questions it does not keep the process alive. */
export type Client = {
  ask: Ask
  /** Calls when the connection ends without end(), or has already. */
  onceLost(listener: () => void): void
  end(): Promise<void>
}
type Ask = (text: string, values?: unknown[]) => Promise<pg.QueryResult>

/** @throws Error where no server answers there within the time, in milliseconds. */
export async function connect(server: Server, waitMsMax: number): Promise<Client> {
  const client = new pg.Client({
    ...toAddress(server, maintenance),
    connectionTimeoutMillis: waitMsMax,
  })
  const lost = new AbortController()
  // The reason of its end does not matter; the next statement fails.
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  await client.connect()
  let ended = false
  const waiting = holder(client, () => !ended && !lost.signal.aborted)
  return {
    ask: (text, values) => waiting(() => client.query(text, values)),
    onceLost(listener) {
      const call = () => {
        if (!ended) listener()
      }
      if (lost.signal.aborted) call()
      else lost.signal.addEventListener('abort', call, { once: true })
    },
    async end() {
      // A lost one never emits its end.
      const ending = lost.signal.aborted ? undefined : waiting(() => client.end())
      ended = true
      await ending
    },
  }
}

/**
 * Asks its questions one after the other; the client keeps the process alive only while one is
 * awaited.
 * @param isOpen whether it is connected. Each ref or unref of a socket that is not makes it wait
 * for its connecting, with a listener more.
 */
function holder(client: pg.Client, isOpen: () => boolean) {
  // The package's types leave these two out.
  const socket = client as unknown as { ref(): void; unref(): void }
  let awaited = 0
  let last: Promise<unknown> = Promise.resolve()
  socket.unref()
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (isOpen()) socket.ref()
    awaited += 1
    const result = last.then(work)
    last = result.catch(() => {})
    try {
      return await result
    } finally {
      awaited -= 1
      if (awaited === 0 && isOpen()) socket.unref()
    }
  }
}

export async function answers(server: Server): Promise<boolean> {
  try {
    await (await connect(server, databaseLimits.engineConnectMsMax)).end()
    return true
  } catch {
    return false
  }
}

/** Makes the database where it is missing, whoever else does so at the same time. */
export async function makeDatabase(
  { server, presence }: { readonly server: Server; readonly presence: Client },
  name: string,
): Promise<Connection> {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name)) throw new Error(`not a database's name: ${name}`)
  const { rowCount } = await presence.ask('select 1 from pg_database where datname = $1', [name])
  if (rowCount === 0) {
    await presence.ask(`create database ${name}`).catch((error: { code?: string }) => {
      if (error.code !== duplicateDatabase && error.code !== uniqueViolation) throw error
    })
  }
  return toAddress(server, name)
}

/** Returns whether the server was started for visitors, and this is its only client. */
export async function visitorsLeft(client: Client): Promise<boolean> {
  const others = `
    select count(*)::int as others, current_setting('cluster_name') as cluster
    from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`
  // A connection that is lost means a server that ends already.
  const answer = await client.ask(others).catch(() => undefined)
  const row = answer?.rows[0] as { others: number; cluster: string } | undefined
  return row !== undefined && row.others === 0 && row.cluster === visitorsCluster
}
