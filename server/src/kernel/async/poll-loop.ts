import { limits } from '../limits.ts'

export type PollLoopSteps = {
  /** Looks for what is new. */
  readonly look: () => Promise<void>
  /** Told why a look failed; the next one comes all the same. */
  readonly failed: (error: unknown) => void
}

/**
 * Looks for what is new, again and again: `limits.tailPauseMs` after a hint, else once in
 * `limits.tailPollMs`; a hint that comes during a look counts for the next one.
 */
export class PollLoop {
  readonly #steps: PollLoopSteps
  #stopped = false
  #hinted = false
  #timer: NodeJS.Timeout | undefined
  #resume: (() => void) | undefined

  constructor(steps: PollLoopSteps) {
    this.#steps = steps
  }

  get stopped(): boolean {
    return this.#stopped
  }

  /** The first hint sets the time of the next look; where much is new others would put it off. */
  notify(): void {
    if (this.#hinted) return
    this.#hinted = true
    if (this.#resume === undefined) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#resume, limits.tailPauseMs)
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#resume?.()
  }

  /** Resolves once it was stopped and looks no more; to be called once. */
  async run(): Promise<void> {
    while (!this.#stopped) {
      this.#hinted = false
      await this.#steps.look().catch(this.#steps.failed)
      if (!this.#stopped) await this.#rest()
    }
  }

  #rest(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = () => {
        this.#resume = undefined
        resolve()
      }
      const ms = this.#hinted ? limits.tailPauseMs : limits.tailPollMs
      this.#timer = setTimeout(this.#resume, ms)
    })
  }
}
