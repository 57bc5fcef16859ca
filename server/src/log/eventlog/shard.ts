import {
  type Batcher,
  createBatcher,
  elapsedMs,
  Fault,
  type Logger,
  limits,
  measure,
  type Outcome,
} from '../../foundation/kernel/index.ts'
import { type EncodedEntry, encodeEntry } from './encoded-entry.ts'
import { type Entry, entryTrackingId, type Position } from './entry.ts'
import type { LogWriter } from './log-store/log-store.ts'

export type ShardOptions = {
  readonly writer: LogWriter
  /** The number of partitions of the log. */
  readonly partitions: number
  readonly logger: Logger
  /** Called after each append, with the position of each entry. */
  readonly committed: (entries: readonly EncodedEntry[], positions: readonly Position[]) => void
}

type Sized = EncodedEntry & { readonly bytes: number }

const entryOverheadBytes = 128

/**
 * The way into some partitions of the log, which share it because an append costs much before its
 * first entry: group commit without a timer. There is never more than one append of a shard under
 * way, so entries of one device keep their order.
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
    const { body, part } = encodeEntry(entry, this.#options.partitions)
    const bytes = body.length + entry.identity.length + entryOverheadBytes
    return this.#batcher.add({ entry, part, body, bytes })
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    await this.#batcher.idle()
  }

  /** Stores a batch, or its halves where the store refuses it: one bad entry fails alone. */
  async #store(batch: readonly EncodedEntry[]): Promise<Outcome<Position>[]> {
    let positions: readonly Position[]
    const beganMs = elapsedMs()
    try {
      positions = await this.#options.writer.append(batch)
    } catch (error) {
      if (isPassing(error) || batch.length === 1) return this.#refuse(batch, error)
      const middle = batch.length >> 1
      const first = await this.#store(batch.slice(0, middle))
      return [...first, ...(await this.#store(batch.slice(middle)))]
    }
    const ms = elapsedMs() - beganMs
    measure('commit', () => {
      const kinds = batch.map(({ entry }) => entry.kind)
      return { kinds, trackingIds: () => positions.map(entryTrackingId), ms }
    })
    this.#options.committed(batch, positions)
    return positions.map((value) => ({ value }))
  }

  #refuse(batch: readonly EncodedEntry[], error: unknown): Outcome<Position>[] {
    const { logger } = this.#options
    logger.error({ err: error, entries: batch.length }, 'entries could not be appended')
    const fault = isPassing(error) ? error : new Fault('internal', undefined, { cause: error })
    return batch.map(() => ({ error: fault }))
  }
}

/** Returns true if the entries are not at fault: the same ones may be sent again. */
function isPassing(error: unknown): boolean {
  return error instanceof Fault && error.code === 'log_unavailable'
}
