import type { LinkSpec } from '../../../insight/pipelines/index.ts'
import type { PipelineLinkInput, Resolvers } from '../generated/resolvers.ts'
import { parseObject, toPage } from '../inputs.ts'

export const pipelineResolvers = {
  Query: {
    pipelineVersions(_, { assetId, pagination }, context) {
      const { documents } = context.pipelines
      return documents.versions(context.principal.view, assetId, toPage(pagination))
    },

    pipelineVersion(_, { assetId, ...number }, { pipelines, principal }) {
      return pipelines.documents.version(principal.view, assetId, number)
    },

    fittingSignals(_, { assetId, ...inlet }, context) {
      return context.pipelines.links.fitting(context.principal.view, assetId, inlet)
    },
  },

  Mutation: {
    linkFunction(_, { input }, { pipelines, principal }) {
      const link = { ...input, constants: parseObject(input.constants, 'constants') }
      return pipelines.links.create(principal.view, link, principal.subject)
    },

    updateLink(_, { id, input }, { pipelines, principal }) {
      const change = { ...input, constants: parseConstants(input) }
      return pipelines.links.update(principal.view, id, change, principal.subject)
    },

    unlinkFunction(_, { id, removeSignals }, context) {
      const { subject: by } = context.principal
      const options = { removeSignals, by }
      return context.pipelines.links.remove(context.principal.view, id, options)
    },

    deleteSignal(_, { id }, context) {
      return context.pipelines.links.removeSignal(context.principal.view, id)
    },

    savePipeline(_, { assetId, input }, context) {
      const change = { ...input, links: input.links.map(parseLink) }
      const { documents } = context.pipelines
      const { subject } = context.principal
      return documents.save(context.principal.view, assetId, change, subject)
    },

    restorePipeline(_, { assetId, version, current }, context) {
      const { documents } = context.pipelines
      const { view, subject } = context.principal
      return documents.restore(view, assetId, { version, current }, subject)
    },
  },

  Asset: {
    pipeline({ id }, _, context) {
      return context.pipelines.documents.get(context.principal.view, id)
    },
  },

  Link: { type: ({ insight }) => insight.type },

  PipelineVersion: { user: ({ savedBy }, _, { loaders }) => loaders.loadUser(savedBy) },
} satisfies Resolvers

function parseLink(link: PipelineLinkInput): LinkSpec {
  return { ...link, constants: parseConstants(link) }
}

/** Constants that are left out stay, or are the defaults. */
function parseConstants({ constants }: { readonly constants?: unknown }) {
  return constants == null ? undefined : parseObject(constants, 'constants')
}
