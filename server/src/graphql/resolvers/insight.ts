import type { Link, Module, NewLink } from '../../pipelines/index.ts'
import type { Context } from '../context.ts'
import { parseObject } from '../inputs.ts'
import type { Resolvers } from '../schema.ts'

type Insight = Link['insight']
/** An inlet or an outlet, as modules describe them. */
type Port = Insight['inlets'][number] | Insight['outlets'][number]

const portResolvers = {
  primitiveType: (port: Port) => port.primitive_type,
  dataType: (port: Port) => port.data_type ?? [],
  dataUnit: (port: Port) => port.data_unit ?? [],
}

export const insightResolvers = {
  Query: { modules, functions },
  Mutation: { linkFunction, unlinkFunction },
  Module: { description: ({ info }: Module) => info.description },
  FunctionConstant: {
    multiple: (constant: Insight['constants'][number]) => constant.multiple ?? false,
  },
  FunctionInlet: portResolvers,
  FunctionOutlet: portResolvers,
  Link: { type: ({ insight }: Link) => insight.type },
} satisfies Resolvers

async function modules(_: unknown, __: unknown, context: Context): Promise<readonly Module[]> {
  context.work.countLookup()
  const found = await context.pipelines.modules.list(context.businessId)
  context.work.countRows(found.length)
  return found
}

async function functions(
  _: unknown,
  { moduleId, groupId }: { readonly moduleId: string; readonly groupId?: string | null },
  context: Context,
): Promise<readonly Insight[]> {
  context.work.countLookup()
  const { modules } = context.pipelines
  const found = await modules.functions(context.businessId, moduleId, groupId ?? undefined)
  context.work.countRows(found.length)
  return found
}

async function linkFunction(
  _: unknown,
  { input }: { readonly input: Omit<NewLink, 'constants'> & { readonly constants?: unknown } },
  context: Context,
): Promise<Link> {
  context.work.countLookup()
  const constants = parseObject(input.constants, 'constants')
  const made = await context.pipelines.links.create(context.businessId, { ...input, constants })
  context.forget()
  return made
}

async function unlinkFunction(
  _: unknown,
  { id }: { readonly id: string },
  context: Context,
): Promise<Link> {
  context.work.countLookup()
  const gone = await context.pipelines.links.remove(context.businessId, id)
  context.forget()
  return gone
}
