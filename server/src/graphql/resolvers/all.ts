import type { Resolvers } from '../schema.ts'
import { assetResolvers } from './asset.ts'
import { connectorResolvers } from './connector.ts'
import { groupResolvers } from './group.ts'
import { insightResolvers } from './insight.ts'
import { signalResolvers } from './signal.ts'

/** Every field that is more than a property of the object above it. */
export const resolvers: Resolvers = {
  ...assetResolvers,
  ...connectorResolvers,
  ...insightResolvers,
  ...signalResolvers,
  Query: {
    ...assetResolvers.Query,
    ...connectorResolvers.Query,
    ...groupResolvers.Query,
    ...insightResolvers.Query,
  },
  Mutation: {
    ...assetResolvers.Mutation,
    ...groupResolvers.Mutation,
    ...insightResolvers.Mutation,
    ...signalResolvers.Mutation,
  },
}
