import type { LinkSpec } from '../../pipelines/index.ts'
import type { PipelineLinkInput, Resolvers } from '../generated/resolvers.ts'
import { pageOf, parseObject } from '../inputs.ts'

export const pipelineResolvers = {
  Query: {
    async pipelineVersions(_, { assetId, pagination }, context) {
      context.work.countLookup()
      const { documents } = context.pipelines
      const found = await documents.versions(context.principal.view, assetId, pageOf(pagination))
      context.work.countRows(found.length)
      return found
    },

    pipelineVersion(_, { assetId, ...number }, { work, pipelines, principal }) {
      work.countLookup()
      return pipelines.documents.version(principal.view, assetId, number)
    },

    async fittingSignals(_, { assetId, ...inlet }, context) {
      context.work.countLookup()
      const found = await context.pipelines.links.fitting(context.principal.view, assetId, inlet)
      context.work.countRows(found.length)
      return found
    },
  },

  Mutation: {
    async linkFunction(_, { input }, { work, pipelines, principal, forget }) {
      work.countLookup()
      const link = { ...input, constants: parseObject(input.constants, 'constants') }
      const made = await pipelines.links.create(principal.view, link, principal.subject)
      forget()
      return made
    },

    async updateLink(_, { id, input }, { work, pipelines, principal, forget }) {
      work.countLookup()
      const change = { ...input, constants: parseConstants(input) }
      const changed = await pipelines.links.update(principal.view, id, change, principal.subject)
      forget()
      return changed
    },

    async unlinkFunction(_, { id, removeSignals }, context) {
      context.work.countLookup()
      const { subject: by } = context.principal
      const options = { removeSignals, by }
      const gone = await context.pipelines.links.remove(context.principal.view, id, options)
      context.forget()
      return gone
    },

    async deleteSignal(_, { id }, context) {
      context.work.countLookup()
      const gone = await context.pipelines.links.removeSignal(context.principal.view, id)
      context.forget()
      return gone
    },

    async savePipeline(_, { assetId, input }, context) {
      context.work.countLookup()
      const change = { ...input, links: input.links.map(parseLink) }
      const { documents } = context.pipelines
      const { subject } = context.principal
      const saved = await documents.save(context.principal.view, assetId, change, subject)
      context.forget()
      return saved
    },

    async restorePipeline(_, { assetId, version, current }, context) {
      context.work.countLookup()
      const { documents } = context.pipelines
      const { view, subject } = context.principal
      const saved = await documents.restore(view, assetId, { version, current }, subject)
      context.forget()
      return saved
    },
  },

  Asset: {
    pipeline({ id }, _, context) {
      context.work.countLookup()
      return context.pipelines.documents.get(context.principal.view, id)
    },
  },

  Link: { type: ({ insight }) => insight.type },

  PipelineVersion: { user: ({ savedBy }, _, { loaders }) => loaders.userOf(savedBy) },
} satisfies Resolvers

function parseLink(link: PipelineLinkInput): LinkSpec {
  return { ...link, constants: parseConstants(link) }
}

/** Constants that are left out stay, or are the defaults. */
function parseConstants({ constants }: { readonly constants?: unknown }) {
  return constants == null ? undefined : parseObject(constants, 'constants')
}
