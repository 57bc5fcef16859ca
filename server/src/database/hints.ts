import { type Logger, limits } from '../kernel/index.ts'
import type { BoundedClient } from './bounded-client.ts'
import { KeptConnection } from './kept-connection.ts'

/** What a hint is about. */
export type HintTopic = 'sets' | 'lines' | 'script lines'

/** The keys that have something new; undefined: there may be something new of any. */
export type HintListener = (keys: ReadonlySet<string> | undefined) => void

/**
 * Hints to the other processes on the same database that something was committed, by NOTIFY. A
 * hint may get lost or come twice: who needs to know for sure looks from time to time.
 */
export type Hints = {
  /** Returns at once. What is said soon after one another goes together. */
  tell(topic: HintTopic, key: string): void
  /** Calls the listener for hints of other processes until the returned function is called. */
  listen(topic: HintTopic, listener: HintListener): () => void
  /** Sends what waits, and ends the connection. */
  close(): Promise<void>
}

export type HintsOptions = {
  /** A client that is not connected yet. */
  readonly newClient: () => BoundedClient
  readonly logger: Logger
  /** Runs a statement. */
  readonly run: (text: string, values: readonly unknown[]) => Promise<unknown>
  /** A name of this process that no other one has. */
  readonly process: string
}

type Message = { readonly from: string; readonly topics: Partial<Record<HintTopic, Keys>> }
/** `true`: any. */
type Keys = readonly string[] | true

const channel = 'millrace'

export function createHints(options: HintsOptions): Hints {
  const listeners = new Map<HintTopic, Set<HintListener>>()
  const sender = new Sender(options)
  const receiver = createReceiver(options, {
    received({ from, topics }) {
      if (from === options.process) return
      for (const [topic, keys] of Object.entries(topics) as [HintTopic, Keys][]) {
        const some = keys === true ? undefined : new Set(keys)
        for (const listener of listeners.get(topic) ?? []) listener(some)
      }
    },
    connected() {
      for (const those of listeners.values()) for (const listener of those) listener(undefined)
    },
  })
  return {
    tell: (topic, key) => sender.tell(topic, key),
    listen(topic, listener) {
      const those = listeners.get(topic) ?? new Set()
      listeners.set(topic, those.add(listener))
      receiver.start()
      return () => those.delete(listener)
    },
    async close() {
      await Promise.all([receiver.close(), sender.close()])
    },
  }
}

/** Gathers hints while the one before is on its way, and for a moment after it. */
class Sender {
  readonly #options: Pick<HintsOptions, 'run' | 'process' | 'logger'>
  #waiting = new Map<HintTopic, Set<string>>()
  #sending: Promise<void> | undefined
  #closed = false
  #endPause = () => {}
  #failed = false

  constructor(options: Pick<HintsOptions, 'run' | 'process' | 'logger'>) {
    this.#options = options
  }

  tell(topic: HintTopic, key: string): void {
    if (this.#closed) return
    const keys = this.#waiting.get(topic) ?? new Set()
    // One key more than a message may name means any.
    if (keys.size <= limits.hintKeysMax) this.#waiting.set(topic, keys.add(key))
    this.#sending ??= this.#send()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#endPause()
    await this.#sending
  }

  async #send(): Promise<void> {
    // What is committed in the same turn of the event loop goes together.
    await Promise.resolve()
    while (this.#waiting.size > 0) {
      const topics = Object.fromEntries(
        [...this.#waiting].map(([topic, keys]) => [topic, of(keys)]),
      )
      this.#waiting = new Map()
      await this.#notify({ from: this.#options.process, topics })
      if (!this.#closed) await this.#pause(this.#failed ? limits.hintRetryMs : limits.hintPauseMs)
    }
    this.#sending = undefined
  }

  async #notify(message: Message): Promise<void> {
    const { run, logger } = this.#options
    try {
      await run('select pg_notify($1, $2)', [channel, JSON.stringify(message)])
      this.#failed = false
    } catch (error) {
      if (!this.#failed) logger.info({ err: error }, 'hints to other processes cannot be sent')
      this.#failed = true
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref()
      this.#endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

function of(keys: ReadonlySet<string>): Keys {
  const named = [...keys]
  const chars = named.reduce((sum, key) => sum + key.length, 0)
  const fits = named.length <= limits.hintKeysMax && chars <= limits.hintCharsMax
  return fits ? named : true
}

type Receives = {
  received(message: Message): void
  /** What was said before is not known. */
  connected(): void
}

/**
 * One connection that listens. A server that knows no LISTEN is asked again and again: looking from
 * time to time goes on.
 */
function createReceiver(
  { newClient, logger }: Pick<HintsOptions, 'newClient' | 'logger'>,
  receives: Receives,
): KeptConnection {
  function receive(payload: string | undefined): void {
    try {
      receives.received(JSON.parse(payload ?? '') as Message)
    } catch (error) {
      logger.warn({ err: error }, 'a hint of another process cannot be read')
    }
  }
  return new KeptConnection({
    newClient,
    async begin(client) {
      client.on('notification', ({ payload }) => receive(payload))
      await client.query(`listen ${channel}`)
      receives.connected()
    },
    onLost: (error) => logger.info({ err: error }, 'no hints of other processes for now'),
  })
}
