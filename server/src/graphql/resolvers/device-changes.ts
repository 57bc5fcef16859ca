import type { Resolvers } from '../generated/resolvers.ts'
import { parseObject, requireOwnDevices } from '../inputs.ts'

export const deviceChangeResolvers = {
  Mutation: {
    async setDeviceResources(_, { device, values }, context) {
      context.work.countLookup()
      const { provisioning, businessId } = context
      await requireOwnDevices(context, [device])
      const { connectorId, identity } = device
      const wanted = parseObject(values, 'values')
      await provisioning.setState(businessId, connectorId, identity, wanted)
      context.forget()
      return provisioning.identities.get(businessId, connectorId, identity)
    },
  },
} satisfies Resolvers
