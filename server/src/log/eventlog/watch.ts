import type { Entry } from './entry.ts'

/**
 * Called with each entry that this process committed about a device, in the order of the commits;
 * without one where another process may have set something.
 */
export type Listener = (entry: Entry | undefined) => void

/** Calls who waits for a device when something was committed about it. */
export type Watchers = {
  watch(connectorId: string, identity: string, listener: Listener): () => void
  notify(entry: Entry): void
  /** Another process set something of the device. */
  moved(connectorId: string, identity: string): void
  /** The same of all devices that are watched. */
  movedAny(): void
}

export function createWatchers(): Watchers {
  const listeners = new Map<string, Set<Listener>>()
  const deviceKey = (connectorId: string, identity: string) => `${connectorId}/${identity}`

  function call(connectorId: string, identity: string, entry: Entry | undefined): void {
    if (listeners.size === 0) return
    const those = listeners.get(deviceKey(connectorId, identity))
    if (those !== undefined) for (const listener of [...those]) listener(entry)
  }

  return {
    watch(connectorId, identity, listener) {
      const key = deviceKey(connectorId, identity)
      const those = listeners.get(key) ?? new Set()
      listeners.set(key, those.add(listener))
      return () => {
        those.delete(listener)
        if (those.size === 0 && listeners.get(key) === those) listeners.delete(key)
      }
    },
    notify: (entry) => call(entry.connectorId, entry.identity, entry),
    moved: (connectorId, identity) => call(connectorId, identity, undefined),
    movedAny() {
      for (const those of [...listeners.values()]) {
        for (const listener of [...those]) listener(undefined)
      }
    },
  }
}
