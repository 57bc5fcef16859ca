import { detached, type Logger } from '../kernel/index.ts'
import type { BoundedClient } from './connection/bounded-client.ts'
import { KeptConnection } from './connection/kept-connection.ts'
import { HintAnswers, listenerName } from './hint-answers.ts'
import { databaseLimits } from './limits.ts'
import type { Queryable } from './statement.ts'

/**
 * Characters of the keys that a notification names; past it the notification means any key. A
 * standard or a provider sets it.
 */
const hintCharsMax = 4_000

/** The subject of a hint. */
export type HintTopic =
  | 'accounts'
  | 'certificates'
  | 'changes'
  | 'entries'
  | 'groups'
  | 'jobs'
  | 'leases'
  | 'lines'
  | 'notifications'
  | 'places'
  | 'revocations'
  | 'sets'
  | 'sockets'
  | 'solutions'
  | 'timers'

/** The keys that have something new; undefined: there may be something new of any. */
export type HintListener = (keys: ReadonlySet<string> | undefined) => void

/**
 * Hints to the other processes on the same database that something was committed, by NOTIFY. A
 * hint may get lost or come twice: so consumers also poll.
 */
export type Hints = {
  /** Returns at once. Hints that follow one another soon go together. */
  notify(topic: HintTopic, key: string): void
  /** Calls the listener for hints of other processes until the returned function is called. */
  listen(topic: HintTopic, listener: HintListener): () => void
  /**
   * Waits until the listeners of every other process were called for the hints of the topic that
   * were sent before; `limits.hintReachMs` at most, if hints do not get through.
   */
  reached(topic: HintTopic): Promise<void>
  /** Sends what waits, and ends the connection. */
  close(): Promise<void>
}

export type HintsOptions = {
  /** A client that is not connected yet. */
  readonly newClient: () => BoundedClient
  readonly logger: Logger
  readonly run: Queryable['run']
  readonly rows: Queryable['rows']
  /** A name of this process that no other one has. */
  readonly process: string
}

type Message = {
  readonly from: string
  readonly topics?: Partial<Record<HintTopic, Keys>>
  /** A process that receives it answers with the same text, once its listeners were called. */
  readonly ask?: string
  readonly answer?: string
}
/** `true`: any. */
type Keys = readonly string[] | true

const channel = 'millrace'

export function createHints(options: HintsOptions): Hints {
  const listeners = new Map<HintTopic, Set<HintListener>>()
  const reach = new Map<HintTopic, Reach>()
  const sender = new Sender(options)
  const answers = new HintAnswers(options)
  const askOthers = () =>
    answers.wait(async (ask) => {
      await receiver.settled()
      await sender.sent()
      await sender.say({ ask })
    })
  const receiver = createReceiver(options, {
    received({ from, topics = {}, ask, answer }) {
      if (answer !== undefined) answers.take(answer, from)
      if (ask !== undefined && from === options.process) answers.take(ask, from)
      if (from === options.process) return
      for (const [topic, keys] of Object.entries(topics) as [HintTopic, Keys][]) {
        const some = keys === true ? undefined : new Set(keys)
        for (const listener of listeners.get(topic) ?? []) listener(some)
      }
      if (ask !== undefined) sender.say({ answer: ask })
    },
    connected() {
      for (const those of listeners.values()) for (const listener of those) listener(undefined)
    },
  })
  return {
    notify(topic, key) {
      const one = reach.get(topic) ?? new Reach()
      reach.set(topic, one)
      one.sent()
      sender.notify(topic, key)
    },
    listen(topic, listener) {
      const those = listeners.get(topic) ?? new Set()
      listeners.set(topic, those.add(listener))
      receiver.start()
      return () => those.delete(listener)
    },
    async reached(topic) {
      const one = reach.get(topic)
      if (one === undefined) return
      receiver.start()
      await one.wait(askOthers)
    },
    async close() {
      await Promise.all([receiver.close(), sender.close()])
    },
  }
}

/** The extent to which the hints of a topic have reached the other processes. */
class Reach {
  #sent = 0
  #reached = 0
  /** A question that is under way, and the number of hints that it covers. */
  #asking: { readonly upTo: number; readonly over: Promise<void> } | undefined

  sent(): void {
    this.#sent += 1
  }

  /** Callers whose hints one question covers share it. */
  async wait(ask: () => Promise<void>): Promise<void> {
    const upTo = this.#sent
    if (this.#reached >= upTo) return
    if (this.#asking === undefined || this.#asking.upTo < upTo) {
      const over = ask().then(() => {
        this.#reached = Math.max(this.#reached, upTo)
      })
      this.#asking = { upTo, over }
    }
    await this.#asking.over
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
  #hurries = false

  constructor(options: Pick<HintsOptions, 'run' | 'process' | 'logger'>) {
    this.#options = options
  }

  notify(topic: HintTopic, key: string): void {
    if (this.#closed) return
    const keys = this.#waiting.get(topic) ?? new Set()
    // More keys than a message may name mean any.
    if (keys.size <= databaseLimits.hintKeysMax) this.#waiting.set(topic, keys.add(key))
    this.#sending ??= detached(() => this.#send())
  }

  /** Resolves once what waits was sent, or could not be sent. */
  async sent(): Promise<void> {
    this.#hurries = true
    this.#endPause()
    await this.#sending
    this.#hurries = false
  }

  /** Sends a message at once. */
  say(message: Omit<Message, 'from'>): Promise<void> {
    return detached(() => this.#notify({ ...message, from: this.#options.process }))
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.sent()
  }

  async #send(): Promise<void> {
    // Hints of commits in the same turn of the event loop goes together.
    await Promise.resolve()
    while (this.#waiting.size > 0) {
      const topics = Object.fromEntries(
        [...this.#waiting].map(([topic, keys]) => [topic, of(keys)]),
      )
      this.#waiting = new Map()
      await this.#notify({ from: this.#options.process, topics })
      if (!this.#hurries)
        await this.#pause(this.#failed ? databaseLimits.hintRetryMs : databaseLimits.hintPauseMs)
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
  const fits = named.length <= databaseLimits.hintKeysMax && chars <= hintCharsMax
  return fits ? named : true
}

type Receives = {
  received(message: Message): void
  /** Earlier hints may be lost. */
  connected(): void
}

/**
 * A connection that listens. With a server without LISTEN it retries, and consumers go on polling.
 */
function createReceiver(
  { newClient, logger, process }: Pick<HintsOptions, 'newClient' | 'logger' | 'process'>,
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
      const name = listenerName(process)
      await client.query(`select set_config('application_name', $1, false)`, [name])
      await client.query(`listen ${channel}`)
      receives.connected()
    },
    onLost: (error) => logger.info({ err: error }, 'no hints of other processes for now'),
  })
}
