import type { Clock } from './clock.ts'
import { createMemory } from './memory.ts'

/** So many in a window of this length. */
export type Rate = { readonly count: number; readonly windowMs: number }

/** Counts in windows that begin with a key's first one. Each process counts its own. */
export type Rates = {
  /** Counts one more. @returns 0, or the milliseconds after which the key may again. */
  take(key: string, rate: Rate): number
  /** The same without counting. */
  look(key: string, rate: Rate): number
}

/** @param keysMax keys that are remembered; past it the one that began first is forgotten. */
export function createRates(clock: Clock, keysMax: number): Rates {
  const windows = createMemory<{ sinceMs: number; count: number }>(keysMax)

  function current(key: string, windowMs: number) {
    const nowMs = clock.elapsedMs()
    const known = windows.get(key)
    const isOpen = known !== undefined && nowMs < known.sinceMs + windowMs
    return isOpen ? known : { sinceMs: nowMs, count: 0 }
  }

  function leftMs({ sinceMs, count }: { sinceMs: number; count: number }, rate: Rate): number {
    return count < rate.count ? 0 : Math.ceil(sinceMs + rate.windowMs - clock.elapsedMs())
  }

  return {
    take(key, rate) {
      const window = current(key, rate.windowMs)
      const left = leftMs(window, rate)
      if (left > 0) return left
      window.count += 1
      if (window.count === 1) windows.set(key, window)
      return 0
    },
    look: (key, rate) => leftMs(current(key, rate.windowMs), rate),
  }
}
