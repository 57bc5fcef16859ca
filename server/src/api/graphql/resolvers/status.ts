import { levelName, type SignalStatus } from '../../../insight/assets/index.ts'
import type { Resolvers } from '../generated/resolvers.ts'

export const statusResolvers = {
  Query: {
    assetStatuses(_, { ids }) {
      return ids.map((id) => ({ id: id ?? null }))
    },
  },

  Asset: {
    status: ({ id }, _, { loaders }) => loaders.status(id),
    statuses: ({ id }, _, { loaders }) => loaders.statuses(id),
  },

  AssetStatusReport: {
    lastHeard: ({ id }, _, { loaders }) => (id === null ? null : loaders.newestAt(id)),
    async categories({ id }, { options }, { loaders }) {
      const all = id === null ? [] : await loaders.statuses(id)
      const limit = options?.limit ?? all.length
      const byCategory = Map.groupBy(all, ({ category }) => category)
      return [...byCategory].map(([category, values]) => {
        return { category, values: values.toSorted(newestFirst).slice(0, limit) }
      })
    },
  },

  AssetStatus: { level: ({ name }) => name },
  SignalStatus: { level: ({ name }) => name },
  StatusEvent: {
    level: ({ name }) => name,
    previous: ({ previous }) => levelName(previous),
  },
  Condition: {
    level: ({ name }) => name,
    worst: ({ worst }) => levelName(worst),
  },
} satisfies Resolvers

function newestFirst(a: SignalStatus, b: SignalStatus): number {
  return b.ts - a.ts
}
