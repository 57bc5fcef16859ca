import { type Clock, LruMap } from '../../../foundation/kernel/index.ts'

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
  /** Values whose changes are published, which may be older. Left out: none. */
  readonly published?: PublishedValues<Value>
}

export type PublishedValues<Value> = {
  /** The age up to which a value is fresh while changes are read. */
  readonly keepMs: number
  /**
   * Returns whether all changes from a time of `clock.elapsedMs` to the last moments were evicted.
   */
  readonly areRead: (sinceMs: number) => boolean
  /** The time before which a read of the value began too early, in `clock.elapsedMs`. */
  readonly changedAtMs: (value: Value) => number
}

type Entry<Value> = { readonly value: Value; readonly readAtMs: number }

/** Creates a cache that drops the least recently used value. */
export function createCache<Value extends object>(options: CacheOptions<Value>): Cache<Value> {
  const { entriesMax, keepMs, clock, load, published } = options
  const entries = new LruMap<string, Entry<Value>>(entriesMax)
  const loading = new Map<string, Promise<Value | undefined>>()

  function reload(key: string): Promise<Value | undefined> {
    const readAtMs = clock.elapsedMs()
    const loaded = load(key)
      .then((value) => {
        if (loading.get(key) !== loaded) return value
        if (value === undefined) entries.delete(key)
        else entries.set(key, { value, readAtMs })
        return value
      })
      .finally(() => {
        if (loading.get(key) === loaded) loading.delete(key)
      })
    loading.set(key, loaded)
    return loaded
  }

  function isFresh({ value, readAtMs }: Entry<Value>): boolean {
    const ageMs = clock.elapsedMs() - readAtMs
    if (published === undefined) return ageMs < keepMs
    if (readAtMs <= published.changedAtMs(value)) return false
    return ageMs < keepMs || (ageMs < published.keepMs && published.areRead(readAtMs))
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined || !isFresh(entry)) return loading.get(key) ?? reload(key)
      return entry.value
    },
    evict(key) {
      entries.delete(key)
      loading.delete(key)
    },
  }
}
