import type { Database } from '../../foundation/database/index.ts'
import { elapsedMs, type Logger, PollLoop } from '../../foundation/kernel/index.ts'
import {
  endAllLeases,
  giveBackLeases,
  type LeaseRow,
  removeOldWorkers,
  removeWorker,
  renewLeases,
  takeLeases,
} from './store/leases.ts'

/**
 * The time for which a process leases a partition to read it. After a crash others take it when
 * this time is over. All processes of an instance must agree on it.
 */
const partitionLeaseMs = 3_000
/**
 * The interval at which a process renews its leases, and looks for partitions that are free. All
 * processes of an instance must agree on it.
 */
const partitionLeaseRenewMs = 1_000

export type PartitionLeasesOptions = {
  readonly database: Database
  readonly logger: Logger
  /** A name of this process that no other one has. */
  readonly owner: string
  /** Called when partitions are to be read here from now on. */
  readonly gained: (parts: readonly number[]) => void
  /** Called before a partition is given to another process; resolves once nothing of it runs. */
  readonly leaving: (part: number) => Promise<void>
}

type Held = { readonly epoch: number; readonly sinceMs: number }

const usPerMs = 1_000

/**
 * The partitions that this process reads for the consumers of the log. A lease is renewed, with all
 * others of the process, in one statement every `partitionLeaseRenewMs`; each process holds its
 * share, which is the number of partitions over that of the processes.
 * - A process that begins takes what is free. If that is less than its share, those that have more
 *   finish the batches of some partitions and give these back.
 * - One that ends in order gives all back, and notifies the others.
 * - The leases of one that was killed run out after `partitionLeaseMs`.
 * An epoch lasts until another process has had the partition.
 */
export class PartitionLeases {
  readonly #options: PartitionLeasesOptions
  #loop: PollLoop
  readonly #held = new Map<number, Held>()
  /** The leases that are renewed until their batches have ended, and are then given back. */
  readonly #leaving = new Map<number, Promise<void>>()
  /** A renewal that began before is not for a partition that was given back meanwhile. */
  readonly #givenBackMs = new Map<number, number>()
  #running: Promise<void> | undefined
  #stopListening = () => {}

  constructor(options: PartitionLeasesOptions) {
    this.#options = options
    this.#loop = this.#newLoop()
  }

  /** Begins, or goes on after a stop. */
  start(): void {
    if (this.#running !== undefined && !this.#loop.stopped) return
    if (this.#loop.stopped) this.#loop = this.#newLoop()
    const { hints } = this.#options.database
    this.#stopListening = hints.listen('leases', () => this.#loop.notify())
    const recovered = this.#running ?? this.#recover()
    this.#running = recovered.then(() => this.#loop.run())
  }

  /** Returns the epoch of the lease on a partition; undefined if it is not to be read here. */
  epochFor(part: number): number | undefined {
    const held = this.#held.get(part)
    if (held === undefined || this.#leaving.has(part)) return undefined
    return elapsedMs() - held.sinceMs < partitionLeaseMs ? held.epoch : undefined
  }

  #newLoop(): PollLoop {
    const { logger } = this.#options
    return new PollLoop({
      look: () => this.#look(),
      failed: (error) =>
        logger.warn({ err: error }, 'failed to renew the leases of partitions; retrying'),
      pollMs: partitionLeaseRenewMs,
      pauseMs: 0,
    })
  }

  /** Takes no more partitions, and renews none: they are another's when the leases run out. */
  async stop(): Promise<void> {
    this.#stopListening()
    await this.#loop.stop()
    await this.#running
  }

  /** Gives everything back; to be called when nothing is read any more. */
  async close(): Promise<void> {
    if (this.#running === undefined) return
    const { database, owner, logger } = this.#options
    await this.stop()
    await Promise.all(this.#leaving.values())
    this.#held.clear()
    await removeWorker(database, owner).catch((error) => {
      logger.warn({ err: error }, 'failed to give back the leases of partitions; they will expire')
    })
    database.hints.notify('leases', 'free')
  }

  /** The embedded engine has one process: what an earlier one has left is free. */
  async #recover(): Promise<void> {
    const { database, logger } = this.#options
    const work = database.engine === 'embedded' ? endAllLeases : removeOldWorkers
    await work(database).catch((error) => {
      logger.warn({ err: error }, 'failed to free the partitions of an earlier process')
    })
  }

  async #look(): Promise<void> {
    const { database, owner } = this.#options
    const lessee = { owner, forUs: partitionLeaseMs * usPerMs }
    const sinceMs = elapsedMs()
    const rows = await renewLeases(database, lessee)
    this.#renewed(rows, sinceMs)
    const share = Math.ceil(rows.length / (rows[0]?.workers ?? 1))
    const more = share - this.#held.size
    if (more < 0) this.#leave(-more)
    const free = rows.filter((row) => row.epoch === null && row.free).map(({ part }) => part)
    if (more <= 0) return
    const taken = free.length === 0 ? [] : await takeLeases(database, lessee, free.slice(0, more))
    for (const { part, epoch } of taken) this.#held.set(part, { epoch, sinceMs })
    if (taken.length > 0) this.#options.gained(taken.map(({ part }) => part))
    // Another process has more than its share.
    if (this.#held.size < Math.floor(rows.length / (rows[0]?.workers ?? 1))) {
      database.hints.notify('leases', 'wanted')
    }
  }

  #renewed(rows: readonly LeaseRow[], sinceMs: number): void {
    for (const { part, epoch } of rows) {
      const isOld = sinceMs <= (this.#givenBackMs.get(part) ?? 0)
      if (epoch === null || isOld) this.#held.delete(part)
      else this.#held.set(part, { epoch, sinceMs })
    }
  }

  /** Gives back so many partitions, each once its batches have ended. */
  #leave(count: number): void {
    const those = [...this.#held.keys()].filter((part) => !this.#leaving.has(part))
    const wanted = count - this.#leaving.size
    for (const part of wanted > 0 ? those.slice(-wanted) : []) {
      const left = this.#giveBack(part).finally(() => this.#leaving.delete(part))
      this.#leaving.set(part, left)
    }
  }

  async #giveBack(part: number): Promise<void> {
    const { database, owner, logger, leaving } = this.#options
    try {
      await leaving(part)
      await giveBackLeases(database, owner, [part])
      database.hints.notify('leases', 'free')
    } catch (error) {
      logger.warn({ err: error, part }, 'failed to give back the lease of a partition')
    }
    this.#held.delete(part)
    this.#givenBackMs.set(part, elapsedMs())
  }
}
