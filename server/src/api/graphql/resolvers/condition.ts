import type { Resolvers } from '../generated/resolvers.ts'
import { toPage } from '../inputs.ts'
import { valueToText } from './signal.ts'

export const conditionResolvers = {
  Query: {
    conditionQuery(_, { query: filters, order, pagination }, context) {
      const asked = { filters, order, page: toPage(pagination) }
      return context.assets.conditions.query(context.principal.view, asked)
    },

    conditionComments(_, { condition_id: id, pagination }, context) {
      const { conditions } = context.assets
      return conditions.comments(context.principal.view, id, toPage(pagination))
    },
  },

  Mutation: {
    commentCondition(_, { id, comment }, { assets, principal }) {
      return assets.conditions.comment(principal.view, id, comment, principal.subject)
    },

    acknowledgeCondition(_, { id }, { assets, principal }) {
      return assets.conditions.acknowledge(principal.view, id, principal.subject)
    },

    clearCondition(_, { id }, { assets, principal }) {
      return assets.conditions.clear(principal.view, id, principal.subject)
    },
  },

  Condition: {
    asset: ({ assetId }, _, { loaders }) => loaders.asset(assetId),
    timestamp: ({ ts }) => ts,
    valueString: ({ value }) => (value == null ? null : valueToText(value)),
    additionalFields: ({ ruleId, signalId }) => ({ ruleId, signalId }),
    async policy({ assetId, level, worst, category }, _, { loaders }) {
      const asset = await loaders.asset(assetId)
      if (asset === null) return null
      const { assetType, groupId } = asset
      // A condition whose status is normal again is still there for what it was.
      return loaders.policyFor({ level: level || worst, category, assetType, groupId })
    },
  },

  ConditionComment: {
    updatedAt: ({ createdAt }) => createdAt,
    user: ({ by }, _, { loaders }) => loaders.loadUser(by),
  },
} satisfies Resolvers
