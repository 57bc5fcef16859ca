import { PollLoop } from '../../kernel/index.ts'
import { databaseLimits } from '../limits.ts'
import type { BoundedClient } from './bounded-client.ts'

/**
 * The interval at which a connection that only listens, or holds a lock, sends a small statement.
 */
const databaseHeartbeatMs = 15_000

export type KeptConnectionOptions = {
  /** A client that is not connected yet. */
  readonly newClient: () => BoundedClient
  /** Called after each connect. If it rejects, the connection is made anew. */
  readonly begin: (client: BoundedClient) => Promise<void>
  /** Called when it is lost or cannot be made, once until it is there again. */
  readonly onLost: (error: unknown) => void
}

/**
 * A connection that stays open. After it is lost another one is made, a moment later and then every
 * `hintRetryMs`. A small statement from time to time shows a peer that is gone.
 */
export class KeptConnection {
  readonly #options: KeptConnectionOptions
  #client: BoundedClient | undefined
  /** The one that is being connected. */
  #next: BoundedClient | undefined
  #connecting: Promise<void> | undefined
  #retry: NodeJS.Timeout | undefined
  #beats: PollLoop | undefined
  #closed = false
  #failed = false

  constructor(options: KeptConnectionOptions) {
    this.#options = options
  }

  start(): void {
    if (this.#closed || this.#client !== undefined || this.#retry !== undefined) return
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined
    })
  }

  /** Resolves once the connection that is being made is there, or could not be made. */
  async settled(): Promise<void> {
    await this.#connecting
  }

  /** Keeps a connection that is there already, as if begin() had been called with it. */
  adopt(client: BoundedClient): void {
    client.on('error', (error) => this.#lost(client, error))
    client.on('end', () => this.#lost(client))
    this.#client = client
    this.#failed = false
    const look = async () => void (await client.query('select 1'))
    this.#beats = new PollLoop({ look, failed: () => {}, pollMs: databaseHeartbeatMs })
    this.#beats.startLater()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retry)
    void this.#beats?.stop()
    this.#next?.cut('it is closed')
    await this.#connecting
    const client = this.#client
    this.#client = undefined
    await client?.end().catch(() => {})
  }

  async #connect(): Promise<void> {
    const client = this.#options.newClient()
    this.#next = client
    try {
      await client.connect()
      await this.#options.begin(client)
    } catch (error) {
      client.end().catch(() => {})
      return this.#again(error)
    } finally {
      this.#next = undefined
    }
    if (this.#closed) return client.end()
    this.adopt(client)
  }

  #lost(client: BoundedClient, error?: Error): void {
    if (client !== this.#client) return
    this.#client = undefined
    void this.#beats?.stop()
    client.end().catch(() => {})
    this.#again(error)
  }

  #again(error: unknown): void {
    if (this.#closed) return
    if (!this.#failed) this.#options.onLost(error)
    const ms = this.#failed ? databaseLimits.hintRetryMs : databaseLimits.hintPauseMs
    this.#failed = true
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      this.start()
    }, ms).unref()
  }
}
