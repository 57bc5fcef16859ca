import { setTimeout as pause } from 'node:timers/promises'
import { connectionLost, type Database } from '../database/index.ts'
import { type Clock, faultOf, type Logger, limits } from '../kernel/index.ts'
import type { Consumer, Failure, LoggedEntry } from './entry.ts'
import { countStage } from './store/append.ts'
import { moveCursor, readCursor, readEntries, recordFailures } from './store/consume.ts'

export type ReaderOptions<Prepared> = {
  readonly part: number
  readonly consumer: Consumer<Prepared>
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
}

/** One consumer's walk through one partition. */
export type Reader = {
  /** There may be something new. */
  wake(): void
  /** Resolves once the place is at `seq` or beyond. */
  reached(seq: number): Promise<void>
  stop(): Promise<void>
}

/**
 * How a batch ends, and who acts next:
 * - `apply` and the cursor were committed: the reader goes on behind the batch.
 * - the database was away: the reader tries the same batch again, for ever, ever more slowly.
 * - another process moved the cursor: the reader takes the place from the table and goes on there.
 * - `prepare` or `apply` threw: the batch is halved until the entry that throws is alone; alone it
 *   is tried `consumerTriesMax` times, then set down as failed, and the reader passes it. An
 *   operator finds it in `eventlog_failure`.
 */
export function startReader<Prepared>(options: ReaderOptions<Prepared>): Reader {
  const { part, consumer, database, clock, logger } = options
  const batchMax = consumer.batchMax ?? limits.consumerBatchMax
  const stopped = new AbortController()
  let position: number | undefined
  let size = batchMax
  let failuresInRow = 0
  let wakeUp = () => {}
  let dirty = false
  const reaching = new Set<{ seq: number; resolve: () => void }>()

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      dirty = false
      const moved = await step().catch(fail)
      if (!moved && !stopped.signal.aborted) await idle()
    }
  }

  /** One batch. @returns whether there was one. */
  async function step(): Promise<boolean> {
    position ??= await readCursor(database, consumer.name, part)
    announce()
    const entries = await readEntries(database, part, position, size)
    const last = entries.at(-1)
    if (last === undefined) return false
    const done = await handle(entries, position, last.seq)
    position = done ? last.seq : undefined
    if (done) grow()
    return true
  }

  async function handle(entries: readonly LoggedEntry[], from: number, to: number) {
    const prepared = await consumer.prepare(entries)
    return database.transaction(async (transaction) => {
      if (!(await moveCursor(transaction, consumer.name, part, from, to))) return false
      const failures = await consumer.apply(transaction, prepared, entries)
      await settle(transaction, entries, failures)
      return true
    })
  }

  async function settle(
    transaction: Parameters<typeof countStage>[0],
    entries: readonly LoggedEntry[],
    failures: readonly Failure[],
  ): Promise<void> {
    const nowUs = clock.nowUs()
    await recordFailures(transaction, consumer.name, nowUs, failures)
    await countStage(transaction, consumer.name, part, nowUs, {
      taken: entries.length,
      done: entries.length - failures.length,
      failed: failures.length,
    })
  }

  function grow(): void {
    failuresInRow = 0
    size = Math.min(batchMax, size * 2)
    announce()
  }

  async function fail(error: unknown): Promise<boolean> {
    if (stopped.signal.aborted) return false
    failuresInRow += 1
    logger.warn({ err: error, consumer: consumer.name, part, position, size }, 'a batch failed')
    if (connectionLost(error)) position = undefined
    else if (size > 1) size = Math.max(1, size >> 1)
    else if (failuresInRow >= limits.consumerTriesMax) await passOver(error).catch(() => {})
    const waitMs = Math.min(limits.consumerRetryMsMax, 10 * 2 ** Math.min(failuresInRow, 10))
    await pause(waitMs, undefined, { signal: stopped.signal }).catch(() => {})
    return true
  }

  /** Sets down the one entry that cannot be dealt with, and passes it. */
  async function passOver(error: unknown): Promise<void> {
    if (position === undefined) return
    const from = position
    const entries = await readEntries(database, part, from, 1)
    const entry = entries[0]
    if (entry === undefined) return
    const reason = faultOf(error).code === 'internal' ? String(error) : faultOf(error).detail
    const moved = await database.transaction(async (transaction) => {
      if (!(await moveCursor(transaction, consumer.name, part, from, entry.seq))) return false
      await settle(transaction, entries, [{ entry, reason }])
      return true
    })
    position = moved ? entry.seq : undefined
    if (moved) grow()
  }

  async function idle(): Promise<void> {
    if (dirty) return
    const { promise, resolve } = Promise.withResolvers<void>()
    wakeUp = resolve
    const timer = setTimeout(resolve, limits.consumerPollMs)
    await promise
    clearTimeout(timer)
    wakeUp = () => {}
  }

  function announce(): void {
    for (const one of reaching) {
      if (position === undefined || position < one.seq) continue
      reaching.delete(one)
      one.resolve()
    }
  }

  const running = run()
  return {
    wake() {
      dirty = true
      wakeUp()
    },
    reached(seq) {
      return new Promise((resolve) => {
        reaching.add({ seq, resolve })
        announce()
      })
    },
    async stop() {
      stopped.abort()
      wakeUp()
      await running
    },
  }
}
