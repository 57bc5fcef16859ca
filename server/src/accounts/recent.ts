import { type Clock, LruMap, limits } from '../kernel/index.ts'

/** Caches token lookups by the hash of the token; misses are not cached. */
export type Recent<Value> = {
  find(tokenHash: string): Promise<Value | undefined>
  /** Removes the entries for which the condition is true, and all lookups that are under way. */
  forget(condition: (value: Value) => boolean): void
}

export function createRecent<Value>(
  clock: Clock,
  load: (tokenHash: string) => Promise<Value | undefined>,
): Recent<Value> {
  const known = new LruMap<string, { value: Value; untilMs: number }>(limits.accountCacheMax)
  let generation = 0
  return {
    async find(tokenHash) {
      const recent = known.get(tokenHash)
      if (recent !== undefined && clock.elapsedMs() < recent.untilMs) return recent.value
      const before = generation
      const value = await load(tokenHash)
      if (value === undefined) known.delete(tokenHash)
      // A token that was revoked during the lookup must not be cached.
      else if (before === generation) {
        known.set(tokenHash, { value, untilMs: clock.elapsedMs() + limits.accountCacheMs })
      }
      return value
    },
    forget(condition) {
      generation += 1
      known.deleteWhere(({ value }) => condition(value))
    },
  }
}
