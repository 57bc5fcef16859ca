import type { Socket } from 'node:net'
import pg from 'pg'
import { limits } from '../../kernel/index.ts'
import { databaseLimits } from '../limits.ts'

/** Fields of the driver's client that have no type. */
type Inside = {
  readonly connection: { readonly stream: Socket }
  readonly processID: number | null
  /** True if all queries are answered. */
  readonly readyForQuery?: boolean
}

/** A client whose connecting and ending are bounded, and that can be cut. */
export class BoundedClient extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super({
      ...config,
      connectionTimeoutMillis: limits.databaseConnectMsMax,
      // The system finds out that the peer of an idle connection is gone.
      keepAlive: true,
      keepAliveInitialDelayMillis: databaseLimits.databaseCheckMs,
    })
    // Whatever is awaited rejects; without a listener the process would end as well.
    this.on('error', () => {})
  }

  /** Process id of the server's end, as the server has sent it. */
  get serverPid(): number {
    return this.#inside.processID ?? 0
  }

  /** Bytes that have come; undefined while nothing is awaited. */
  get awaitingAfterBytes(): number | undefined {
    const { readyForQuery, connection } = this.#inside
    return readyForQuery === true ? undefined : connection.stream.bytesRead
  }

  /** Calls the listener with the size of each piece that comes, until the result is called. */
  watchReceived(listener: (bytes: number) => void): () => void {
    const { stream } = this.#inside.connection
    const onData = (piece: Buffer) => listener(piece.length)
    stream.on('data', onData)
    return () => void stream.off('data', onData)
  }

  /**
   * Ends the connection without its peer. Queries that are awaited reject as after a lost
   * connection.
   */
  cut(why: string): void {
    this.#inside.connection.stream.destroy(new Error(`Connection terminated: ${why}`))
  }

  override end(): Promise<void>
  override end(callback: (error: Error) => void): void
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    // A peer that does not answer does not close either.
    const leave = () => this.#inside.connection.stream.destroy()
    const timer = setTimeout(leave, limits.databaseConnectMsMax).unref()
    this.once('end', () => clearTimeout(timer))
    if (callback === undefined) return super.end()
    super.end(callback)
    return undefined
  }

  get #inside(): Inside {
    return this as unknown as Inside
  }
}
