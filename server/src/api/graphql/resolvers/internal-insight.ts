import { builtinsByGroup } from '../../../insight/pipelines/index.ts'
import type { Resolvers } from '../generated/resolvers.ts'
import { toPage } from '../inputs.ts'
import type { FunctionInletRow, FunctionOutletRow, InsightFunctionRow } from '../resolver.ts'

const all = builtinsByGroup.map(({ group, functions }) => ({
  id: group,
  name: group.slice(0, 1).toUpperCase() + group.slice(1),
  description: functions.map(({ name }) => name).join(', '),
  translations: [],
  functions: functions.map(toFunction),
}))

export const internalInsightResolvers = {
  Query: {
    internalInsightModules(_, { pagination }) {
      const { limit, offset } = toPage(pagination)
      const found = all.slice(offset, offset + limit)
      return found
    },

    internalInsightModule(_, { id, pagination }) {
      const { limit, offset } = toPage(pagination)
      const found = all.find((module) => module.id === id)
      if (found === undefined) return null
      const functions = found.functions.slice(offset, offset + limit)
      return { ...found, functions }
    },
  },
} satisfies Resolvers

function toFunction({ id, name, description, type, inlets, outlets }: InsightFunctionRow) {
  const ports = { inlets: inlets.map(toPort), outlets: outlets.map(toPort) }
  return { id, name, description, type, dsl: null, action: null, ...ports }
}

function toPort(port: FunctionInletRow | FunctionOutletRow) {
  return {
    name: port.name ?? null,
    description: port.description ?? null,
    tag: ('tag' in port && port.tag) || null,
    units: port.data_unit ?? [],
    types: port.data_type ?? [],
    primitive: port.primitive_type ?? null,
  }
}
