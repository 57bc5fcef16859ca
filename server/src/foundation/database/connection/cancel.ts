import { AsyncLocalStorage } from 'node:async_hooks'
import type { Logger } from '../../kernel/index.ts'
import type { BoundedClient } from './bounded-client.ts'

/** Learns what the statements of one piece of work take. */
export type StatementMeter = {
  /** A statement begins. */
  statement(): void
  /** So many bytes of its answer have come. */
  received(bytes: number): void
}

/**
 * The statements of one piece of work, which end with it. A connection on which a statement was
 * cancelled is not used again: the server may receive a cancellation a moment late.
 */
export class CancelScope {
  readonly #signal: AbortSignal
  readonly #canceller: Canceller
  readonly #meter: StatementMeter | undefined
  readonly #running = new Set<BoundedClient>()
  readonly #cancelled = new Map<BoundedClient, Promise<void>>()

  constructor(signal: AbortSignal, canceller: Canceller, meter?: StatementMeter) {
    this.#signal = signal
    this.#canceller = canceller
    this.#meter = meter
    signal.addEventListener('abort', () => this.#cancel(), { once: true })
  }

  /** @throws the reason of the signal, once it is aborted. */
  check(): void {
    this.#signal.throwIfAborted()
  }

  /** Runs a statement on the connection. @throws the reason of the signal, if it was cancelled. */
  async run<Result>(client: BoundedClient, statement: () => Promise<Result>): Promise<Result> {
    this.#signal.throwIfAborted()
    this.#running.add(client)
    const meter = this.#meter
    meter?.statement()
    const unwatch = meter && client.watchReceived((bytes) => meter.received(bytes))
    try {
      return await statement()
    } catch (error) {
      this.#signal.throwIfAborted()
      throw error
    } finally {
      unwatch?.()
      this.#running.delete(client)
      await this.#cancelled.get(client)
    }
  }

  /** Returns whether the connection must not be used again. */
  spoils(client: BoundedClient): boolean {
    return this.#cancelled.has(client)
  }

  #cancel(): void {
    for (const client of this.#running) {
      this.#cancelled.set(client, this.#canceller.cancel(client))
    }
  }
}

export type CancellerOptions = {
  /** A client that is not connected yet. */
  readonly newClient: () => BoundedClient
  readonly logger: Logger
}

/** Cancels what other connections run, over one connection that lives as long as it has to. */
export class Canceller {
  readonly #options: CancellerOptions
  #waiting = new Set<BoundedClient>()
  #running: Promise<void> | undefined

  constructor(options: CancellerOptions) {
    this.#options = options
  }

  /** Resolves once the server was asked to. If it cannot be asked, the connection is cut. */
  async cancel(client: BoundedClient): Promise<void> {
    this.#waiting.add(client)
    while (this.#waiting.has(client)) {
      this.#running ??= this.#run().finally(() => {
        this.#running = undefined
      })
      await this.#running
    }
  }

  async #run(): Promise<void> {
    const clients = [...this.#waiting]
    const own = this.#options.newClient()
    try {
      await own.connect()
      const pids = clients.map(({ serverPid }) => serverPid)
      await own.query('select pg_cancel_backend(pid) from unnest($1::integer[]) as pid', [pids])
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'statements could not be cancelled')
      for (const client of clients) client.cut('its statement could not be cancelled')
    } finally {
      for (const client of clients) this.#waiting.delete(client)
      own.end().catch(() => {})
    }
  }
}

/** The scope that the running code belongs to. */
export class CancelScopes {
  readonly #current = new AsyncLocalStorage<CancelScope>()
  readonly #canceller: Canceller

  constructor(options: CancellerOptions) {
    this.#canceller = new Canceller(options)
  }

  get current(): CancelScope | undefined {
    return this.#current.getStore()
  }

  run<Result>(signal: AbortSignal, work: () => Result, meter?: StatementMeter): Result {
    return this.#current.run(new CancelScope(signal, this.#canceller, meter), work)
  }
}
