import { Fault } from '../errors.ts'

/** The outcome of one item of a batch. */
export type Outcome<Result> = { readonly value: Result } | { readonly error: unknown }

export type Batcher<Item, Result> = {
  /** @throws Fault overloaded if too much waits already; the error of the item. */
  add(item: Item): Promise<Result>
}

export type BatcherOptions<Item, Result> = {
  readonly batchMax: number
  readonly waitingMax: number
  /** Returns an outcome for each item, in their order; if it throws, all of them fail. */
  run(items: readonly Item[]): Promise<readonly Outcome<Result>[]>
}

type Waiting<Item, Result> = {
  readonly item: Item
  readonly resolve: (value: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Runs items that arrive together in one batch: one batch at a time, and items that arrive while it
 * runs are the next one. So the batches grow with the load.
 */
export function createBatcher<Item, Result>(
  options: BatcherOptions<Item, Result>,
): Batcher<Item, Result> {
  const { batchMax, waitingMax, run } = options
  const waiting: Waiting<Item, Result>[] = []
  let running = false

  async function runAll(): Promise<void> {
    running = true
    // Items of the same turn of the event loop share the batch.
    await Promise.resolve()
    while (waiting.length > 0) await runOne(waiting.splice(0, batchMax))
    running = false
  }

  async function runOne(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const outcomes = await run(batch.map(({ item }) => item))
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

  return {
    add(item) {
      if (waiting.length >= waitingMax) {
        return Promise.reject(new Fault('overloaded', undefined, { retryAfterS: 1 }))
      }
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        if (!running) void runAll()
      })
    },
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
    const fresh = work().finally(() => underWay.delete(name))
    underWay.set(name, fresh)
    return fresh
  }
}
