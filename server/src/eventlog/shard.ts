import { connectionLost, lostRace, type Statement, type Writer } from '../database/index.ts'
import { type Clock, Fault, type Logger, limits } from '../kernel/index.ts'
import type { Entry, Position } from './entry.ts'
import { byPart, positionsOf } from './part.ts'
import { appendStatement, type EncodedEntry, encodeEntry } from './store/append.ts'

export type ShardOptions = {
  readonly writer: Writer
  readonly clock: Clock
  readonly logger: Logger
  /** Statements that are committed with the entries. */
  readonly effects: (entries: readonly Entry[]) => readonly Statement[]
  /** Called after each commit. */
  readonly committed: (entries: readonly Entry[], positionOf: PositionOf) => void
}

export type PositionOf = (entry: Entry) => Position

type Waiting = EncodedEntry & {
  readonly bytes: number
  readonly resolve: (position: Position) => void
  readonly reject: (reason: unknown) => void
}

const entryOverheadBytes = 128

/**
 * The way into some partitions of the log, which share it because a transaction costs much before
 * its first entry: group commit without a timer. An entry that finds the shard idle is committed at
 * once; those that come while a transaction is on its way wait, and go together as soon as it is
 * done. There is never more than one transaction of a shard under way, so entries of one device
 * keep their order.
 */
export class Shard {
  readonly #options: ShardOptions
  #waiting: Waiting[] = []
  #waitingBytes = 0
  #draining: Promise<void> | undefined

  constructor(options: ShardOptions) {
    this.#options = options
  }

  /** @throws Fault `overloaded`, `log_unavailable`; `internal` for what cannot be stored. */
  append(entry: Entry): Promise<Position> {
    const { body } = encodeEntry(entry)
    const bytes = body.length + entry.identity.length + entryOverheadBytes
    if (this.#isFull(bytes)) {
      const retry = { retryAfterS: limits.retryAfterS }
      return Promise.reject(new Fault('overloaded', undefined, retry))
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, body, bytes, resolve, reject })
      this.#waitingBytes += bytes
      this.#draining ??= this.#drain()
    })
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    await this.#draining
    await this.#options.writer.close()
  }

  #isFull(bytes: number): boolean {
    return (
      this.#waiting.length >= limits.pendingMessagesMax ||
      this.#waitingBytes + bytes > limits.pendingBytesMax
    )
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) await this.#store(this.#takeBatch())
    this.#draining = undefined
  }

  #takeBatch(): Waiting[] {
    let bytes = 0
    let count = 0
    for (const one of this.#waiting) {
      if (count > 0 && bytes + one.bytes > limits.flushBytesMax) break
      if (count >= limits.flushMessagesMax) break
      bytes += one.bytes
      count += 1
    }
    const batch = this.#waiting.slice(0, count)
    this.#waiting = this.#waiting.slice(count)
    this.#waitingBytes -= bytes
    return batch
  }

  /** Stores a batch, or its halves where the server refuses it: one bad entry fails alone. */
  async #store(batch: readonly Waiting[]): Promise<void> {
    let positionOf: PositionOf
    try {
      positionOf = await this.#commit(batch)
      for (const one of batch) one.resolve(positionOf(one.entry))
    } catch (error) {
      if (isPassing(error) || batch.length === 1) return this.#refuse(batch, error)
      const middle = batch.length >> 1
      await this.#store(batch.slice(0, middle))
      return this.#store(batch.slice(middle))
    }
    this.#options.committed(
      batch.map((one) => one.entry),
      positionOf,
    )
  }

  async #commit(batch: readonly EncodedEntry[]): Promise<PositionOf> {
    const { writer, clock, effects } = this.#options
    const parts = byPart(batch)
    const nowUs = clock.nowUs()
    const appends = parts.map(([part, those]) => appendStatement(part, those, nowUs))
    const statements = [...appends, ...effects(batch.map(({ entry }) => entry))]
    for (let tried = 1; ; tried += 1) {
      try {
        return positionsOf(parts, await writer.commit(statements))
      } catch (error) {
        if (!lostRace(error) || tried >= limits.transactionTriesMax) throw error
      }
    }
  }

  #refuse(batch: readonly Waiting[], error: unknown): void {
    const { logger } = this.#options
    logger.error({ err: error, entries: batch.length }, 'entries could not be appended')
    const fault = isPassing(error)
      ? new Fault('log_unavailable', undefined, { cause: error, retryAfterS: limits.retryAfterS })
      : new Fault('internal', undefined, { cause: error })
    for (const one of batch) one.reject(fault)
  }
}

/** Returns true if the entries are not at fault: the same ones may be sent again. */
function isPassing(error: unknown): boolean {
  return connectionLost(error) || lostRace(error)
}
