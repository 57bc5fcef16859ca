import type { Resolvers } from '../generated/resolvers.ts'
import { pageOf } from '../inputs.ts'

export const conditionResolvers = {
  Query: {
    async conditionQuery(_, { query: filters, order, pagination }, context) {
      context.work.countLookup()
      const asked = { filters, order, page: pageOf(pagination) }
      const found = await context.assets.conditions.query(context.businessId, asked)
      context.work.countRows(found.results.length)
      return found
    },

    async conditionComments(_, { condition_id: id, pagination }, context) {
      context.work.countLookup()
      const { conditions } = context.assets
      const found = await conditions.comments(context.businessId, id, pageOf(pagination))
      context.work.countRows(found.length)
      return found
    },
  },

  Mutation: {
    commentCondition(_, { id, comment }, { work, assets, businessId, principal }) {
      work.countLookup()
      return assets.conditions.comment(businessId, id, comment, principal.subject)
    },

    acknowledgeCondition(_, { id }, { work, assets, businessId, principal }) {
      work.countLookup()
      return assets.conditions.acknowledge(businessId, id, principal.subject)
    },

    clearCondition(_, { id }, { work, assets, businessId, principal }) {
      work.countLookup()
      return assets.conditions.clear(businessId, id, principal.subject)
    },
  },

  Condition: {
    asset({ assetId }, _, context) {
      context.work.countLookup()
      return context.assets.get(context.businessId, assetId)
    },
  },
} satisfies Resolvers
