import { connectionLost, lostRace, type Statement, type Writer } from '../database/index.ts'
import { type Clock, Fault, type Logger, limits } from '../kernel/index.ts'
import type { Entry, Position } from './entry.ts'
import { appendStatements } from './store/append.ts'

export type ShardOptions = {
  readonly part: number
  readonly writer: Writer
  readonly clock: Clock
  readonly logger: Logger
  /** Statements that are committed with the entries. */
  readonly effects: (entries: readonly Entry[]) => readonly Statement[]
  /** Told after each commit. */
  readonly committed: (entries: readonly Entry[]) => void
}

/** One partition's way into the log. */
export type Shard = {
  append(entry: Entry): Promise<Position>
  close(): Promise<void>
}

type Waiting = {
  readonly entry: Entry
  readonly bytes: number
  readonly resolve: (position: Position) => void
  readonly reject: (reason: unknown) => void
}

const entryOverheadBytes = 128

/**
 * Group commit without a timer: an entry that finds the shard idle is committed at once; those that
 * come while a transaction is on its way wait, and go together as soon as it is done. There is
 * never more than one transaction of a shard under way, so entries of one device keep their order.
 */
export function createShard(options: ShardOptions): Shard {
  const { part, writer, logger } = options
  let waiting: Waiting[] = []
  let waitingBytes = 0
  let draining: Promise<void> | undefined

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = takeBatch()
      await store(batch)
    }
  }

  function takeBatch(): Waiting[] {
    let bytes = 0
    let count = 0
    for (const one of waiting) {
      if (count > 0 && bytes + one.bytes > limits.flushBytesMax) break
      if (count >= limits.flushMessagesMax) break
      bytes += one.bytes
      count += 1
    }
    const batch = waiting.slice(0, count)
    waiting = waiting.slice(count)
    waitingBytes -= bytes
    return batch
  }

  /** Stores a batch, or its halves where the server refuses it: one bad entry fails alone. */
  async function store(batch: readonly Waiting[]): Promise<void> {
    try {
      const base = await commit(batch.map((one) => one.entry))
      batch.forEach((one, at) => {
        one.resolve({ part, seq: base + at })
      })
      options.committed(batch.map((one) => one.entry))
    } catch (error) {
      if (connectionLost(error) || lostRace(error)) return refuse(batch, error)
      if (batch.length === 1) return refuse(batch, error)
      const middle = batch.length >> 1
      await store(batch.slice(0, middle))
      await store(batch.slice(middle))
    }
  }

  async function commit(entries: readonly Entry[]): Promise<number> {
    const statements = [
      ...appendStatements(part, entries, options.clock.nowUs()),
      ...options.effects(entries),
    ]
    for (let tried = 1; ; tried += 1) {
      try {
        const [numbers] = await writer.commit(statements)
        return Number(numbers?.[0]?.base)
      } catch (error) {
        if (!lostRace(error) || tried >= limits.transactionTriesMax) throw error
      }
    }
  }

  function refuse(batch: readonly Waiting[], error: unknown): void {
    logger.error({ err: error, part, entries: batch.length }, 'entries could not be appended')
    const passing = connectionLost(error) || lostRace(error)
    const fault = passing
      ? new Fault('log_unavailable', undefined, { cause: error, retryAfterS: limits.retryAfterS })
      : new Fault('internal', undefined, { cause: error })
    for (const one of batch) one.reject(fault)
  }

  return {
    append(entry) {
      const bytes = entry.body.length + entry.identity.length + entryOverheadBytes
      const full =
        waiting.length >= limits.pendingMessagesMax || waitingBytes + bytes > limits.pendingBytesMax
      if (full) {
        const retry = { retryAfterS: limits.retryAfterS }
        return Promise.reject(new Fault('overloaded', undefined, retry))
      }
      return new Promise((resolve, reject) => {
        waiting.push({ entry, bytes, resolve, reject })
        waitingBytes += bytes
        draining ??= drain().finally(() => {
          draining = undefined
        })
      })
    },
    async close() {
      await draining
      await writer.close()
    },
  }
}
