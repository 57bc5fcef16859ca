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
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.flush()
    }, this.#delayMs).unref()
  }

  /** Resolves once everything that was gathered before is written, or could not be. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(this.#write)
    return this.#writing
  }

  /** Writes for the last time. */
  close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    return this.flush()
  }
}
