import type { Resolvers } from '../generated/resolvers.ts'
import type { FunctionInletRow, FunctionOutletRow } from '../resolver.ts'

/** An inlet or an outlet, as modules describe them. */
type Port = FunctionInletRow | FunctionOutletRow

/** The largest number that GraphQL's Int has. */
const largestInt = 2 ** 31 - 1

/** The protocol has any number here; a list has a whole number of values. */
function wholeCount(most: number | undefined): number | undefined {
  return most === undefined ? undefined : Math.max(0, Math.min(Math.floor(most), largestInt))
}

const portResolvers = {
  primitiveType: (port: Port) => port.primitive_type,
  dataType: (port: Port) => port.data_type ?? [],
  dataUnit: (port: Port) => port.data_unit ?? [],
}

export const insightResolvers = {
  Query: {
    modules(_, __, context) {
      return context.pipelines.modules.list(context.businessId)
    },

    functions(_, { moduleId, groupId }, context) {
      const { modules } = context.pipelines
      return modules.functions(context.businessId, moduleId, groupId ?? undefined)
    },

    functionList(_, { moduleId, groupId }, context) {
      const { modules } = context.pipelines
      return modules.functionList(context.businessId, moduleId, groupId ?? undefined)
    },

    function(_, { moduleId, functionId, groupId }, context) {
      const { modules } = context.pipelines
      return modules.function(context.businessId, moduleId, functionId, groupId ?? undefined)
    },
  },

  Module: {
    description: ({ info }) => info.description,
    groupIdRequired: ({ info }) => info.group_id_required,
    translations: ({ info }) => info.translations,
    health({ id }, _, context) {
      return context.pipelines.modules.report(context.businessId, id)
    },
  },
  FunctionList: {
    functions: ({ insights }) => insights,
    readAt: ({ readAt }) => readAt || null,
  },
  InsightFunction: {
    constantsMultipleMaximum: (insight) => wholeCount(insight.constants_multiple_maximum),
  },
  FunctionConstant: {
    multiple: (constant) => constant.multiple ?? false,
    enumPresented: (constant) => constant.enum_presented,
  },
  FunctionInlet: portResolvers,
  FunctionOutlet: {
    ...portResolvers,
    suggestedName: (outlet: FunctionOutletRow) => outlet.suggested_name,
  },
} satisfies Resolvers
