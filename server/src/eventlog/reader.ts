import { setTimeout as pause } from 'node:timers/promises'
import { connectionLost, type Database, type Transaction } from '../database/index.ts'
import { type Clock, faultOf, type Logger, limits, PollLoop } from '../kernel/index.ts'
import type { Consumer, Failure, LoggedEntry } from './entry.ts'
import { countStage } from './store/append.ts'
import { moveCursor, readCursor, readEntries, recordFailures } from './store/consume.ts'

const retryFirstMs = 10

export type ReaderOptions<Prepared> = {
  readonly part: number
  readonly consumer: Consumer<Prepared>
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
}

/** The outcome of one step: `not mine`: there are entries, and another process reads them. */
type Step = 'moved' | 'nothing' | 'not mine'

type Reaching = { readonly seq: number; readonly resolve: () => void }

/**
 * One consumer's walk through one partition. How a batch ends, and who acts next:
 * - `apply` and the cursor were committed: the reader goes on behind the batch.
 * - the database was away: the reader tries the same batch again, for ever, ever more slowly.
 * - another process moved the cursor: the reader takes the place from the table and goes on there.
 * - where a consumer takes turns and another process has it, the reader asks again after a pause:
 *   what is committed meanwhile is the other's to read.
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
  /** Undefined until it was read from the table. */
  #position: number | undefined
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
      pollMs: limits.consumerPollMs,
      pauseMs: 0,
    })
    void this.#loop.run()
  }

  /** There may be something new. */
  notify(): void {
    this.#loop.notify()
  }

  /** Resolves once the place is at `seq` or beyond. */
  reached(seq: number): Promise<void> {
    return new Promise((resolve) => {
      this.#reaching.push({ seq, resolve })
      this.#announce()
    })
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#loop.stop()
  }

  /** Reads batch after batch until nothing is left. */
  async #readAll(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      const step = await this.#step().catch((error) => this.#fail(error))
      if (this.#stopped.signal.aborted || step === 'nothing') return
      if (step === 'not mine') await this.#pause(limits.consumerPollMs)
      else if (!this.#full) await this.#gather()
    }
  }

  /** One batch. */
  async #step(): Promise<Step> {
    const { database, consumer, part } = this.#options
    const from = this.#position ?? (await readCursor(database, consumer.name, part))
    this.#moveTo(from)
    const entries = await readEntries(database, part, from, this.#size)
    this.#full = entries.length >= this.#size
    if (entries.length === 0) return 'nothing'
    const turn = (await consumer.turn?.(part)) ?? 'mine'
    if (turn !== 'mine') return this.#readAgain(turn)
    const prepared = await consumer.prepare(entries)
    const moved = await this.#pass(from, entries, (transaction) =>
      consumer.apply(transaction, prepared, entries),
    )
    if (moved) {
      consumer.committed?.(prepared)
      this.#succeed()
    }
    return 'moved'
  }

  /** The place may have been moved by another process: it is taken from the table again. */
  #readAgain(turn: 'again' | 'others'): Step {
    this.#moveTo(undefined)
    this.#full = true
    return turn === 'again' ? 'moved' : 'not mine'
  }

  /** Moves the cursor behind the entries, with their effects and their counts. */
  async #pass(
    from: number,
    entries: readonly LoggedEntry[],
    effect: (transaction: Transaction) => Promise<readonly Failure[]>,
  ): Promise<boolean> {
    const { database, consumer, part } = this.#options
    const to = entries.at(-1)?.seq ?? from
    const moved = await database.transaction(async (transaction) => {
      if (!(await moveCursor(transaction, consumer.name, part, from, to))) return false
      await this.#count(transaction, entries, await effect(transaction))
      return true
    })
    this.#moveTo(moved ? to : undefined)
    return moved
  }

  async #count(
    transaction: Transaction,
    entries: readonly LoggedEntry[],
    failures: readonly Failure[],
  ): Promise<void> {
    const { consumer, part, clock } = this.#options
    const nowUs = clock.nowUs()
    await recordFailures(transaction, consumer.name, nowUs, failures)
    await countStage(transaction, consumer.name, part, nowUs, {
      taken: entries.length,
      done: entries.length - failures.length,
      failed: failures.length,
    })
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
    else if (this.#failuresInRow >= limits.consumerTriesMax) await this.#setDown(error)
    const waitMs = Math.min(limits.consumerRetryMsMax, retryFirstMs * 2 ** this.#failuresInRow)
    await this.#pause(waitMs)
    return 'moved'
  }

  /** Sets down the one entry that cannot be dealt with, and passes it. */
  async #setDown(reason: unknown): Promise<void> {
    const { database, part } = this.#options
    const from = this.#position
    if (from === undefined) return
    try {
      const entries = await readEntries(database, part, from, 1)
      const failures = entries.map((entry) => ({ entry, reason: reasonOf(reason) }))
      if (entries.length > 0 && (await this.#pass(from, entries, async () => failures))) {
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
    await pause(ms, undefined, { signal: this.#stopped.signal }).catch(() => {})
  }

  #moveTo(position: number | undefined): void {
    this.#position = position
    this.#announce()
  }

  #announce(): void {
    const position = this.#position
    if (position === undefined || this.#reaching.length === 0) return
    const there = this.#reaching.filter(({ seq }) => seq <= position)
    this.#reaching = this.#reaching.filter(({ seq }) => seq > position)
    for (const { resolve } of there) resolve()
  }

  #warn(error: unknown, text: string): void {
    const { logger, consumer, part } = this.#options
    const where = { consumer: consumer.name, part, position: this.#position, size: this.#size }
    logger.warn({ err: error, ...where }, text)
  }
}

/** Returns the text for operators: the sentence of a fault, or the details of any other error. */
function reasonOf(error: unknown): string {
  const fault = faultOf(error)
  return fault.code === 'internal' ? String(error) : fault.detail
}
