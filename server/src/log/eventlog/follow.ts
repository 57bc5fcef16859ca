import type { Hints } from '../../foundation/database/index.ts'
import { type Logger, PollLoop } from '../../foundation/kernel/index.ts'
import type { Entry, Position } from './entry.ts'
import type { LogStore } from './log-store/log-store.ts'
import { createWatchers, type Listener } from './watch.ts'

/** The pause between a notification and the read of the values that were set. */
const setsPauseMs = 10
/** The interval at which a process polls for values that other processes set. */
const setsPollMs = 1_000
/** Set values of a partition that one poll reads. */
const setsReadMax = 1_000
/** Values set by the process itself that it stores until its poll has passed them. */
const setsRememberedMax = 100_000

export type FollowerOptions = {
  readonly store: Pick<LogStore, 'heads' | 'findSets'>
  readonly hints: Hints
  readonly logger: Logger
}

/**
 * Looks in the log for what other processes set, for those of this process who watch a device: soon
 * after a hint of theirs, else once in `setsPollMs`. A single query finds the devices of all
 * that was set, however many wait. It begins with the first watcher; a process in which nobody
 * watches looks at nothing.
 */
export class Follower {
  readonly #options: FollowerOptions
  readonly #watchers = createWatchers()
  /** By partition the last position that was looked at; undefined before the first look. */
  #positions: Map<number, number> | undefined
  /** The entries that this process committed and published itself, beyond these positions. */
  readonly #own = new Set<string>()
  readonly #loop: PollLoop
  #started = false
  #stopListening = () => {}
  #failed = false

  constructor(options: FollowerOptions) {
    this.#options = options
    this.#loop = new PollLoop({
      look: () => this.#lookAtAll(),
      failed: (error) => this.#fail(error),
      pollMs: setsPollMs,
      pauseMs: setsPauseMs,
    })
  }

  watch(connectorId: string, identity: string, listener: Listener): () => void {
    this.#start()
    return this.#watchers.watch(connectorId, identity, listener)
  }

  /** Calls who watches, and hints other processes where it is for them. */
  notify(entry: Entry, { part, seq }: Position): void {
    this.#watchers.notify(entry)
    if (entry.kind !== 'set') return
    this.#options.hints.notify('sets', String(part))
    const reached = this.#positions?.get(part)
    const isAhead = reached !== undefined && seq > reached
    if (isAhead && this.#own.size < setsRememberedMax) this.#own.add(positionKey(part, seq))
  }

  async stop(): Promise<void> {
    this.#stopListening()
    await this.#loop.stop()
  }

  #start(): void {
    if (this.#started || this.#loop.stopped) return
    this.#started = true
    this.#stopListening = this.#options.hints.listen('sets', () => this.#loop.notify())
    this.#loop.run()
  }

  async #lookAtAll(): Promise<void> {
    while (!this.#loop.stopped && (await this.#look()));
  }

  /** @returns whether there is more. */
  async #look(): Promise<boolean> {
    const { store } = this.#options
    if (this.#positions === undefined) {
      this.#positions = await store.heads()
      this.#watchers.movedAny()
      return false
    }
    const sets = await store.findSets(this.#positions, setsReadMax)
    this.#failed = false
    for (const { part, seq, connectorId, identity } of sets) {
      this.#positions.set(part, Math.max(seq, this.#positions.get(part) ?? 0))
      if (!this.#own.delete(positionKey(part, seq))) this.#watchers.moved(connectorId, identity)
    }
    return sets.length >= setsReadMax
  }

  #fail(error: unknown): void {
    const { logger } = this.#options
    if (!this.#failed) logger.warn({ err: error }, 'sets of other processes cannot be looked for')
    this.#failed = true
  }
}

function positionKey(part: number, seq: number): string {
  return `${part}.${seq}`
}
