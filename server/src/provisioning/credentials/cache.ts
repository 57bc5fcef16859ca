import type { Clock } from '../../kernel/index.ts'

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
  const kept = new Map<string, { value: Value; until: number }>()
  const loading = new Map<string, Promise<Value | undefined>>()

  function keep(key: string, value: Value, until: number): void {
    kept.delete(key)
    kept.set(key, { value, until })
    if (kept.size <= entriesMax) return
    for (const oldest of kept.keys()) {
      kept.delete(oldest)
      return
    }
  }

  function reload(key: string): Promise<Value | undefined> {
    const until = clock.elapsedMs() + keepMs
    const loaded = load(key)
      .then((value) => {
        if (loading.get(key) !== loaded) return value
        if (value === undefined) kept.delete(key)
        else keep(key, value, until)
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
      const entry = kept.get(key)
      if (entry === undefined || clock.elapsedMs() >= entry.until)
        return loading.get(key) ?? reload(key)
      kept.delete(key)
      kept.set(key, entry)
      return entry.value
    },
    evict(key) {
      kept.delete(key)
      loading.delete(key)
    },
  }
}
