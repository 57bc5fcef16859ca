/** Tells who waits for a device that something was committed about it, in this process. */
export type Watchers = {
  watch(connectorId: string, identity: string, listener: () => void): () => void
  tell(connectorId: string, identity: string): void
}

export function createWatchers(): Watchers {
  const listeners = new Map<string, Set<() => void>>()
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
    tell(connectorId, identity) {
      if (listeners.size === 0) return
      const those = listeners.get(keyOf(connectorId, identity))
      if (those !== undefined) for (const listener of [...those]) listener()
    },
  }
}
