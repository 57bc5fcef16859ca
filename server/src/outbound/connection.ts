import type { Socket } from 'node:net'
import { type buildConnector, Client, type Dispatcher } from 'undici'
import { elapsedMs, Fault } from '../kernel/index.ts'

/** A handler of one exchange, which learns on which connection its request goes out. */
export type ExchangeHandler = Dispatcher.DispatchHandler & {
  /** An idle connection is closed, and another one opened, if it was idle for longer. */
  readonly idleMsMax: number
  connection: PooledConnection | undefined
}

/** A client of undici in a pool: at most one connection, and what it was used for. */
export class PooledConnection extends Client {
  #socket: Socket | undefined
  #requests = 0
  #idleSinceMs = 0

  constructor(origin: string | URL, options: Client.Options) {
    const connect = options.connect as buildConnector.connector
    super(origin, {
      ...options,
      connect: (asked, callback) =>
        connect(asked, (error, socket) => {
          if (error !== null || socket === null) {
            return callback(error ?? new Fault('internal'), null)
          }
          this.#socket = socket
          this.#requests = 0
          callback(null, socket)
        }),
    })
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: ExchangeHandler): boolean {
    handler.connection = this
    const isIdle = this.#requests > 0 && this.stats.running === 0
    if (isIdle && elapsedMs() - this.#idleSinceMs >= handler.idleMsMax) this.#socket?.destroy()
    return super.dispatch(options, handler)
  }

  /** Counts a request that goes out; returns true if another went out on the connection before. */
  begin(): boolean {
    this.#requests += 1
    return this.#requests > 1
  }

  /** An answer is whole. */
  end(): void {
    this.#idleSinceMs = elapsedMs()
  }
}
