import { connectionLost, type Database, type Transaction } from '../../foundation/database/index.ts'
import {
  elapsedMs,
  type Logger,
  limits,
  measure,
  PollLoop,
  pauseUnlessAborted,
  toFault,
} from '../../foundation/kernel/index.ts'
import type { Batches, BatchOutcome, PartOfBatch } from './batches.ts'
import { type Consumer, entryTrackingId, type Failure, type LoggedEntry } from './entry.ts'
import { eventlogLimits } from './limits.ts'
import type { LogStore } from './log-store/log-store.ts'
import type { RecentEntries } from './recent-entries.ts'
import { readCursor } from './store/cursors.ts'

/** The time after which a consumer stores its place behind batches that had no effects. */
const consumerPlaceMs = 500

const retryFirstMs = 10
/** No write waits for it: new entries notify the reader. */
const idlePollMs = 10_000

export type ReaderOptions<Prepared> = {
  readonly part: number
  readonly consumer: Consumer<Prepared>
  /** The batches of all readers of the consumer. */
  readonly batches: Batches<Prepared>
  readonly database: Database
  readonly store: Pick<LogStore, 'read'>
  readonly recent: Pick<RecentEntries, 'after' | 'endsAt'>
  /** Returns the epoch of the lease on the partition; undefined if another process may read it. */
  readonly epochFor: (part: number) => number | undefined
  readonly logger: Logger
}

/** The outcome of one step: `not mine`: another process reads the partition. */
type Step = 'moved' | 'nothing' | 'not mine'

type Reaching = { readonly seq: number; readonly resolve: () => void }

/**
 * A consumer's walk through a partition. The end of a batch, and who acts next:
 * - `apply` and the cursor were committed: the reader goes on behind the batch.
 * - the batch has no effects: the reader goes on, and stores its place with the next batch that has
 *   some, at the latest after `consumerPlaceMs`. A process that takes over reads it again.
 * - the database was away: the reader tries the same batch again, for ever, ever more slowly.
 * - another process moved the cursor: the reader takes the place from the table and goes on there.
 * - another process has the partition: the reader rests until this one has it again, and then goes
 *   on from the place in the table.
 * - `prepare` or `apply` threw: the batch is halved until the entry that throws is alone; alone it
 *   is tried `consumerTriesMax` times, then set down as failed, and the reader passes it. An
 *   operator finds it in `eventlog_failure`.
 */
export class Reader<Prepared> {
  readonly #options: ReaderOptions<Prepared>
  readonly #batchMax: number
  readonly #stopped = new AbortController()
  readonly #loop: PollLoop
  #reaching: Reaching[] = []
  /** The last number that was dealt with; undefined until it was read from the table. */
  #position: number | undefined
  /** The place in the table, which may be behind by batches without effects. */
  #stored = 0
  /** The time since which it is behind. */
  #behindSinceMs: number | undefined
  /** The last number of the partition, as far as this process knows. */
  #head = Number.POSITIVE_INFINITY
  #notices = 0
  #epoch: number | undefined
  #stepping: Promise<Step> = Promise.resolve('nothing')
  #size: number
  #failuresInRow = 0
  /** True if the last batch was as large as it may be, so that more entries are there. */
  #full = false

