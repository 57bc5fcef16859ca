import type { Entry } from './entry.ts'

/** Hears of each entry that was committed about a device, in the order of the commits. */
export type Listener = (entry: Entry) => void

/** Tells who waits for a device that something was committed about it, in this process. */
export type Watchers = {
  watch(connectorId: string, identity: string, listener: Listener): () => void
  tell(entry: Entry): void
}

export function createWatchers(): Watchers {
  const listeners = new Map<string, Set<Listener>>()
  const keyOf = (connectorId: string, identity: string) => `${connectorId}/${identity}`
  return {
    watch(connectorId, identity, listener) {
      const key = keyOf(connectorId, identity)
      const those = listeners.get(key) ?? new Set()
      listeners.set(key, those.add(listener))
      return () => {
        those.delete(listener)
        if (those.size === 0 && listeners.get(key) === those) listeners.delete(key)
      }
    },
    tell(entry) {
      if (listeners.size === 0) return
      const those = listeners.get(keyOf(entry.connectorId, entry.identity))
      if (those !== undefined) for (const listener of [...those]) listener(entry)
    },
  }
}
