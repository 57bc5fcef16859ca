import type { Fault } from '../errors.ts'

export type SemaphoreOptions = {
  /** Pieces of work that run at once. */
  readonly max: number
  /** Pieces of work that wait; none if left out. */
  readonly waitingMax?: number
  /** The error for work that neither may run nor wait. */
  readonly refusal: () => Fault
}

/** The limits of the work that one key names: of a tenant, of a peer. */
export type Share = {
  readonly key: string
  /** Pieces of its work that run at once. */
  readonly max: number
  /** Pieces of its work that wait; as many as wait in all if left out. */
  readonly waitingMax?: number
}

type Waiting = { readonly shares: readonly Share[]; readonly start: () => void }

/**
 * Limits the work that runs at once, in all and of each share that it belongs to. Work that finds
 * no room waits, in its order, but not behind work of a share that has no room; past `waitingMax`
 * it is refused at once.
 */
export class Semaphore {
  readonly #options: SemaphoreOptions
  readonly #running = new Counts()
  readonly #waitingOf = new Counts()
  readonly #waiting = new Set<Waiting>()
  #count = 0

  constructor(options: SemaphoreOptions) {
    this.#options = options
  }

  /**
   * Runs work once there is room for it.
   * @param shares those that the work belongs to; a key stands in one of them.
   * @param signal ends the wait, not the work: it rejects with the signal's reason.
   * @throws Fault the refusal; and what the work throws.
   */
  async run<Result>(
    shares: readonly Share[],
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    signal?.throwIfAborted()
    if (this.#hasRoom(shares)) this.#take(shares)
    else await this.#wait(shares, signal)
    try {
      return await work()
    } finally {
      this.#release(shares)
    }
  }

  /** Returns true if a share has as many pieces of work running as it may. */
  isFull({ key, max }: Share): boolean {
    return this.#running.get(key) >= max
  }

  #hasRoom(shares: readonly Share[]): boolean {
    if (this.#count >= this.#options.max) return false
    return shares.every(({ key, max }) => this.#running.get(key) < max)
  }

  #mayWait(shares: readonly Share[]): boolean {
    const { waitingMax: allMax = 0 } = this.#options
    if (this.#waiting.size >= allMax) return false
    return shares.every(({ key, waitingMax = allMax }) => this.#waitingOf.get(key) < waitingMax)
  }

  #take(shares: readonly Share[]): void {
    this.#count += 1
    this.#running.add(shares, 1)
  }

  /** Resolves when the work has its room. */
  #wait(shares: readonly Share[], signal: AbortSignal | undefined): Promise<void> {
    if (!this.#mayWait(shares)) return Promise.reject(this.#options.refusal())
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiting)
        this.#waitingOf.add(shares, -1)
      }
      const abort = () => {
        leave()
        reject(signal?.reason)
      }
      const start = () => {
        leave()
        signal?.removeEventListener('abort', abort)
        this.#take(shares)
        resolve()
      }
      const waiting: Waiting = { shares, start }
      this.#waiting.add(waiting)
      this.#waitingOf.add(shares, 1)
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  #release(shares: readonly Share[]): void {
    this.#count -= 1
    this.#running.add(shares, -1)
    for (const waiting of this.#waiting) {
      if (this.#count >= this.#options.max) return
      if (this.#hasRoom(waiting.shares)) waiting.start()
    }
  }
}

/** Pieces of work by key; a key without work is not stored. */
class Counts {
  readonly #counts = new Map<string, number>()

  get(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  add(shares: readonly Share[], change: 1 | -1): void {
    for (const { key } of shares) {
      const count = this.get(key) + change
      if (count > 0) this.#counts.set(key, count)
      else this.#counts.delete(key)
    }
  }
}
