import {
  connectionLost,
  type Database,
  type Statement,
  type Transaction,
} from '../../foundation/database/index.ts'
import { type Clock, type Logger, limits } from '../../foundation/kernel/index.ts'
import type { Changes } from '../changes/index.ts'
import type { Consumer, Failure, LoggedEntry } from './entry.ts'
import { countPartsStatement } from './store/counts.ts'
import { failureStatements, moveCursors } from './store/cursors.ts'

export type BatchesOptions<Prepared> = {
  readonly consumer: Consumer<Prepared>
  readonly database: Pick<Database, 'transaction'>
  readonly clock: Clock
  readonly logger: Logger
  readonly changes: Pick<Changes, 'publish'>
}

/** The part of a batch in one partition. */
export type PartOfBatch = {
  readonly part: number
  /** The place in the table, and the place behind the entries. */
  readonly from: number
  readonly to: number
  readonly entries: readonly LoggedEntry[]
}

/**
 * - `moved`: the effects and the place were committed.
 * - `empty`: there are no effects; the place is as it was.
 * - `taken`: another process had moved the cursor; nothing was applied.
 */
export type BatchOutcome = 'moved' | 'empty' | 'taken'

/** `apart`: the batch of several partitions failed as a whole; each is to be run by itself. */
export type JoinedOutcome = BatchOutcome | 'apart'

type Waiting = PromiseWithResolvers<JoinedOutcome> & { readonly own: PartOfBatch }

class CursorTaken extends Error {}

/**
 * Runs the batches of one consumer. A batch costs about the same whatever is in it, so those of
 * several partitions go together if the consumer allows it: a few batches run at once, and what
 * comes meanwhile is the next one. Each partition has its own place and its own counts in it.
 */
export class Batches<Prepared> {
  readonly #options: BatchesOptions<Prepared>
  #waiting: readonly Waiting[] = []
  #running = 0
  #isScheduled = false

  constructor(options: BatchesOptions<Prepared>) {
    this.#options = options
  }

  /** Runs entries of a partition, with those of others if the consumer allows it. */
  join(own: PartOfBatch): Promise<JoinedOutcome> {
    if (!this.#options.consumer.acrossPartitions) return this.run([own])
    const waiting = { own, ...Promise.withResolvers<JoinedOutcome>() }
    this.#waiting = [...this.#waiting, waiting]
    this.#schedule()
    return waiting.promise
  }

  /** Runs these as one batch, at once. */
  async run(parts: readonly PartOfBatch[]): Promise<BatchOutcome> {
    const { consumer } = this.#options
    const entries = parts.flatMap((part) => part.entries)
    const prepared = await consumer.prepare(entries)
    if (consumer.isEmpty?.(prepared)) {
      consumer.committed?.(prepared)
      return 'empty'
    }
    const outcome = await this.move(parts, (transaction) =>
      consumer.apply(transaction, prepared, entries),
    ).catch((error) => {
      consumer.failed?.(prepared)
      throw error
    })
    if (outcome === 'moved') consumer.committed?.(prepared)
    else consumer.dropped?.(prepared)
    return outcome
  }

  /** Moves the cursors behind the entries, with their effects and their counts. */
  async move(
    parts: readonly PartOfBatch[],
    effect: (transaction: Transaction) => Promise<readonly Failure[]>,
  ): Promise<'moved' | 'taken'> {
    const { database, consumer } = this.#options
    try {
      await database.transaction(async (transaction) => {
        const moved = await moveCursors(transaction, consumer.name, parts)
        if (moved < parts.length) throw new CursorTaken()
        const failures = await effect(transaction)
        this.#publish(transaction, failures)
        await transaction.finish(this.#finalStatements(parts, failures))
      })
      return 'moved'
    } catch (error) {
      if (error instanceof CursorTaken) return 'taken'
      throw error
    }
  }

  #publish(transaction: Transaction, failures: readonly Failure[]): void {
    for (const id of new Set(failures.map(({ entry }) => entry.businessId))) {
      this.#options.changes.publish(transaction, id, 'failures')
    }
  }

  /** The counts come last: others who count in the same partition wait until the commit. */
  #finalStatements(parts: readonly PartOfBatch[], failures: readonly Failure[]): Statement[] {
    const { consumer, clock } = this.#options
    const nowUs = clock.nowUs()
    const counts = parts.map(({ part, from, to }) => {
      const failed = failures.filter(({ entry }) => entry.part === part).length
      return { part, taken: to - from, done: to - from - failed, failed }
    })
    return [
      ...failureStatements(consumer.name, nowUs, failures),
      countPartsStatement(consumer.name, nowUs, counts),
    ]
  }

  /** Partitions that are read in the same turn of the event loop are in the same batch. */
  #schedule(): void {
    const mayRun = this.#running < limits.consumerBatchesMax && this.#waiting.length > 0
    if (this.#isScheduled || !mayRun) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      void this.#runNext()
    })
  }

  async #runNext(): Promise<void> {
    const batch = this.#takeNext()
    this.#running += 1
    this.#schedule()
    try {
      const outcome = await this.run(batch.map(({ own }) => own))
      const isApart = outcome === 'taken' && batch.length > 1
      for (const { resolve } of batch) resolve(isApart ? 'apart' : outcome)
    } catch (error) {
      const isOne = batch.length === 1 || connectionLost(error)
      if (!isOne) this.#warn(error, batch.length)
      for (const { resolve, reject } of batch) {
        if (isOne) reject(error)
        else resolve('apart')
      }
    } finally {
      this.#running -= 1
      this.#schedule()
    }
  }

  /** As many of those that wait as fit in one batch, in their order. */
  #takeNext(): readonly Waiting[] {
    const { consumer } = this.#options
    const batchMax = consumer.batchMax ?? limits.consumerBatchMax
    let left = Math.min(batchMax, consumer.batchMost?.() ?? batchMax)
    const past = this.#waiting.findIndex(({ own }, at) => {
      left -= own.entries.length
      return left < 0 && at > 0
    })
    const count = past < 0 ? this.#waiting.length : past
    const taken = this.#waiting.slice(0, count)
    this.#waiting = this.#waiting.slice(count)
    return taken
  }

  #warn(error: unknown, partitions: number): void {
    const { logger, consumer } = this.#options
    const where = { consumer: consumer.name, partitions }
    logger.warn({ err: error, ...where }, 'a batch of several partitions failed; each is run alone')
  }
}
