import { limits } from '../limits.ts'

export type PollLoopOptions = {
  /** Reads what is new. */
  readonly look: () => Promise<void>
  /** Called if a look failed; the loop goes on. */
  readonly failed: (error: unknown) => void
  /** The time between two looks; `limits.tailPollMs` if left out. */
  readonly pollMs?: number
  /** The time between a notification and its look; `limits.tailPauseMs` if left out. */
  readonly pauseMs?: number
}

/**
 * Polls for new work: `pauseMs` after a notification, else once in `pollMs`. A
 * notification during a look counts for the next one.
 */
export class PollLoop {
  readonly #options: PollLoopOptions
  readonly #pollMs: number
  readonly #pauseMs: number
  #stopped = false
  #notified = false
  #running: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #resume: (() => void) | undefined

  constructor(options: PollLoopOptions) {
    this.#options = options
    this.#pollMs = options.pollMs ?? limits.tailPollMs
    this.#pauseMs = options.pauseMs ?? limits.tailPauseMs
  }

  get stopped(): boolean {
    return this.#stopped
  }

  /** The first notification sets the time of the next look: further ones do not put it off. */
  notify(): void {
    if (this.#notified) return
    this.#notified = true
    if (this.#resume === undefined) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#resume, this.#pauseMs)
  }

  /** Resolves once a look under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#resume?.()
    await this.#running
  }

  /** Polls for the first time at once. Resolves once the loop is stopped; to be called once. */
  run(): Promise<void> {
    this.#running = this.#lookAgain()
    return this.#running
  }

  /** Polls for the first time after `pollMs`, and keeps no process running; to be called once. */
  startLater(): void {
    this.#running = this.#rest().then(() => this.#lookAgain())
  }

  async #lookAgain(): Promise<void> {
    while (!this.#stopped) {
      this.#notified = false
      await this.#options.look().catch(this.#options.failed)
      if (!this.#stopped) await this.#rest()
    }
  }

  #rest(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = () => {
        this.#resume = undefined
        resolve()
      }
      const ms = this.#notified ? this.#pauseMs : this.#pollMs
      this.#timer = setTimeout(this.#resume, ms).unref()
    })
  }
}
