import type { Database } from '../../../foundation/database/index.ts'
import { type Clock, Fault, LruMap } from '../../../foundation/kernel/index.ts'
import { type AllowEntry, parseAllow } from '../../../foundation/outbound/index.ts'
import { httpClientLimits } from './limits.ts'
import { createStore } from './store.ts'

/**
 * The age up to which the cached open addresses of a business are used: so long after `millrace
 * outbound remove` a request may still go there.
 */
const httpAllowCacheMs = 2_000
/** Businesses whose open addresses are cached. */
const httpAllowCacheMax = 10_000

/** The private addresses that the operator allows for the requests of one business. */
export type Allowances = {
  /** Returns the current entries; changes take effect within `httpAllowCacheMs`. */
  of(businessId: string): Promise<readonly AllowEntry[]>
  list(businessId: string): Promise<readonly string[]>
  /** @throws Fault invalid_argument: no `host:port`, or too many of them */
  add(businessId: string, entry: string): Promise<void>
  /** @throws Fault not_found */
  remove(businessId: string, entry: string): Promise<void>
}

type CachedEntries = { readonly entries: readonly AllowEntry[]; readonly untilMs: number }

export function createAllowances(options: { database: Database; clock: Clock }): Allowances {
  const { clock } = options
  const store = createStore(options.database)
  const cached = new LruMap<string, CachedEntries>(httpAllowCacheMax)

  return {
    async of(businessId) {
      const recent = cached.get(businessId)
      if (recent !== undefined && clock.elapsedMs() < recent.untilMs) return recent.entries
      const entries = parseAllow(await store.entries(businessId, httpClientLimits.httpAllowMax))
      cached.set(businessId, { entries, untilMs: clock.elapsedMs() + httpAllowCacheMs })
      return entries
    },
    list: (businessId) => store.entries(businessId, httpClientLimits.httpAllowMax),
    async add(businessId, entry) {
      const written = canonicalEntry(entry)
      if ((await store.entries(businessId, httpClientLimits.httpAllowMax)).includes(written)) return
      const added = await store.addEntry(
        businessId,
        written,
        clock.nowMs(),
        httpClientLimits.httpAllowMax,
      )
      if (added === 0) {
        throw new Fault(
          'invalid_argument',
          `A business has at most ${httpClientLimits.httpAllowMax} entries.`,
        )
      }
      cached.delete(businessId)
    },
    async remove(businessId, entry) {
      if ((await store.removeEntry(businessId, canonicalEntry(entry))) === 0) {
        throw new Fault('not_found', 'The business has no such entry.')
      }
      cached.delete(businessId)
    },
  }
}

function canonicalEntry(text: string): string {
  const [entry] = parseAllow([text])
  if (entry === undefined) throw new Fault('invalid_argument', 'The entry is missing.')
  return `${entry.host.includes(':') ? `[${entry.host}]` : entry.host}:${entry.port}`
}
