import { limits } from '../../kernel/index.ts'
import type { Resolvers } from '../generated/resolvers.ts'
import { pageOf } from '../inputs.ts'

export const groupResolvers = {
  Query: {
    async groups(_, { filters, pagination }, context) {
      context.work.countLookup()
      const page = pageOf(pagination)
      if (filters?.group_type_id != null) return []
      const { text, group_id: groupId, custom_id: customId, recurse } = filters ?? {}
      const filter = { text, groupId, customId, recurse }
      const found = await context.groups.list(context.principal.view, filter, page)
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

    async updateGroup(_, { id, input }, context) {
      context.work.countLookup()
      const changed = await context.groups.update(context.principal.view, id, input)
      context.forget()
      return changed
    },

    async deleteGroup(_, { id }, context) {
      context.work.countLookup()
      const gone = await context.groups.remove(context.principal.view, id)
      context.forget()
      return gone
    },
  },

  Group: {
    custom_id: ({ customId }) => customId,
    parent_id: ({ parentId }) => parentId,
    node_type_id: () => null,
    assets: ({ id }, { pagination }, { loaders }) => loaders.groupAssets(id, pageOf(pagination)),

    async children({ id }, { pagination }, { loaders }) {
      const { limit, offset } = pageOf(pagination)
      return (await loaders.groupChildren(id)).slice(offset, offset + limit)
    },

    async totals({ id }, { recurse }, context) {
      const { work, groups, assets, loaders, principal } = context
      const { view } = principal
      if (!recurse) {
        const own = await loaders.groupCount(id)
        return { assets: own, groups: (await loaders.groupChildren(id)).length }
      }
      work.countLookup()
      const below = await groups.below(view, id)
      const counts = await assets.countIn(view, below.slice(0, limits.groupsMax))
      const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
      return { assets: all, groups: below.length - 1 }
    },
  },
} satisfies Resolvers
