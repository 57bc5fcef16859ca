import { Fault } from '../errors.ts'
import { limits } from '../limits.ts'
import { detached } from './delayed-flush.ts'

/** The outcome of one item of a batch. */
export type Outcome<Result> = { readonly value: Result } | { readonly error: unknown }

export type Batcher<Item, Result> = {
  /** @throws Fault overloaded if too much waits already; the error of the item. */
  add(item: Item): Promise<Result>
  /** Resolves once nothing waits or runs. */
  idle(): Promise<void>
}

export type BatcherOptions<Item, Result> = {
  readonly batchMax: number
  readonly waitingMax: number
  /** Bounds in a size of items, beside those of their number. */
  readonly sizes?: BatchSizes<Item>
  /** Returns an outcome for each item, in their order; if it throws, all of them fail. */
  run(items: readonly Item[]): Promise<readonly Outcome<Result>[]>
}

export type BatchSizes<Item> = {
  of(item: Item): number
  /** The size of a batch; a larger item is a batch by itself. */
  readonly batchMax: number
  readonly waitingMax: number
}

type Waiting<Item, Result> = {
  readonly item: Item
  readonly size: number
  readonly resolve: (value: Result) => void
  readonly reject: (error: unknown) => void
}

/** Creates a batcher of items. Batches grow with the load. */
export function createBatcher<Item, Result>(
  options: BatcherOptions<Item, Result>,
): Batcher<Item, Result> {
  return new BatchQueue(options)
}

/**
 * Runs items that arrive together in one batch: one batch at a time, and items that arrive while it
 * runs are the next one.
 */
class BatchQueue<Item, Result> implements Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>
  #waiting: Waiting<Item, Result>[] = []
  #waitingSize = 0
  #running: Promise<void> | undefined

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options
  }

  add(item: Item): Promise<Result> {
    const size = this.#options.sizes?.of(item) ?? 0
    if (this.#isFull(size)) {
      const retry = { retryAfterS: limits.retryAfterS }
      return Promise.reject(new Fault('overloaded', undefined, retry))
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, size, resolve, reject })
      this.#waitingSize += size
      this.#running ??= detached(() => this.#runAll())
    })
  }

  async idle(): Promise<void> {
    await this.#running
  }

  #isFull(size: number): boolean {
    const { waitingMax, sizes } = this.#options
    if (this.#waiting.length >= waitingMax) return true
    return sizes !== undefined && this.#waitingSize + size > sizes.waitingMax
  }

  async #runAll(): Promise<void> {
    // Items of the same turn of the event loop share the batch.
    await Promise.resolve()
    while (this.#waiting.length > 0) await this.#runOne(this.#takeBatch())
    this.#running = undefined
  }

  #takeBatch(): readonly Waiting<Item, Result>[] {
    const { batchMax, sizes } = this.#options
    const sizeMax = sizes?.batchMax ?? 0
    let size = 0
    let count = 0
    for (const one of this.#waiting) {
      if (count >= batchMax || (count > 0 && size + one.size > sizeMax)) break
      size += one.size
      count += 1
    }
    const batch = this.#waiting.slice(0, count)
    this.#waiting = this.#waiting.slice(count)
    this.#waitingSize -= size
    return batch
  }

  async #runOne(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const outcomes = await this.#options.run(batch.map(({ item }) => item))
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index]
        if (outcome === undefined) reject(new Fault('internal'))
        else if ('error' in outcome) reject(outcome.error)
        else resolve(outcome.value)
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
}

/**
 * Work that is under way is waited for, not begun again: a client that opens with thirty requests
 * at once costs one run.
 */
export function createOnce<Result>() {
  const underWay = new Map<string, Promise<Result>>()
  return (name: string, work: () => Promise<Result>): Promise<Result> => {
    const known = underWay.get(name)
    if (known !== undefined) return known
    const fresh = detached(work).finally(() => underWay.delete(name))
    underWay.set(name, fresh)
    return fresh
  }
}
