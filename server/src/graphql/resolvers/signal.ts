import type { Resolvers } from '../generated/resolvers.ts'
import { deviceOf, parseNewSignal, requireOwnDevices } from '../inputs.ts'

export const signalResolvers = {
  Mutation: {
    async createSignal(_, { assetId, input }, context) {
      context.work.countLookup()
      const signal = parseNewSignal(input)
      const device = deviceOf(signal)
      await requireOwnDevices(context, device === undefined ? [] : [device])
      const made = await context.assets.signals.create(context.principal.view, assetId, signal)
      context.forget()
      return made
    },
  },

  Signal: {
    /** The loader reads those of all signals at once, so this is no look-up of its own. */
    lastValue({ id }, _, context) {
      return context.loaders.lastValue(id)
    },

    async values({ id }, range, context) {
      context.work.countLookup()
      const found = await context.assets.history(context.principal.view, id, range)
      context.work.countRows(found.length)
      return found
    },
  },
} satisfies Resolvers
