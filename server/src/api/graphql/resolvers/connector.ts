import { Fault, limits } from '../../../foundation/kernel/index.ts'
import type { Resolvers } from '../generated/resolvers.ts'
import { toPage } from '../inputs.ts'

export const connectorResolvers = {
  Mutation: {
    async setConnectorRetention(_, { id, hours = null }, { provisioning, principal }) {
      await provisioning.connectors.setRetention(principal.view, id, hours)
      return provisioning.connectors.get(principal.businessId, id)
    },
  },

  Query: {
    connectors(_, __, context) {
      return context.provisioning.connectors.list(context.principal.view)
    },
  },

  Connector: {
    async retentionHours({ id }, _, { loaders }) {
      return (await loaders.connectorRetentions()).get(id) ?? null
    },

    /** Provisioning pages by where the last page ended, so an offset costs what it passes over. */
    async devices({ id: connectorId }, { pagination }, context) {
      const { limit, offset } = toPage(pagination)
      if (limit === 0) return []
      if (limit + offset > limits.pageMax) {
        const sentence = `limit and offset together are at most ${limits.pageMax}.`
        throw new Fault('invalid_argument', sentence)
      }
      const { identities, devices } = context.provisioning
      const { view } = context.principal
      const page = await identities.list(view, connectorId, { limit: limit + offset })
      const listed = page.devices.slice(offset)
      const names = listed.map(({ identity }) => ({ connectorId, identity }))
      const records = new Map((await devices.some(view, names)).map((one) => [one.identity, one]))
      return listed.flatMap(({ identity, state }) => {
        const record = records.get(identity)
        return record === undefined ? [] : [{ ...record, state }]
      })
    },
  },
} satisfies Resolvers
