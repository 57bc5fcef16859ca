import type { Client } from '../../api/client.ts'
import { type ChangeTopic, followChanges } from '../../api/people/changes.ts'

/** `all`: changes may have been missed. */
export type ChangedTopics = readonly ChangeTopic[] | 'all'

export type ChangeStreamOptions = {
  readonly client: Client
  /** The owner of the changes: tabs of one name share a connection. */
  readonly name: string
  readonly onChange: (topics: ChangedTopics) => void
  /** Called with the topics whose changes come from now on. */
  readonly onCover: (topics: readonly ChangeTopic[]) => void
}

/**
 * The messages that the tab with the connection sends to the others, and the question of a new one.
 */
type Message =
  | { readonly covered: readonly ChangeTopic[] }
  | { readonly topics: ChangedTopics }
  | { readonly asks: true }

/**
 * The changes of a business, over one connection of the browser: the tab that holds a lock has it
 * and passes on what comes. If it closes, the next one opens its own. A page without locks (over
 * HTTP from another machine) has a connection for each tab.
 */
export class ChangeStream {
  readonly #options: ChangeStreamOptions
  readonly #channel: BroadcastChannel
  readonly #end = new AbortController()
  #leads = false
  #covered: readonly ChangeTopic[] = []

  constructor(options: ChangeStreamOptions) {
    this.#options = options
    this.#channel = new BroadcastChannel(options.name)
    this.#channel.onmessage = ({ data }) => this.#take(data as Message)
    const { signal } = this.#end
    const { locks } = navigator as Partial<Navigator>
    if (locks === undefined) {
      this.#lead(signal)
      return
    }
    this.#send({ asks: true })
    locks.request(options.name, { signal }, () => this.#lead(signal)).catch(() => {})
  }

  close(): void {
    this.#end.abort()
    if (this.#leads) this.#send({ covered: [] })
    this.#channel.close()
  }

  #take(message: Message): void {
    if (this.#end.signal.aborted) return
    if ('asks' in message) {
      if (this.#leads) this.#send({ covered: this.#covered })
    } else if ('topics' in message) this.#options.onChange(message.topics)
    else this.#become(message.covered)
  }

  async #lead(signal: AbortSignal): Promise<void> {
    this.#leads = true
    const changes = followChanges(this.#options.client, {
      signal,
      lost: () => this.#publish({ covered: [] }),
    })
    try {
      for await (const { event, data } of changes) {
        this.#publish(event === 'covers' ? { covered: data.topics } : data)
      }
    } catch {
      // Refused: lists are read by their timers, and show why if they are refused, too.
      if (!signal.aborted) this.#publish({ covered: [] })
    }
    // The lock is kept: another tab would be refused as well.
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }

  #publish(message: Message): void {
    if (this.#end.signal.aborted) return
    this.#send(message)
    this.#take(message)
  }

  #send(message: Message): void {
    this.#channel.postMessage(message)
  }

  #become(covered: readonly ChangeTopic[]): void {
    // Changes from before do not come.
    if (this.#covered.length === 0 && covered.length > 0) this.#options.onChange('all')
    this.#covered = covered
    this.#options.onCover(covered)
  }
}

/** Lists are read again at most so often, however much changes. */
const pauseMs = 1_000

/**
 * Gathers changes while the tab is hidden, between two reads, and while the operator changes
 * something: all is read after that, and before it what is being deleted would be asked for.
 */
export class PacedReads {
  readonly #read: (topics: ReadonlySet<string>) => void
  readonly #isBusy: () => boolean
  #waiting = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param read takes topics, and `all` if changes may have been missed. */
  constructor(read: (topics: ReadonlySet<string>) => void, isBusy: () => boolean) {
    this.#read = read
    this.#isBusy = isBusy
    document.addEventListener('visibilitychange', this.#look)
  }

  add(topics: ChangedTopics): void {
    for (const topic of topics === 'all' ? ['all'] : topics) this.#waiting.add(topic)
    this.#look()
  }

  end(): void {
    clearTimeout(this.#timer)
    document.removeEventListener('visibilitychange', this.#look)
  }

  readonly #look = (): void => {
    const waiting = this.#waiting
    if (document.hidden || this.#timer !== undefined || waiting.size === 0) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#look()
    }, pauseMs)
    if (this.#isBusy()) return
    this.#waiting = new Set()
    this.#read(waiting)
  }
}
