import { Fault } from '../../kernel/index.ts'
import type { Resolvers } from '../generated/resolvers.ts'
import { devicesOf, pageOf, parseNewAsset, requireOwnDevices } from '../inputs.ts'

export const assetResolvers = {
  Query: {
    async assets(_, { pagination, groupId }, context) {
      const page = pageOf(pagination)
      const found = await context.assets.list(context.principal.view, { ...page, groupId })
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
      context.work.countLookup()
      const asset = parseNewAsset(input)
      await requireOwnDevices(context, devicesOf(asset))
      const made = await context.assets.create(context.principal.view, asset)
      context.forget()
      return made
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

export const groupResolvers = {
  Query: {
    async groups(_, { pagination }, context) {
      context.work.countLookup()
      const found = await context.groups.list(context.principal.view, {}, pageOf(pagination))
      context.work.countRows(found.length)
      return found
    },
  },

  Mutation: {
    async createGroup(_, { input }, context) {
      context.work.countLookup()
      const made = await context.groups.create(context.principal.view, input)
      context.forget()
      return made
    },
  },
} satisfies Resolvers
