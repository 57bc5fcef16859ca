import { Fault, limits } from '../../kernel/index.ts'
import type { Resolvers } from '../generated/resolvers.ts'
import { pageOf, seesDevices } from '../inputs.ts'

export const connectorResolvers = {
  Query: {
    async connectors(_, __, context) {
      context.work.countLookup()
      const found = await context.provisioning.connectors.list(context.businessId)
      context.work.countRows(found.length)
      return found
    },
  },

  Connector: {
    /** Provisioning pages by where the last page ended, so an offset costs what it passes over. */
    async devices({ id }, { pagination }, context) {
      context.work.countLookup()
      const { limit, offset } = pageOf(pagination)
      if (limit === 0 || !(await seesDevices(context))) return []
      if (limit + offset > limits.pageMax) {
        const sentence = `limit and offset together are at most ${limits.pageMax}.`
        throw new Fault('invalid_argument', sentence)
      }
      const { identities } = context.provisioning
      const page = await identities.list(context.businessId, id, { limit: limit + offset })
      const found = page.devices.slice(offset)
      context.work.countRows(found.length)
      return found
    },
  },

  Device: {
    lastSeen: ({ lastseen }) => lastseen,
    lastIp: ({ lastip }) => lastip,

    resources(device, _, context) {
      const resources = Object.entries(device.state)
      context.work.countRows(resources.length)
      return resources.map(([name, { set: value, reported, timestamp }]) => {
        return { name, value, reported, timestamp }
      })
    },

    state: ({ online, lastseen }) => ({ connected: online, lastHeard: lastseen }),
  },
} satisfies Resolvers
