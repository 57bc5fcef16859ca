import type { Queryable } from '../../../foundation/database/index.ts'
import { elapsedMs, LruMap } from '../../../foundation/kernel/index.ts'
import { scriptingLimits } from '../limits.ts'
import { readScriptsNaming } from '../store/scripts.ts'
import { handlerName, listHandlers } from './build.ts'

/** Which solutions of a business handle an event, in memory. */
export type EventHandlers = {
  /** The ids of solutions; read with the queryable of the caller, which may hold a transaction. */
  solutions(
    queryable: Queryable,
    businessId: string,
    service: string,
    event: string,
  ): Promise<readonly string[]>
  /**
   * To be called after each change of this process, and at the hint of another one; without a hint
   * its change counts within `programCheckMs`.
   */
  forget(): void
}

type Known = { readonly solutionIds: readonly string[]; readonly readMs: number }

export function createEventHandlers(): EventHandlers {
  const memory = new LruMap<string, Known>(scriptingLimits.subscriptionCacheMax)
  let changes = 0
  return {
    async solutions(queryable, businessId, service, event) {
      const handler = handlerName(service, event)
      const key = `${businessId} ${handler}`
      const known = memory.get(key)
      if (known !== undefined && known.readMs >= elapsedMs() - scriptingLimits.programCheckMs) {
        return known.solutionIds
      }
      const before = changes
      const readMs = elapsedMs()
      const name = handler.slice('handle_'.length)
      const found = await readScriptsNaming(queryable, businessId, name, handler)
      const own = found.filter((script) => listHandlers(script).some(([one]) => one === handler))
      const solutionIds = [...new Set(own.map(({ solutionId }) => solutionId))]
      // A read that began before a change may lack it.
      if (before === changes) memory.set(key, { solutionIds, readMs })
      return solutionIds
    },
    forget() {
      changes += 1
      memory.clear()
    },
  }
}
