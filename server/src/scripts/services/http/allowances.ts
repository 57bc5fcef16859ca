import type { Database } from '../../../foundation/database/index.ts'
import { type Clock, Fault, LruMap, limits } from '../../../foundation/kernel/index.ts'
import { type AllowEntry, parseAllow } from '../../../foundation/outbound/index.ts'
import { createStore } from './store.ts'

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
  const cached = new LruMap<string, CachedEntries>(limits.httpAllowCacheMax)

  return {
    async of(businessId) {
      const recent = cached.get(businessId)
      if (recent !== undefined && clock.elapsedMs() < recent.untilMs) return recent.entries
      const entries = parseAllow(await store.entries(businessId, limits.httpAllowMax))
      cached.set(businessId, { entries, untilMs: clock.elapsedMs() + limits.httpAllowCacheMs })
      return entries
    },
    list: (businessId) => store.entries(businessId, limits.httpAllowMax),
    async add(businessId, entry) {
      const written = canonicalEntry(entry)
      if ((await store.entries(businessId, limits.httpAllowMax)).includes(written)) return
      const added = await store.addEntry(businessId, written, clock.nowMs(), limits.httpAllowMax)
      if (added === 0) {
        throw new Fault(
          'invalid_argument',
          `A business has at most ${limits.httpAllowMax} entries.`,
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
