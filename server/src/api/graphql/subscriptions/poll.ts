import { Fault, pauseUnlessAborted } from '../../../foundation/kernel/index.ts'

/** The interval at which a subscription looks for what is new. */
const graphqlSubscriptionPollMs = 250

/**
 * Yields what each read finds, until the signal is aborted: again at once after one that found
 * something, else after a pause. Nothing is read while the reader of what came before is slow, so
 * a slow reader costs no memory.
 *
 * @param check rejects once what is read does not exist any more, or is not seen.
 */
export async function* poll<Item>(
  signal: AbortSignal,
  read: () => Promise<readonly Item[]>,
  check: () => Promise<void> = async () => {},
): AsyncGenerator<Item> {
  await check()
  while (!signal.aborted) {
    const items = await read()
    for (const item of items) {
      if (signal.aborted) return
      yield item
    }
    if (items.length > 0) continue
    await check()
    await pauseUnlessAborted(graphqlSubscriptionPollMs, signal)
  }
}

/** Gathers what a source sends until it is read; past so many items the source is too fast. */
export class BoundedQueue<Item> {
  readonly #max: number
  #items: Item[] = []
  #wake = Promise.withResolvers<void>()
  #overflowed = false

  constructor(max: number) {
    this.#max = max
  }

  add(items: readonly Item[]): void {
    if (this.#items.length + items.length > this.#max) this.#overflowed = true
    else this.#items.push(...items)
    this.#wake.resolve()
  }

  /**
   * Waits until there is something, or the signal is aborted, so long at most.
   * @throws Fault overloaded
   */
  async take(signal: AbortSignal, ms: number): Promise<readonly Item[]> {
    const wake = () => this.#wake.resolve()
    const timer = setTimeout(wake, ms)
    signal.addEventListener('abort', wake, { once: true })
    if (this.#items.length === 0 && !this.#overflowed && !signal.aborted) await this.#wake.promise
    signal.removeEventListener('abort', wake)
    clearTimeout(timer)
    this.#wake = Promise.withResolvers()
    const items = this.#items
    this.#items = []
    if (items.length > 0 || !this.#overflowed) return items
    throw new Fault('overloaded', 'The subscription was read too slowly. Go on from a position.')
  }
}
