import type { Database } from '../../foundation/database/index.ts'
import {
  type Clock,
  type Logger,
  newId,
  PollLoop,
  systemRandom,
} from '../../foundation/kernel/index.ts'
import type { Changes } from '../changes/index.ts'
import { Batches } from './batches.ts'
import type { Consumer } from './entry.ts'
import { eventlogLimits } from './limits.ts'
import type { LogStore } from './log-store/log-store.ts'
import { PartitionLeases } from './partition-leases.ts'
import { Reader } from './reader.ts'
import type { RecentEntries } from './recent-entries.ts'

export type EventLogOptions = {
  /** Keeps the cursors and the counts. */
  readonly database: Database
  /** Keeps the entries. */
  readonly store: LogStore
  /** Publishes that a consumer has failed with entries, and that somebody has settled that. */
  readonly changes: Pick<Changes, 'publish'>
  readonly clock: Clock
  readonly logger: Logger
}

export type RunningConsumer = {
  /** Resolves once everything that is in the log now was dealt with. */
  caughtUp(): Promise<void>
  stop(): Promise<void>
}

/** The part of a reader that the log uses, whatever its consumer prepares. */
type Walk = Pick<
  Reader<unknown>,
  'notify' | 'notifyStored' | 'position' | 'reached' | 'seen' | 'settled' | 'stop' | 'stored'
>

type Consuming = {
  readonly leaving: ((part: number) => Promise<void>) | undefined
  /** The walks, each through a partition, in their order. */
  readonly walks: readonly Walk[]
}

/**
 * The consumers of this process and the partitions that they read: those of which the process has
 * the lease. A single statement asks for the last numbers of all partitions.
 */
export class Consumers {
  /** The readers of each consumer by its name, one for each partition. */
  readonly readers = new Map<string, readonly Walk[]>()
  readonly #options: EventLogOptions
  readonly #recent: RecentEntries
  readonly #consuming: Consuming[] = []
  readonly #leases: PartitionLeases
  readonly #loop: PollLoop
  #polling: Promise<void> | undefined

  constructor(options: EventLogOptions, recent: RecentEntries) {
    const { database, logger } = options
    this.#options = options
    this.#recent = recent
    this.#leases = new PartitionLeases({
      database,
      logger,
      owner: newId(systemRandom),
      gained: (parts) => {
        for (const part of parts) for (const walk of this.#walksFor(part)) walk.notifyStored()
      },
      leaving: (part) => this.#leave(part),
    })
    this.#loop = new PollLoop({
      look: () => this.#look(),
      failed: (error) => logger.warn({ err: error }, 'the log could not be looked at; retrying'),
      pollMs: eventlogLimits.consumerPollMs,
    })
  }

  consume<Prepared>(consumer: Consumer<Prepared>): RunningConsumer {
    const { database, store, logger } = this.#options
    const epochFor = (part: number) => this.epochFor(part)
    const batches = new Batches({ ...this.#options, consumer })
    const shared = { consumer, batches, database, store, recent: this.#recent, epochFor, logger }
    const walks = Array.from(
      { length: store.partitionCount },
      (_, part) => new Reader({ part, ...shared }),
    )
    this.readers.set(consumer.name, walks)
    this.#consuming.push({ leaving: consumer.leaving?.bind(consumer), walks })
    this.#leases.start()
    this.#polling ??= this.#loop.run()
    return { caughtUp: () => this.#catchUp(walks), stop: () => this.#stop(walks) }
  }

  /** Returns the epoch of this process's lease; undefined if another one may read the partition. */
  epochFor(part: number): number | undefined {
    return this.#leases.epochFor(part)
  }

  /** Returns whether consumers of this process read a partition. */
  isRead(part: number): boolean {
    return this.readers.size > 0 && this.epochFor(part) !== undefined
  }

  /** Returns the number up to which every consumer of this process has passed a partition. */
  passed(part: number): number {
    return Math.min(...this.#walksFor(part).map(({ position }) => position))
  }

  /** Ends the consumers; other processes can read the partitions at once after `close`. */
  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#polling
    await Promise.all(this.#consuming.map(({ walks }) => stopAll(walks)))
  }

  async close(): Promise<void> {
    await this.#leases.close()
  }

  /** A process that lacks a consumer leaves its partitions to others. */
  async #stop(walks: readonly Walk[]): Promise<void> {
    await this.#leases.stop()
    await stopAll(walks)
  }

  #walksFor(part: number): Walk[] {
    return this.#consuming.flatMap(({ walks }) => walks.slice(part, part + 1))
  }

  async #look(): Promise<void> {
    for (const [part, head] of await this.#options.store.heads()) {
      if (this.isRead(part)) for (const walk of this.#walksFor(part)) walk.seen(head)
    }
  }

  async #leave(part: number): Promise<void> {
    const left = this.#consuming.map(async ({ leaving, walks }) => {
      await walks[part]?.settled()
      await leaving?.(part)
    })
    await Promise.all(left)
    this.#recent.drop(part)
  }

  async #catchUp(walks: readonly Walk[]): Promise<void> {
    const heads = await this.#options.store.heads()
    const reached = walks.map((walk, part) => {
      walk.notify()
      return walk.reached(heads.get(part) ?? 0)
    })
    await Promise.all(reached)
  }
}

async function stopAll(walks: readonly Walk[]): Promise<void> {
  await Promise.all(walks.map((walk) => walk.stop()))
}