  constructor(options: ReaderOptions<Prepared>) {
    this.#options = options
    this.#batchMax = options.consumer.batchMax ?? limits.consumerBatchMax
    this.#size = this.#batchMax
    this.#loop = new PollLoop({
      look: () => this.#readAll(),
      failed: (error) => this.#warn(error, 'reading the log failed; retrying'),
      pollMs: idlePollMs,
      pauseMs: 0,
    })
    void this.#loop.run()
  }

  /** There may be something new. */
  notify(): void {
    this.#loop.notify()
  }

  /** There may be something new that another process appended. */
  notifyStored(): void {
    this.#head = Number.POSITIVE_INFINITY
    this.#notices += 1
    this.#loop.notify()
  }

  /** The partition has entries up to this number. */
  seen(head: number): void {
    if (head <= this.position) return
    if (this.#head < head) this.#head = head
    this.#notices += 1
    this.#loop.notify()
  }

  /** Resolves once no batch is under way. */
  async settled(): Promise<void> {
    await this.#stepping
  }

  /** Resolves once the place in the table is at `seq` or beyond. */
  reached(seq: number): Promise<void> {
    return new Promise((resolve) => {
      this.#reaching.push({ seq, resolve })
      this.#announce()
    })
  }

  /** The number up to which all was dealt with. */
  get position(): number {
    return this.#position ?? this.#stored
  }

  /** The place in the table, as far as this process knows. */
  get stored(): number {
    return this.#stored
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#loop.stop()
    if (this.#failuresInRow > 0) return
    await this.#storePlace().catch((error) => this.#warn(error, 'a place could not be stored'))
  }

  /** Reads batch after batch until nothing is left. */
  async #readAll(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      this.#stepping = this.#step().catch((error) => this.#fail(error))
      const step = await this.#stepping
      const ends = step === 'nothing' || (step === 'not mine' && this.#reaching.length === 0)
      if (this.#stopped.signal.aborted || ends) return
      if (step === 'not mine') await this.#pause(eventlogLimits.consumerPollMs)
      else if (!this.#full) await this.#gather()
    }
  }

  /** Handles a batch. */
  async #step(): Promise<Step> {
    const { consumer } = this.#options
    if (!(await this.#isMine())) return 'not mine'
    const from = this.#position ?? (await this.#readPlace())
    const size = Math.min(this.#size, consumer.batchMost?.() ?? this.#size)
    const entries = await this.#read(from, size)
    this.#full = entries.length >= size
    if (entries.length === 0) return this.#rest()
    const beganMs = elapsedMs()
    const own = this.#toPart(entries)
    const outcome = await this.#run(own)
    if (outcome === 'empty') await this.#skip(entries)
    else {
      this.#passed(outcome, own.to)
      if (outcome === 'moved') this.#succeed()
    }
    if (outcome !== 'taken') {
      measure('batch', () => {
        const ms = elapsedMs() - beganMs
        return { consumer: consumer.name, trackingIds: () => entries.map(entryTrackingId), ms }
      })
    }
    return 'moved'
  }

  /** A part that failed runs by itself, so that it does not hold up others. */
  async #run(own: PartOfBatch): Promise<BatchOutcome> {
    const { batches } = this.#options
    const outcome = this.#failuresInRow > 0 ? 'apart' : await batches.join(own)
    return outcome === 'apart' ? batches.run([own]) : outcome
  }

  /** If another process has, or had, the partition, the place in the table is that of both. */
  async #isMine(): Promise<boolean> {
    const { consumer, part, epochFor } = this.#options
    const epoch = epochFor(part)
    if (epoch === undefined) {
      this.#epoch = undefined
      if (this.#reaching.length > 0) await this.#readPlace()
      return false
    }
    if (epoch === this.#epoch) return true
    await consumer.acquired?.(part)
    this.#moveTo(undefined)
    this.#head = Number.POSITIVE_INFINITY
    this.#epoch = epoch
    return true
  }

  async #readPlace(): Promise<number> {
    const { database, consumer, part } = this.#options
    const place = await readCursor(database, consumer.name, part)
    this.#behindSinceMs = undefined
    this.#moveTo(place)
    return place
  }

  /**
   * The entries of this process are in memory; those of others are read once they are announced.
   */
  async #read(from: number, count: number): Promise<readonly LoggedEntry[]> {
    const { store, recent, part } = this.#options
    const entries = recent.after(part, from, count)
    if (entries.length > 0) return entries
    const isKnown = recent.endsAt(part, from) && from >= this.#head
    if (this.#reaching.length === 0 && isKnown) return []
    const notices = this.#notices
    const read = await store.read(part, from, count)
    // Entries that were notified meanwhile may be missing.
    if (read.length < count && this.#notices === notices) this.#head = read.at(-1)?.seq ?? from
    return read
  }

  /** Goes on behind a batch that has no effects. */
  async #skip(entries: readonly LoggedEntry[]): Promise<void> {
    if (this.#behindSinceMs === undefined) {
      this.#behindSinceMs = elapsedMs()
      setTimeout(() => this.#loop.notify(), consumerPlaceMs).unref()
    }
    this.#position = entries.at(-1)?.seq
    await this.#storePlace()
    this.#succeed()
  }

  async #rest(): Promise<Step> {
    await this.#storePlace()
    return 'nothing'
  }

  /** Stores a place that is behind, if that is due or somebody waits for it. */
  async #storePlace(): Promise<void> {
    const since = this.#behindSinceMs
    if (since === undefined) return
    const isDue = elapsedMs() - since >= consumerPlaceMs || this.#reaching.length > 0
    if (isDue || this.#stopped.signal.aborted) await this.#pass([], async () => [])
  }

  /** Moves the cursor behind the entries, with their effects and their counts. */
  async #pass(
    entries: readonly LoggedEntry[],
    effect: (transaction: Transaction) => Promise<readonly Failure[]>,
  ): Promise<boolean> {
    const own = this.#toPart(entries)
    const outcome = await this.#options.batches.move([own], effect)
    this.#passed(outcome, own.to)
    return outcome === 'moved'
  }

  #toPart(entries: readonly LoggedEntry[]): PartOfBatch {
    const from = this.#stored
    const to = entries.at(-1)?.seq ?? this.#position ?? from
    return { part: this.#options.part, from, to, entries }
  }

  #passed(outcome: 'moved' | 'taken', to: number): void {
    this.#behindSinceMs = undefined
    this.#moveTo(outcome === 'moved' ? to : undefined)
  }

  #succeed(): void {
    this.#failuresInRow = 0
    this.#size = Math.min(this.#batchMax, this.#size * 2)
  }

  async #fail(error: unknown): Promise<Step> {
    if (this.#stopped.signal.aborted) return 'nothing'
    this.#failuresInRow += 1
    this.#warn(error, 'a batch failed')
    if (connectionLost(error)) this.#moveTo(undefined)
    else if (this.#size > 1) this.#size = Math.max(1, this.#size >> 1)
    else if (this.#failuresInRow >= eventlogLimits.consumerTriesMax) await this.#setDown(error)
    const waitMs = Math.min(limits.consumerRetryMsMax, retryFirstMs * 2 ** this.#failuresInRow)
    await this.#pause(waitMs)
    return 'moved'
  }

  /** Sets down the one entry that cannot be dealt with, and passes it. */
  async #setDown(reason: unknown): Promise<void> {
    const { store, part } = this.#options
    const from = this.#position
    if (from === undefined) return
    try {
      const entries = await store.read(part, from, 1)
      const failures = entries.map((entry) => ({ entry, reason: formatReason(reason) }))
      if (entries.length > 0 && (await this.#pass(entries, async () => failures))) {
        this.#succeed()
      }
    } catch (error) {
      this.#warn(error, 'a failure could not be set down yet')
    }
  }

  /** A batch costs about the same whatever is in it: lets a few more entries come in first. */
  async #gather(): Promise<void> {
    if (this.#reaching.length > 0) return
    await this.#pause(limits.consumerGatherMs)
  }

  /** Ended early by a stop alone. */
  async #pause(ms: number): Promise<void> {
    await pauseUnlessAborted(ms, this.#stopped.signal)
  }

  /** Takes over the place in the table; undefined if it is to be read again. */
  #moveTo(place: number | undefined): void {
    this.#position = place
    if (place === undefined) return
    this.#stored = place
    this.#announce()
  }

  #announce(): void {
    if (this.#reaching.length === 0) return
    const there = this.#reaching.filter(({ seq }) => seq <= this.#stored)
    this.#reaching = this.#reaching.filter(({ seq }) => seq > this.#stored)
    for (const { resolve } of there) resolve()
  }

  #warn(error: unknown, text: string): void {
    const { logger, consumer, part } = this.#options
    const where = { consumer: consumer.name, part, position: this.#position, size: this.#size }
    logger.warn({ err: error, ...where }, text)
  }
}

/** Returns the text for operators: the sentence of a fault, or the details of any other error. */
function formatReason(error: unknown): string {
  const fault = toFault(error)
  return fault.code === 'internal' ? String(error) : fault.detail
}
