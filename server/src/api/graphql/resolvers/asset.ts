import { Fault } from '../../../foundation/kernel/index.ts'
import {
  type Asset,
  type AssetFilter,
  type AssetListField,
  type GeoPoint,
  type NewAsset,
  parsePlace,
} from '../../../insight/assets/index.ts'
import type { Context } from '../context.ts'
import { toRowError } from '../errors.ts'
import { JsonText } from '../execution/list-plan.ts'
import type {
  AssetFilters,
  AssetLocation,
  CreateAssetInput,
  Resolvers,
  RowError,
} from '../generated/resolvers.ts'
import {
  listDevices,
  parseAssetChange,
  parseAssetFilters,
  parseNewAsset,
  requireOwnDevices,
  toPage,
} from '../inputs.ts'
import { graphqlLimits } from '../limits.ts'
import type { AskedField } from '../resolver.ts'

export const assetResolvers = {
  Query: {
    async assets(_, { filters, ids, pagination, groupId }, context, field?: AskedField) {
      const group = filters?.group_id ?? groupId
      const asked = { ...toFilter(context, filters, group), ...toPage(pagination) }
      const named = { ids: ids?.filter((id) => id != null), after: pagination?.after }
      const page = { ...asked, ...named }
      const text = field?.list && (await listText(context, page, field.list))
      // The run of the plan writes it as it is.
      if (text !== undefined) return text as never
      return context.assets.list(context.principal.view, page)
    },

    async asset(_, { id }, context) {
      try {
        return await context.assets.get(context.principal.view, id)
      } catch (error) {
        if (error instanceof Fault && error.code === 'not_found') return null
        throw error
      }
    },

    assetCount(_, { filters, groupId }, context) {
      const group = filters?.group_id ?? groupId
      return context.assets.count(context.principal.view, toFilter(context, filters, group))
    },
  },

  Mutation: {
    createAsset(_, { input }, context) {
      return createAsset(input, context)
    },

    async createAssets(_, { inputs }, context) {
      if (inputs.length > graphqlLimits.graphqlLookupsMax) {
        throw new Fault(
          'invalid_argument',
          `At most ${graphqlLimits.graphqlLookupsMax} assets at once.`,
        )
      }
      const results: { asset: Asset | null; error: RowError | null }[] = []
      for (const input of inputs) {
        try {
          results.push({ asset: await createAsset(input, context), error: null })
        } catch (error) {
          results.push({ asset: null, error: toRowError(error) })
        }
      }
      return results
    },

    async updateAsset(_, { id, input }, context) {
      const change = parseAssetChange(input)
      await requireOwnDevices(context, listDevices(change))
      return context.assets.update(context.principal.view, id, change)
    },

    deleteAsset(_, { id }, context) {
      return context.pipelines.links.removeAsset(context.principal.view, id)
    },
  },

  Asset: {
    group: ({ groupId }, _, { loaders }) => loaders.group(groupId),
    parent: ({ groupId }, _, { loaders }) => loaders.group(groupId),
    assetType: ({ assetType }) => (assetType === null ? null : { name: assetType }),
    template: ({ templateId }, _, { loaders }) =>
      templateId === null ? null : loaders.template(templateId),
    location: ({ location }) => {
      if (location === null) return null
      if ('signalId' in location) return { mode: 'signal', signal: location.signalId }
      return { mode: 'fixed', ...location }
    },
    signals: ({ id }, _, { loaders }) => loaders.signals(id),
    links: ({ id }, _, { loaders }) => loaders.links(id),

    events({ id }, { pagination }, context) {
      return context.assets.events(context.principal.view, id, toPage(pagination))
    },

    log({ id }, { pagination }, context) {
      return context.assets.logLines(context.principal.view, id, toPage(pagination))
    },
  },

  AssetLocation: {
    latitude: async (location, _, context) =>
      location.latitude ?? (await movingPlace(location, context))?.lat ?? null,
    longitude: async (location, _, context) =>
      location.longitude ?? (await movingPlace(location, context))?.lng ?? null,
  },
} satisfies Resolvers

function toFilter(
  { principal }: Context,
  filters: AssetFilters | null | undefined,
  groupId: string | null | undefined,
): AssetFilter {
  const { permissions } = principal
  return { ...parseAssetFilters(filters), permissions, groupId }
}

/** The newest value of a location's signal. */
async function movingPlace(
  { signal }: AssetLocation,
  { loaders }: Context,
): Promise<GeoPoint | undefined> {
  if (signal == null) return undefined
  return parsePlace((await loaders.lastValue(signal))?.value)
}

/** The list as the database writes it, in one statement. */
async function listText(
  { assets, principal }: Context,
  page: AssetFilter,
  fields: readonly AssetListField[],
): Promise<JsonText | undefined> {
  const found = await assets.listText(principal.view, page, fields)
  if (found === undefined) return undefined
  return new JsonText(found.text, found.assets + found.signals)
}

async function createAsset(input: CreateAssetInput, context: Context): Promise<Asset> {
  const { assets, pipelines, principal } = context
  const asset = parseNewAsset(input)
  await requireOwnDevices(context, listDevices(asset))
  const configIo = input.channelsOfDevice === true ? await readConfigIo(asset, context) : undefined
  const made = { ...asset, configIo }
  const { templateId } = made
  if (templateId == null) return assets.create(principal.view, made)
  return pipelines.templates.make(principal.view, { ...made, templateId }, principal.subject)
}

/** The description of channels of an asset's device, which is the business's own. */
async function readConfigIo(
  { device }: NewAsset,
  { provisioning, businessId }: Context,
): Promise<string> {
  if (!device) throw new Fault('invalid_argument', 'channelsOfDevice needs a device.')
  const { connectorId, identity } = device
  const { config_io: value } = await provisioning.state(businessId, connectorId, identity)
  if (value !== undefined) return value.set
  throw new Fault('not_found', 'The device has described no channels: it has no config_io.')
}
