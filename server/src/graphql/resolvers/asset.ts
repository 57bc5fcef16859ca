import type { Asset } from '../../assets/index.ts'
import { Fault, limits } from '../../kernel/index.ts'
import type { Context } from '../context.ts'
import type { CreateAssetInput, Resolvers, RowError } from '../generated/resolvers.ts'
import {
  devicesOf,
  pageOf,
  parseAssetChange,
  parseAssetFilters,
  parseNewAsset,
  requireOwnDevices,
} from '../inputs.ts'

export const assetResolvers = {
  Query: {
    async assets(_, { filters, ids, pagination, groupId }, context) {
      const asked = { ...parseAssetFilters(filters), ...pageOf(pagination) }
      const named = { ids: ids?.filter((id) => id != null), after: pagination?.after }
      const group = filters?.group_id ?? groupId
      const found = await context.assets.list(context.principal.view, {
        ...asked,
        ...named,
        groupId: group,
      })
      context.work.countRows(found.length)
      return found
    },

    async asset(_, { id }, context) {
      context.work.countLookup()
      try {
        return await context.assets.get(context.principal.view, id)
      } catch (error) {
        if (error instanceof Fault && error.code === 'not_found') return null
        throw error
      }
    },

    assetCount(_, __, context) {
      context.work.countLookup()
      return context.assets.count(context.principal.view)
    },
  },

  Mutation: {
    async createAsset(_, { input }, context) {
      const made = await createAsset(input, context)
      context.forget()
      return made
    },

    async createAssets(_, { inputs }, context) {
      if (inputs.length > limits.graphqlLookupsMax) {
        throw new Fault('invalid_argument', `At most ${limits.graphqlLookupsMax} assets at once.`)
      }
      const results: { asset: Asset | null; error: RowError | null }[] = []
      for (const input of inputs) results.push(await resultOf(() => createAsset(input, context)))
      context.forget()
      return results
    },

    async updateAsset(_, { id, input }, context) {
      context.work.countLookup()
      const change = parseAssetChange(input)
      await requireOwnDevices(context, devicesOf(change))
      const changed = await context.assets.update(context.principal.view, id, change)
      context.forget()
      return changed
    },

    async deleteAsset(_, { id }, context) {
      context.work.countLookup()
      const gone = await context.pipelines.links.removeAsset(context.principal.view, id)
      context.forget()
      return gone
    },
  },

  Asset: {
    group: ({ groupId }, _, { loaders }) => loaders.group(groupId),
    parent: ({ groupId }, _, { loaders }) => loaders.group(groupId),
    assetType: ({ assetType }) => (assetType === null ? null : { name: assetType }),
    template: () => null,
    location: ({ location }) => {
      if (location === null) return null
      if ('signalId' in location) return { mode: 'signal', signal: location.signalId }
      return { mode: 'fixed', ...location }
    },
    signals: ({ id }, _, { loaders }) => loaders.signals(id),
    links: ({ id }, _, { loaders }) => loaders.links(id),

    async events({ id }, { pagination }, context) {
      context.work.countLookup()
      const found = await context.assets.events(context.principal.view, id, pageOf(pagination))
      context.work.countRows(found.length)
      return found
    },

    async log({ id }, { pagination }, context) {
      context.work.countLookup()
      const found = await context.assets.logLines(context.principal.view, id, pageOf(pagination))
      context.work.countRows(found.length)
      return found
    },
  },
} satisfies Resolvers

async function createAsset(input: CreateAssetInput, context: Context): Promise<Asset> {
  context.work.countLookup()
  const asset = parseNewAsset(input)
  await requireOwnDevices(context, devicesOf(asset))
  return context.assets.create(context.principal.view, asset)
}

/** The result of one of several: what went wrong of the caller's doing is its own row's. */
async function resultOf(make: () => Promise<Asset>) {
  try {
    return { asset: await make(), error: null }
  } catch (error) {
    const isOurs = !(error instanceof Fault) || error.code === 'internal'
    if (isOurs || error.code === 'too_complex' || error.code === 'time_exceeded') throw error
    return { asset: null, error: { code: error.code, message: error.detail } }
  }
}
