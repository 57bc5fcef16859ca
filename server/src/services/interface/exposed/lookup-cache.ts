import { elapsedMs, LruMap, limits } from '../../../kernel/index.ts'

/** Caches lookups for a short time, those in flight included; a failure is not cached. */
export type LookupCache<Value> = {
  /** Returns the cached value, or calls `load` with the expired one. */
  get(key: string, load: (before: Promise<Value> | undefined) => Promise<Value>): Promise<Value>
  forget(): void
}

export function createLookupCache<Value>(): LookupCache<Value> {
  const cache = new LruMap<string, { readonly atMs: number; readonly value: Promise<Value> }>(
    limits.interfaceCacheMax,
  )
  return {
    get(key, load) {
      const before = cache.get(key)
      const atMs = elapsedMs()
      if (before !== undefined && atMs - before.atMs < limits.interfaceCacheMs) return before.value
      const fresh = { atMs, value: load(before?.value) }
      cache.set(key, fresh)
      fresh.value.catch(() => {
        if (cache.get(key) === fresh) cache.delete(key)
      })
      return fresh.value
    },
    forget: () => cache.deleteWhere(() => true),
  }
}
