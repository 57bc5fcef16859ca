import { Fault, type Json } from '../../kernel/index.ts'
import type { Resolvers } from '../generated/resolvers.ts'
import { deviceOf, parseSignalChange, requireOwnDevices } from '../inputs.ts'
import { rowErrorOf } from '../row-error.ts'

export const signalChangeResolvers = {
  Mutation: {
    async updateSignal(_, { id, input }, context) {
      context.work.countLookup()
      const change = parseSignalChange(input)
      const device = deviceOf(change)
      await requireOwnDevices(context, device === undefined ? [] : [device])
      const { links } = context.pipelines
      const changed = await links.updateSignal(context.principal.view, id, change)
      context.forget()
      return changed
    },

    async moveSignal(_, { id, assetId }, context) {
      context.work.countLookup()
      const { links } = context.pipelines
      const moved = await links.moveSignal(context.principal.view, id, assetId)
      context.forget()
      return moved
    },

    async writeSignalValues(_, { values }, context) {
      context.work.countLookup()
      const { view, subject } = context.principal
      const writes = values.map((one) => ({ ...one, value: one.value as Json }))
      const refusals = await context.pipelines.written.write(view, writes, subject)
      context.work.countRows(values.length)
      return values.map(({ signalId }, at) => {
        const refusal = refusals[at]
        return { signalId, error: refusal instanceof Fault ? rowErrorOf(refusal) : null }
      })
    },
  },
} satisfies Resolvers
