import { requirePermission } from '../../accounts/index.ts'
import type { Group, NewGroup } from '../../assets/index.ts'
import type { Context } from '../context.ts'
import type { Resolvers } from '../schema.ts'

export const groupResolvers = { Query: { groups }, Mutation: { createGroup } } satisfies Resolvers

async function groups(_: unknown, __: unknown, context: Context): Promise<Group[]> {
  requirePermission(context.principal, 'View Asset')
  const found = [...(await context.loaders.groups()).values()]
  context.work.countRows(found.length)
  return found
}

async function createGroup(
  _: unknown,
  { input }: { readonly input: NewGroup },
  context: Context,
): Promise<Group> {
  requirePermission(context.principal, 'Group Management')
  context.work.countLookup()
  const made = await context.assets.groups.create(context.businessId, input)
  context.forget()
  return made
}
