import { limits } from '../limits.ts'

export type PollLoopOptions = {
  /** Reads what is new. It may call `dueIn` with a shorter time until the next look. */
  readonly look: (dueIn: (ms: number) => void) => Promise<void>
  /** Called if a look failed; the loop goes on. */
  readonly failed: (error: unknown) => void
  /** The time between two looks; `limits.tailPollMs` if left out. */
  readonly pollMs?: number
  /** The time between a notification and its look; `limits.tailPauseMs` if left out, 0: none. */
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
    if (this.#pauseMs === 0) this.#resume()
    else this.#timer = setTimeout(this.#resume, this.#pauseMs)
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
    this.#running = this.#rest(this.#pollMs).then(() => this.#lookAgain())
  }

  async #lookAgain(): Promise<void> {
    while (!this.#stopped) {
      this.#notified = false
      const restMs = await this.#look()
      if (!this.#stopped) await this.#rest(restMs)
    }
  }

  /** @returns the time until the next look. */
  async #look(): Promise<number> {
    const { look, failed } = this.#options
    let restMs = this.#pollMs
    try {
      await look((ms) => {
        restMs = Math.min(restMs, ms)
      })
      return restMs
    } catch (error) {
      failed(error)
      return this.#pollMs
    }
  }

  async #rest(pollMs: number): Promise<void> {
    if (this.#notified && this.#pauseMs === 0) return
    await new Promise<void>((resolve) => {
      this.#resume = () => {
        this.#resume = undefined
        resolve()
      }
      const ms = this.#notified ? this.#pauseMs : pollMs
      this.#timer = setTimeout(this.#resume, ms).unref()
    })
  }
}
