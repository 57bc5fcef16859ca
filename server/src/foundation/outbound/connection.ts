import type { Socket } from 'node:net'
import { type buildConnector, Client, type Dispatcher } from 'undici'
import { elapsedMs, Fault } from '../kernel/index.ts'
import type { IdleTimes } from './idle-times.ts'

/** A handler of one exchange, which learns on which connection its request goes out. */
export type ExchangeHandler = Dispatcher.DispatchHandler & {
  /**
   * An idle connection is closed, and another one opened, if it was idle for longer; where this is
   * finite, also if its server may be about to close it.
   */
  readonly idleMsMax: number
  connection: PooledConnection | undefined
}

/** A client of undici in a pool: at most one connection, and what it was used for. */
export class PooledConnection extends Client {
  readonly #origin: string
  readonly #times: IdleTimes
  #socket: Socket | undefined
  #requests = 0
  #idleSinceMs = 0
  /** Before the request that is under way. */
  #idleMs = 0

  constructor(origin: string | URL, options: Client.Options, times: IdleTimes) {
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
          for (const end of ['end', 'error']) socket.once(end, () => this.#ended())
          callback(null, socket)
        }),
    })
    this.#origin = new URL(origin).origin
    this.#times = times
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: ExchangeHandler): boolean {
    handler.connection = this
    const { idleMsMax } = handler
    const isAny = idleMsMax === Number.POSITIVE_INFINITY
    const most = isAny ? idleMsMax : Math.min(idleMsMax, this.#times.safeMs(this.#origin))
    if (this.#isIdle && elapsedMs() - this.#idleSinceMs >= most) this.#socket?.destroy()
    return super.dispatch(options, handler)
  }

  get #isIdle(): boolean {
    return this.#requests > 0 && this.stats.running === 0
  }

  /** The other side has ended the connection. */
  #ended(): void {
    if (this.#isIdle) this.#times.closed(this.#origin, elapsedMs() - this.#idleSinceMs)
  }

  /** Counts a request that goes out; returns true if another went out on the connection before. */
  begin(): boolean {
    this.#requests += 1
    this.#idleMs = elapsedMs() - this.#idleSinceMs
    return this.#requests > 1
  }

  /** The request that is under way met the end of its connection. */
  wasStale(): void {
    this.#times.closed(this.#origin, this.#idleMs)
  }

  /** An answer is whole. */
  end(): void {
    this.#idleSinceMs = elapsedMs()
  }
}
