import type { Clock } from '../clock.ts'
import type { Fault } from '../errors.ts'
import { LruMap } from './lru-map.ts'

/** A number of times in a window of this length. */
export type Rate = { readonly count: number; readonly windowMs: number }

type Window = { readonly sinceMs: number; count: number }

/** Counts in windows that begin with a key's first one. Each process counts its own. */
export class RateLimiter {
  readonly #clock: Clock
  readonly #windows: LruMap<string, Window>

  /** @param keysMax keys that are stored; past it the one used least recently is removed. */
  constructor(clock: Clock, keysMax: number) {
    this.#clock = clock
    this.#windows = new LruMap(keysMax)
  }

  /** Counts one more. @returns 0, or the milliseconds after which the key may again. */
  take(key: string, rate: Rate): number {
    const window = this.#current(key, rate.windowMs)
    const left = this.#leftMs(window, rate)
    if (left > 0) return left
    window.count += 1
    if (window.count === 1) this.#windows.set(key, window)
    return 0
  }

  /** Returns the same without counting. */
  peek(key: string, rate: Rate): number {
    return this.#leftMs(this.#current(key, rate.windowMs), rate)
  }

  #current(key: string, windowMs: number): Window {
    const nowMs = this.#clock.elapsedMs()
    const known = this.#windows.get(key)
    const isOpen = known !== undefined && nowMs < known.sinceMs + windowMs
    return isOpen ? known : { sinceMs: nowMs, count: 0 }
  }

  #leftMs({ sinceMs, count }: Window, rate: Rate): number {
    if (count < rate.count) return 0
    return Math.ceil(sinceMs + rate.windowMs - this.#clock.elapsedMs())
  }
}

const minuteMs = 60_000

export type FailureLimiterOptions = {
  readonly clock: Clock
  /** Failures of one key in a minute; past it no check runs. */
  readonly failuresMax: number
  readonly keysMax: number
  /** The error for a key that has failed too often. */
  readonly refusal: () => Fault
  /** Called once when a key reaches the limit. */
  readonly onReached: (key: string) => void
}

/** Runs a check, which returns whether it succeeded, unless its key has failed too often. */
export type FailureLimiter = (key: string, check: () => Promise<boolean>) => Promise<boolean>

/**
 * Counts the failures of each key. An attempt counts as failed from its beginning until it has
 * succeeded, so that a thousand attempts at the same time do not pass together.
 */
export function createFailureLimiter(options: FailureLimiterOptions): FailureLimiter {
  const { clock, failuresMax } = options
  const failures = new LruMap<string, Window>(options.keysMax)

  function current(key: string): Window {
    const known = failures.get(key)
    if (known !== undefined && clock.elapsedMs() - known.sinceMs < minuteMs) return known
    const fresh = { sinceMs: clock.elapsedMs(), count: 0 }
    failures.set(key, fresh)
    return fresh
  }

  return async (key, check) => {
    const window = current(key)
    if (window.count >= failuresMax) throw options.refusal()
    window.count += 1
    const succeeded = await check().catch((error: unknown) => {
      window.count -= 1
      throw error
    })
    if (succeeded) window.count -= 1
    else if (window.count === failuresMax) options.onReached(key)
    return succeeded
  }
}
