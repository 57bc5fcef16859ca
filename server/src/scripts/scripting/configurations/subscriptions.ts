import type { Database } from '../../../foundation/database/index.ts'
import { elapsedMs, LruMap } from '../../../foundation/kernel/index.ts'
import { scriptingLimits } from '../limits.ts'
import { readSubscriptions } from '../store/configurations.ts'

/** A solution that has a connector among its services. */
export type SubscribedSolution = { readonly businessId: string; readonly solutionId: string }

/** The solutions that have each connector, in memory: most connectors have none. */
export type Subscriptions = {
  of(connectorIds: ReadonlySet<string>): Promise<ReadonlyMap<string, readonly SubscribedSolution[]>>
  /** Returns whether any solution has the connector; concurrent calls share one read. */
  has(connectorId: string): boolean | Promise<boolean>
  /**
   * To be called after each change of this process, and at the hint of another one; without a hint
   * its change counts within `subscriptionCacheMs`.
   */
  forget(): void
}

type CachedSubscribers = {
  readonly subscribers: readonly SubscribedSolution[]
  readonly readMs: number
}

export function createSubscriptions(database: Database): Subscriptions {
  const memory = new LruMap<string, CachedSubscribers>(scriptingLimits.subscriptionCacheMax)
  const reads = new Map<string, Promise<boolean>>()
  let changes = 0

  async function read(connectorIds: readonly string[]): Promise<Map<string, CachedSubscribers>> {
    const before = changes
    const readMs = elapsedMs()
    const rows = await readSubscriptions(database, connectorIds)
    const byConnector = Map.groupBy(rows, ({ service }) => service)
    const fresh = new Map<string, CachedSubscribers>()
    for (const id of connectorIds) {
      const subscribers = (byConnector.get(id) ?? []).map((row) => ({
        businessId: row.business_id,
        solutionId: row.solution_id,
      }))
      const known = { subscribers: unique(subscribers), readMs }
      fresh.set(id, known)
      // A read that began before a change may lack it.
      if (before === changes) memory.set(id, known)
    }
    return fresh
  }

  async function readWhether(connectorId: string): Promise<boolean> {
    const known = await read([connectorId])
    return (known.get(connectorId)?.subscribers.length ?? 0) > 0
  }

  function readOnce(connectorId: string): Promise<boolean> {
    const reading = readWhether(connectorId).finally(() => {
      if (reads.get(connectorId) === reading) reads.delete(connectorId)
    })
    reads.set(connectorId, reading)
    return reading
  }

  return {
    has(connectorId) {
      const known = memory.get(connectorId)
      if (
        known !== undefined &&
        known.readMs >= elapsedMs() - scriptingLimits.subscriptionCacheMs
      ) {
        return known.subscribers.length > 0
      }
      return reads.get(connectorId) ?? readOnce(connectorId)
    },
    async of(connectorIds) {
      const oldestMs = elapsedMs() - scriptingLimits.subscriptionCacheMs
      const known = new Map([...connectorIds].map((id) => [id, memory.get(id)] as const))
      const missing = [...connectorIds].filter(
        (id) => (known.get(id)?.readMs ?? -Infinity) < oldestMs,
      )
      const fresh = missing.length === 0 ? undefined : await read(missing)
      const found = new Map<string, readonly SubscribedSolution[]>()
      for (const id of connectorIds) {
        const { subscribers = [] } = fresh?.get(id) ?? known.get(id) ?? {}
        if (subscribers.length > 0) found.set(id, subscribers)
      }
      return found
    },
    forget() {
      changes += 1
      reads.clear()
      memory.clear()
    },
  }
}

/** A solution may have a connector twice, under two aliases. */
function unique(subscribers: readonly SubscribedSolution[]): SubscribedSolution[] {
  return [...new Map(subscribers.map((one) => [one.solutionId, one])).values()]
}
