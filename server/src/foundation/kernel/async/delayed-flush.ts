import { AsyncLocalStorage } from 'node:async_hooks'

/** The context of no request: this file is loaded when the process starts. */
const outside = AsyncLocalStorage.snapshot()

/**
 * Runs work that outlives its caller, or that several callers wait for: it does not end when the
 * request ends in which it happened to begin.
 */
export function detached<Result>(work: () => Result): Result {
  return outside(work)
}

/**
 * Writes what a caller gathers in memory, a short time after the first of it came, one write after
 * the other. A process in which nothing happens has no timer.
 */
export class DelayedFlush {
  readonly #write: () => Promise<void>
  readonly #delayMs: number
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #closed = false

  /** @param write writes all that is gathered; it does not reject. */
  constructor(write: () => Promise<void>, delayMs: number) {
    this.#write = write
    this.#delayMs = delayMs
  }

  get closed(): boolean {
    return this.#closed
  }

  /** Writes within the delay; once closed, nothing more. */
  schedule(): void {
    if (this.#timer !== undefined || this.#closed) return
    const flush = () => {
      this.#timer = undefined
      this.flush()
    }
    this.#timer = detached(() => setTimeout(flush, this.#delayMs).unref())
  }

  /** Resolves once everything that was gathered before is written, or could not be. */
  flush(): Promise<void> {
    this.#writing = detached(() => this.#writing.then(this.#write))
    return this.#writing
  }

  /** Writes for the last time. */
  close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    return this.flush()
  }
}
