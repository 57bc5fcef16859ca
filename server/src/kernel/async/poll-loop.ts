import { limits } from '../limits.ts'

export type PollLoopSteps = {
  /** Polls once. */
  readonly look: () => Promise<void>
  /** Called with the error of a poll; the loop goes on. */
  readonly failed: (error: unknown) => void
}

/**
 * Polls `limits.tailPauseMs` after a call of `notify`, and else once in `limits.tailPollMs`; a call
 * during a poll counts for the next one.
 */
export class PollLoop {
  readonly #steps: PollLoopSteps
  #stopped = false
  #notified = false
  #timer: NodeJS.Timeout | undefined
  #resume: (() => void) | undefined

  constructor(steps: PollLoopSteps) {
    this.#steps = steps
  }

  get stopped(): boolean {
    return this.#stopped
  }

  /** The first call sets the time of the next poll; further ones do not delay it. */
  notify(): void {
    if (this.#notified) return
    this.#notified = true
    if (this.#resume === undefined) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#resume, limits.tailPauseMs)
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#resume?.()
  }

  /** Resolves once it was stopped and the last poll has ended; to be called once. */
  async run(): Promise<void> {
    while (!this.#stopped) {
      this.#notified = false
      await this.#steps.look().catch(this.#steps.failed)
      if (!this.#stopped) await this.#wait()
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = () => {
        this.#resume = undefined
        resolve()
      }
      const ms = this.#notified ? limits.tailPauseMs : limits.tailPollMs
      this.#timer = setTimeout(this.#resume, ms)
    })
  }
}
