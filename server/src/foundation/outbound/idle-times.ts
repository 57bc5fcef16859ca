import { elapsedMs, LruMap } from '../kernel/index.ts'
import { outboundLimits } from './limits.ts'

/** A server may have been restarted, or have got other settings. */
const keptMs = 600_000

/**
 * The times after which servers close idle connections, as far as they have shown them. A request
 * that must not be sent twice goes out on connections that were idle for less than half of that.
 */
export class IdleTimes {
  readonly #shortest = new LruMap<string, { readonly idleMs: number; readonly sinceMs: number }>(
    outboundLimits.outboundOriginsMax,
  )

  /** A server has closed a connection that was idle for so long. */
  closed(origin: string, idleMs: number): void {
    const shortest = Math.min(idleMs, this.#of(origin))
    this.#shortest.set(origin, { idleMs: shortest, sinceMs: elapsedMs() })
  }

  /** The idle time from which on a connection to the origin may be about to be closed. */
  safeMs(origin: string): number {
    return this.#of(origin) / 2
  }

  #of(origin: string): number {
    const known = this.#shortest.get(origin)
    if (known === undefined || elapsedMs() - known.sinceMs >= keptMs) {
      return Number.POSITIVE_INFINITY
    }
    return known.idleMs
  }
}
