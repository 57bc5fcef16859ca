import type { Clock } from '../../kernel/index.ts'

/** What was read lately, bounded in number and in age. */
export type Cache<Value extends object> = {
  /** The value at once where it is fresh; else what `load` says, asked once however many wait. */
  get(key: string): Value | Promise<Value | undefined>
  /** Forgets, also what is being loaded: a read that began before a change is never kept. */
  evict(key: string): void
}

export type CacheOptions<Value extends object> = {
  readonly entriesMax: number
  readonly keepMs: number
  readonly clock: Clock
  /** Undefined where there is none; that is not remembered, so that strangers fill no memory. */
  readonly load: (key: string) => Promise<Value | undefined>
}

/** A cache that drops what was not asked for the longest. */
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
