import { type Clock, LruMap } from '../../kernel/index.ts'

/** A cache of values, bounded in number and in age. */
export type Cache<Value extends object> = {
  /** Returns a fresh value at once; else the one that `load` returns, called once for all. */
  get(key: string): Value | Promise<Value | undefined>
  /** Deletes a value, also one being loaded: a read that began before a change is not cached. */
  evict(key: string): void
}

export type CacheOptions<Value extends object> = {
  readonly entriesMax: number
  readonly keepMs: number
  readonly clock: Clock
  /** Undefined if there is none; that is not cached, so that unknown keys fill no memory. */
  readonly load: (key: string) => Promise<Value | undefined>
}

/** Creates a cache that drops the least recently used value. */
export function createCache<Value extends object>(options: CacheOptions<Value>): Cache<Value> {
  const { entriesMax, keepMs, clock, load } = options
  const entries = new LruMap<string, { value: Value; until: number }>(entriesMax)
  const loading = new Map<string, Promise<Value | undefined>>()

  function reload(key: string): Promise<Value | undefined> {
    const until = clock.elapsedMs() + keepMs
    const loaded = load(key)
      .then((value) => {
        if (loading.get(key) !== loaded) return value
        if (value === undefined) entries.delete(key)
        else entries.set(key, { value, until })
        return value
      })
      .finally(() => {
        if (loading.get(key) === loaded) loading.delete(key)
      })
    loading.set(key, loaded)
    return loaded
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined || clock.elapsedMs() >= entry.until) {
        return loading.get(key) ?? reload(key)
      }
      return entry.value
    },
    evict(key) {
      entries.delete(key)
      loading.delete(key)
    },
  }
}
