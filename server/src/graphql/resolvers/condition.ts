import type { Resolvers } from '../generated/resolvers.ts'
import { pageOf } from '../inputs.ts'

export const conditionResolvers = {
  Query: {
    async conditionQuery(_, { query: filters, order, pagination }, context) {
      context.work.countLookup()
      const asked = { filters, order, page: pageOf(pagination) }
      const found = await context.assets.conditions.query(context.principal.view, asked)
      context.work.countRows(found.results.length)
      return found
    },

    async conditionComments(_, { condition_id: id, pagination }, context) {
      context.work.countLookup()
      const { conditions } = context.assets
      const found = await conditions.comments(context.principal.view, id, pageOf(pagination))
      context.work.countRows(found.length)
      return found
    },
  },

  Mutation: {
    commentCondition(_, { id, comment }, { work, assets, principal }) {
      work.countLookup()
      return assets.conditions.comment(principal.view, id, comment, principal.subject)
    },

    acknowledgeCondition(_, { id }, { work, assets, principal }) {
      work.countLookup()
      return assets.conditions.acknowledge(principal.view, id, principal.subject)
    },

    clearCondition(_, { id }, { work, assets, principal }) {
      work.countLookup()
      return assets.conditions.clear(principal.view, id, principal.subject)
    },
  },

  Condition: {
    asset({ assetId }, _, context) {
      context.work.countLookup()
      return context.assets.get(context.principal.view, assetId)
    },
  },
} satisfies Resolvers
