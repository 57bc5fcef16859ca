import type { Asset, Group, LogLine, NewGroup, StatusEvent } from '../../assets/index.ts'
import { Fault } from '../../kernel/index.ts'
import type { Context } from '../context.ts'
import {
  type CreateAssetInput,
  devicesOf,
  type Pagination,
  pageOf,
  parseNewAsset,
  requireOwnDevices,
} from '../inputs.ts'
import type { Resolvers } from '../schema.ts'

type Paged = { readonly pagination?: Pagination | null }

export const assetResolvers = {
  Query: { assets, asset, assetCount },
  Mutation: { createAsset, deleteAsset },
  Asset: {
    group: async ({ groupId }: Asset, _: unknown, { loaders }: Context) =>
      (await loaders.groups()).get(groupId),
    status: ({ id }: Asset, _: unknown, { loaders }: Context) => loaders.status(id),
    signals: ({ id }: Asset, _: unknown, { loaders }: Context) => loaders.signals(id),
    links: ({ id }: Asset, _: unknown, { loaders }: Context) => loaders.links(id),
    events,
    log,
  },
} satisfies Resolvers

async function assets(
  _: unknown,
  { pagination, groupId }: Paged & { readonly groupId?: string | null },
  context: Context,
): Promise<Asset[]> {
  const page = pageOf(pagination)
  const found = await context.assets.list(context.businessId, { ...page, groupId })
  context.work.countRows(found.length)
  return found
}

async function asset(
  _: unknown,
  { id }: { readonly id: string },
  context: Context,
): Promise<Asset | null> {
  context.work.countLookup()
  try {
    return await context.assets.get(context.businessId, id)
  } catch (error) {
    if (error instanceof Fault && error.code === 'not_found') return null
    throw error
  }
}

function assetCount(_: unknown, __: unknown, context: Context): Promise<number> {
  context.work.countLookup()
  return context.assets.count(context.businessId)
}

async function createAsset(
  _: unknown,
  { input }: { readonly input: CreateAssetInput },
  context: Context,
): Promise<Asset> {
  context.work.countLookup()
  const asset = parseNewAsset(input)
  await requireOwnDevices(context, devicesOf(asset))
  const made = await context.assets.create(context.businessId, asset)
  context.forget()
  return made
}

async function deleteAsset(
  _: unknown,
  { id }: { readonly id: string },
  context: Context,
): Promise<Asset> {
  context.work.countLookup()
  // Before the asset itself: the modules of its functions hear that the links end.
  await context.pipelines.links.removeOfAsset(context.businessId, id)
  const gone = await context.assets.remove(context.businessId, id)
  context.forget()
  return gone
}

async function events(
  { id }: Asset,
  { pagination }: Paged,
  context: Context,
): Promise<StatusEvent[]> {
  context.work.countLookup()
  const found = await context.assets.events(context.businessId, id, pageOf(pagination))
  context.work.countRows(found.length)
  return found
}

async function log({ id }: Asset, { pagination }: Paged, context: Context): Promise<LogLine[]> {
  context.work.countLookup()
  const found = await context.assets.logLines(context.businessId, id, pageOf(pagination))
  context.work.countRows(found.length)
  return found
}

export const groupResolvers = { Query: { groups }, Mutation: { createGroup } } satisfies Resolvers

async function groups(_: unknown, __: unknown, context: Context): Promise<Group[]> {
  const found = [...(await context.loaders.groups()).values()]
  context.work.countRows(found.length)
  return found
}

async function createGroup(
  _: unknown,
  { input }: { readonly input: NewGroup },
  context: Context,
): Promise<Group> {
  context.work.countLookup()
  const made = await context.assets.groups.create(context.businessId, input)
  context.forget()
  return made
}
