import { Fault, parseOwnJson } from '../../../foundation/kernel/index.ts'
import type { NewTemplate, TemplateSignal } from '../../../insight/assets/index.ts'
import type { Context } from '../context.ts'
import type { CreateTemplateInput, Resolvers, UpdateTemplateInput } from '../generated/resolvers.ts'
import { parseNewSignal, parseObject, toPage } from '../inputs.ts'

export const templateResolvers = {
  Query: {
    templates(_, { text, ids, pagination }, { assets, principal }) {
      const filter = { text, ids }
      return assets.templates.list(principal.view, filter, toPage(pagination))
    },

    async template(_, { id }, { assets, principal }) {
      const [found] = await assets.templates.list(principal.view, { ids: [id] })
      return found ?? null
    },

    templateVersions(_, { id, pagination }, { assets, principal }) {
      return assets.templates.versions(principal.view, id, toPage(pagination))
    },

    templateVersion(_, { id, ...number }, { assets, principal }) {
      return assets.templates.version(principal.view, id, number)
    },
  },

  Mutation: {
    async createTemplate(_, { input }, context) {
      const template = await parseTemplate(input, context)
      const { view, subject } = context.principal
      return context.assets.templates.create(view, template, subject)
    },

    updateTemplate(_, { id, input }, context) {
      const change = parseChange(input)
      const { view, subject } = context.principal
      return context.assets.templates.update(view, id, change, subject)
    },

    restoreTemplate(_, { id, ...version }, context) {
      const { view, subject } = context.principal
      return context.assets.templates.restore(view, id, version, subject)
    },

    deleteTemplate(_, { id }, context) {
      return context.assets.templates.remove(context.principal.view, id)
    },
  },

  Template: {
    assetType: ({ assetType }) => (assetType === null ? null : { name: assetType }),
    signals: ({ signals }) => signals.map(({ key, ...signal }) => ({ key, signal })),
  },

  TemplateVersion: { user: ({ savedBy }, _, { loaders }) => loaders.loadUser(savedBy) },
} satisfies Resolvers

/** @throws Fault `invalid_argument`; `not_found` for the asset. */
async function parseTemplate(
  { assetId, ...input }: CreateTemplateInput,
  { pipelines, principal }: Context,
): Promise<NewTemplate> {
  const parsed = { ...parseChange(input), name: input.name }
  if (assetId == null) return parsed
  if (input.signals != null || input.links != null) {
    throw new Fault('invalid_argument', 'A template must be of an asset, or of signals and links.')
  }
  return { ...parsed, ...(await pipelines.templates.readPattern(principal.view, assetId)) }
}

function parseChange({ meta, signals, links, ...input }: UpdateTemplateInput) {
  return {
    ...input,
    ...(meta === undefined ? {} : { meta: parseObject(meta, 'meta') }),
    ...(signals === undefined ? {} : { signals: signals?.map(parseSignal) }),
    ...(links === undefined ? {} : { links: links?.map(parseLink) }),
  }
}

function parseSignal({ key, signal }: NonNullable<CreateTemplateInput['signals']>[number]) {
  return { key, ...parseNewSignal(signal) } satisfies TemplateSignal
}

/** Fields that are left out are not kept. */
function parseLink(link: NonNullable<CreateTemplateInput['links']>[number]) {
  return parseObject(parseOwnJson(JSON.stringify(link)), 'links')
}
