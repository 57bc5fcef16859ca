import pg from 'pg'
import { limits, PollLoop } from '../../kernel/index.ts'
import { databaseLimits } from '../limits.ts'
import { BoundedClient } from './bounded-client.ts'
import type { Connection } from './pool.ts'

/** When a client that awaits an answer was looked at last. */
type Look = {
  readonly bytes: number
  /** Looks since then at which nothing had come, and the server was at no statement of it. */
  readonly idleLooks: number
}

/** Process ids of the server that are at a statement; undefined: the server does not show them. */
type Busy = ReadonlySet<number> | undefined

const busyPids = `
  select pg_backend_pid() as own, array(
    select pid from pg_stat_activity where datname = current_database() and state = 'active'
  ) as busy`

/**
 * Finds connections whose peer does not answer any more: a server that hangs, or one that went with
 * its machine or network and closed nothing. A statement may take long, so that no time is its
 * limit. But every `databaseCheckMs` a connection that has awaited an answer since the look before,
 * and received no byte meanwhile, is asked after on a new connection. It is cut if the server does
 * not answer there, or if the server is twice in a row at no statement of it.
 */
export class SilenceWatch {
  readonly #connection: Connection
  readonly #clients = new Map<BoundedClient, Look | undefined>()
  readonly #loop: PollLoop

  constructor(connection: Connection, lookMs: number = databaseLimits.databaseCheckMs) {
    this.#connection = connection
    // A look catches its own errors, and cuts connections.
    this.#loop = new PollLoop({ look: () => this.#look(), failed: () => {}, pollMs: lookMs })
    this.#loop.startLater()
  }

  /** Watches a connection until it ends. */
  add(client: BoundedClient): void {
    this.#clients.set(client, undefined)
    client.once('end', () => this.#clients.delete(client))
  }

  close(): void {
    void this.#loop.stop()
  }

  async #look(): Promise<void> {
    const silent = [...this.#clients].filter(([client, last]) => this.#isSilent(client, last))
    if (silent.length === 0) return
    try {
      const busy = await this.#ask()
      for (const [client, last] of silent) this.#judge(client, last?.idleLooks ?? 0, busy)
    } catch {
      for (const [client] of silent) client.cut('the database does not answer')
    }
  }

  /** Compares with the check before, and stores this one. */
  #isSilent(client: BoundedClient, last: Look | undefined): boolean {
    const bytes = client.awaitingAfterBytes
    if (bytes !== undefined && bytes === last?.bytes) return true
    this.#clients.set(client, bytes === undefined ? undefined : { bytes, idleLooks: 0 })
    return false
  }

  #judge(client: BoundedClient, idleLooks: number, busy: Busy): void {
    const bytes = client.awaitingAfterBytes
    if (bytes === undefined || busy === undefined || busy.has(client.serverPid)) return
    if (idleLooks > 0) client.cut('the database has no statement of it')
    else this.#clients.set(client, { bytes, idleLooks: idleLooks + 1 })
  }

  /** @throws Error if the server does not answer in time. */
  async #ask(): Promise<Busy> {
    const client = new BoundedClient(this.#connection)
    const late = () => client.cut('the database does not answer')
    const timer = setTimeout(late, limits.databaseConnectMsMax)
    try {
      await client.connect()
      const { rows } = await client.query<{ own: number; busy: number[] }>(busyPids)
      // Behind a proxy that shares connections the ids are the proxy's own.
      return rows[0]?.own === client.serverPid ? new Set(rows[0].busy) : undefined
    } catch (error) {
      // A server that refuses the connection, because it has too many, has answered.
      if (error instanceof pg.DatabaseError) return undefined
      throw error
    } finally {
      clearTimeout(timer)
      client.end().catch(() => {})
    }
  }
}
