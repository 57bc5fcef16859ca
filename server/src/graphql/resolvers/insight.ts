import type { Resolvers } from '../generated/resolvers.ts'
import { parseObject } from '../inputs.ts'
import type { FunctionInletRow, FunctionOutletRow } from '../resolver.ts'

/** An inlet or an outlet, as modules describe them. */
type Port = FunctionInletRow | FunctionOutletRow

const portResolvers = {
  primitiveType: (port: Port) => port.primitive_type,
  dataType: (port: Port) => port.data_type ?? [],
  dataUnit: (port: Port) => port.data_unit ?? [],
}

export const insightResolvers = {
  Query: {
    async modules(_, __, context) {
      context.work.countLookup()
      const found = await context.pipelines.modules.list(context.businessId)
      context.work.countRows(found.length)
      return found
    },

    async functions(_, { moduleId, groupId }, context) {
      context.work.countLookup()
      const { modules } = context.pipelines
      const found = await modules.functions(context.businessId, moduleId, groupId ?? undefined)
      context.work.countRows(found.length)
      return found
    },
  },

  Mutation: {
    async linkFunction(_, { input }, context) {
      context.work.countLookup()
      const constants = parseObject(input.constants, 'constants')
      const made = await context.pipelines.links.create(context.businessId, { ...input, constants })
      context.forget()
      return made
    },

    async unlinkFunction(_, { id }, context) {
      context.work.countLookup()
      const gone = await context.pipelines.links.remove(context.businessId, id)
      context.forget()
      return gone
    },
  },

  Module: { description: ({ info }) => info.description },
  FunctionConstant: { multiple: (constant) => constant.multiple ?? false },
  FunctionInlet: portResolvers,
  FunctionOutlet: portResolvers,
  Link: { type: ({ insight }) => insight.type },
} satisfies Resolvers
