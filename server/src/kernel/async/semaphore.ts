import type { Fault } from '../errors.ts'

export type SemaphoreOptions = {
  /** Pieces of work that run at once. */
  readonly max: number
  /** Pieces of work of one key that run at once; `max` if left out. */
  readonly perKeyMax?: number
  /** Pieces of work that wait; none if left out. */
  readonly waitingMax?: number
  /** The error for work that neither may run nor wait. */
  readonly refusal: () => Fault
}

type Waiting = { readonly key: string; readonly start: () => void }

/**
 * Limits the work that runs at once, in all and of one key. Work that finds no room waits, in its
 * order, but not behind work of a key that has no room; past `waitingMax` it is refused at once.
 */
export class Semaphore {
  readonly #options: SemaphoreOptions
  readonly #running = new Map<string, number>()
  readonly #waiting = new Set<Waiting>()
  #count = 0

  constructor(options: SemaphoreOptions) {
    this.#options = options
  }

  /**
   * Runs work once there is room for it.
   * @param signal ends the wait, not the work: it rejects with the signal's reason.
   * @throws Fault the refusal; and what the work throws.
   */
  async run<Result>(
    key: string,
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    signal?.throwIfAborted()
    if (this.#hasRoom(key)) this.#take(key)
    else await this.#wait(key, signal)
    try {
      return await work()
    } finally {
      this.#release(key)
    }
  }

  #hasRoom(key: string): boolean {
    const { max, perKeyMax = max } = this.#options
    return this.#count < max && (this.#running.get(key) ?? 0) < perKeyMax
  }

  #take(key: string): void {
    this.#count += 1
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1)
  }

  /** Resolves when the work has its room. */
  #wait(key: string, signal: AbortSignal | undefined): Promise<void> {
    const { waitingMax = 0, refusal } = this.#options
    if (this.#waiting.size >= waitingMax) return Promise.reject(refusal())
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.delete(waiting)
        reject(signal?.reason)
      }
      const start = () => {
        this.#waiting.delete(waiting)
        signal?.removeEventListener('abort', abort)
        this.#take(key)
        resolve()
      }
      const waiting: Waiting = { key, start }
      this.#waiting.add(waiting)
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  #release(key: string): void {
    const left = (this.#running.get(key) ?? 1) - 1
    this.#count -= 1
    if (left > 0) this.#running.set(key, left)
    else this.#running.delete(key)
    for (const waiting of this.#waiting) {
      if (this.#hasRoom(waiting.key)) {
        waiting.start()
        return
      }
    }
  }
}
