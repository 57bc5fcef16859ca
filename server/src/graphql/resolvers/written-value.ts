import { Fault, type Json } from '../../kernel/index.ts'
import { rowErrorOf } from '../errors.ts'
import type { Resolvers } from '../generated/resolvers.ts'
import { parseObject } from '../inputs.ts'

export const writtenValueResolvers = {
  Mutation: {
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

    async setDeviceResources(_, { device, values }, context) {
      context.work.countLookup()
      const { provisioning, principal } = context
      const { connectorId, identity } = device
      const wanted = parseObject(values, 'values')
      await provisioning.setState(principal.view, connectorId, identity, wanted)
      context.forget()
      const [written] = await provisioning.devices.some(principal.view, [device])
      return written
    },
  },
} satisfies Resolvers
