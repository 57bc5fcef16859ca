import { createBatcher } from '../../../foundation/kernel/index.ts'
import { wholeView } from '../../../people/groups/index.ts'
import type { Assets, Value } from '../../assets/index.ts'
import type { StoredValues } from '../last-values.ts'
import { pipelineLimits } from '../limits.ts'

type Asked = { readonly businessId: string; readonly signalIds: readonly string[] }

/** Reads the stored last values of signals; runs that begin together share the query. */
export function createLatest({
  lastValues,
}: Pick<Assets, 'lastValues'>): Pick<StoredValues, 'latest'> {
  const batcher = createBatcher<Asked, ReadonlyMap<string, Value>>({
    batchMax: pipelineLimits.functionsBatchMax,
    waitingMax: Number.MAX_SAFE_INTEGER,
    async run(asked) {
      const found = new Map<string, ReadonlyMap<string, Value>>()
      for (const [businessId, own] of Map.groupBy(asked, (one) => one.businessId)) {
        const ids = new Set(own.flatMap(({ signalIds }) => signalIds))
        found.set(businessId, await lastValues(wholeView(businessId), [...ids]))
      }
      return asked.map(({ businessId, signalIds }) => {
        const values = signalIds.flatMap((id) => {
          const value = found.get(businessId)?.get(id)
          return value === undefined ? [] : [[id, value] as const]
        })
        return { value: new Map(values) }
      })
    },
  })
  return { latest: (businessId, signalIds) => batcher.add({ businessId, signalIds }) }
}
