import { connectionLost, lostRace, type Statement, type Writer } from '../database/index.ts'
import {
  type Batcher,
  type Clock,
  createBatcher,
  Fault,
  type Logger,
  limits,
  type Outcome,
} from '../kernel/index.ts'
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

type Sized = EncodedEntry & { readonly bytes: number }

const entryOverheadBytes = 128

/**
 * The way into some partitions of the log, which share it because a transaction costs much before
 * its first entry: group commit without a timer. There is never more than one transaction of a
 * shard under way, so entries of one device keep their order.
 */
export class Shard {
  readonly #options: ShardOptions
  readonly #batcher: Batcher<Sized, Position>

  constructor(options: ShardOptions) {
    this.#options = options
    this.#batcher = createBatcher({
      batchMax: limits.flushMessagesMax,
      waitingMax: limits.pendingMessagesMax,
      sizes: {
        of: ({ bytes }) => bytes,
        batchMax: limits.flushBytesMax,
        waitingMax: limits.pendingBytesMax,
      },
      run: (batch) => this.#store(batch),
    })
  }

  /** @throws Fault `overloaded`, `log_unavailable`; `internal` for what cannot be stored. */
  append(entry: Entry): Promise<Position> {
    const { body } = encodeEntry(entry)
    const bytes = body.length + entry.identity.length + entryOverheadBytes
    return this.#batcher.add({ entry, body, bytes })
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    await this.#batcher.idle()
    await this.#options.writer.close()
  }

  /** Stores a batch, or its halves where the server refuses it: one bad entry fails alone. */
  async #store(batch: readonly EncodedEntry[]): Promise<Outcome<Position>[]> {
    let positionOf: PositionOf
    try {
      positionOf = await this.#commit(batch)
    } catch (error) {
      if (isPassing(error) || batch.length === 1) return this.#refuse(batch, error)
      const middle = batch.length >> 1
      const first = await this.#store(batch.slice(0, middle))
      return [...first, ...(await this.#store(batch.slice(middle)))]
    }
    const entries = batch.map(({ entry }) => entry)
    this.#options.committed(entries, positionOf)
    return entries.map((entry) => ({ value: positionOf(entry) }))
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

  #refuse(batch: readonly EncodedEntry[], error: unknown): Outcome<Position>[] {
    const { logger } = this.#options
    logger.error({ err: error, entries: batch.length }, 'entries could not be appended')
    const fault = isPassing(error)
      ? new Fault('log_unavailable', undefined, { cause: error, retryAfterS: limits.retryAfterS })
      : new Fault('internal', undefined, { cause: error })
    return batch.map(() => ({ error: fault }))
  }
}

/** Returns true if the entries are not at fault: the same ones may be sent again. */
function isPassing(error: unknown): boolean {
  return connectionLost(error) || lostRace(error)
}
