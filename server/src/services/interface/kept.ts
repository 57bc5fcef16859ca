import { elapsedMs, LruMap, limits } from '../../kernel/index.ts'

/** What was looked up a moment ago, and is under way; a failure is not kept. */
export type Kept<Value> = {
  /** `before` is what was known when that grew old. */
  get(key: string, look: (before: Promise<Value> | undefined) => Promise<Value>): Promise<Value>
  forget(): void
}

export function createKept<Value>(): Kept<Value> {
  const kept = new LruMap<string, { readonly atMs: number; readonly looked: Promise<Value> }>(
    limits.interfaceCacheMax,
  )
  return {
    get(key, look) {
      const before = kept.get(key)
      const atMs = elapsedMs()
      if (before !== undefined && atMs - before.atMs < limits.interfaceCacheMs) return before.looked
      const fresh = { atMs, looked: look(before?.looked) }
      kept.set(key, fresh)
      fresh.looked.catch(() => {
        if (kept.get(key) === fresh) kept.delete(key)
      })
      return fresh.looked
    },
    forget: () => kept.deleteWhere(() => true),
  }
}
