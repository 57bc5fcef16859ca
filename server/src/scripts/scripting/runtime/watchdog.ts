import { scriptingLimits } from '../limits.ts'

export type WatchdogOptions = {
  /** Samples the workers, then ends the calls that are out of time. */
  readonly check: () => void
  /** True if a call or a check has not ended. */
  readonly isBusy: () => boolean
}

/** Checks calls and workers every `scriptWatchdogMs` while anything runs. */
export class Watchdog {
  readonly #options: WatchdogOptions
  #timer: NodeJS.Timeout | undefined

  constructor(options: WatchdogOptions) {
    this.#options = options
  }

  start(): void {
    // An interval, and no poll loop: nothing in a check is awaited.
    this.#timer ??= setInterval(() => this.#tick(), scriptingLimits.scriptWatchdogMs)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #tick(): void {
    this.#options.check()
    if (!this.#options.isBusy()) this.stop()
  }
}
