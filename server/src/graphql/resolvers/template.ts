import type { NewTemplate, TemplateSignal } from '../../assets/index.ts'
import { Fault, parseOwnJson } from '../../kernel/index.ts'
import type { Context } from '../context.ts'
import type { CreateTemplateInput, Resolvers, UpdateTemplateInput } from '../generated/resolvers.ts'
import { pageOf, parseNewSignal, parseObject } from '../inputs.ts'

export const templateResolvers = {
  Query: {
    async templates(_, { text, ids, pagination }, { work, assets, principal }) {
      work.countLookup()
      const filter = { text, ids }
      const found = await assets.templates.list(principal.view, filter, pageOf(pagination))
      work.countRows(found.length)
      return found
    },

    async template(_, { id }, { work, assets, principal }) {
      work.countLookup()
      const [found] = await assets.templates.list(principal.view, { ids: [id] })
      return found ?? null
    },

    async templateVersions(_, { id, pagination }, { work, assets, principal }) {
      work.countLookup()
      const found = await assets.templates.versions(principal.view, id, pageOf(pagination))
      work.countRows(found.length)
      return found
    },

    templateVersion(_, { id, ...number }, { work, assets, principal }) {
      work.countLookup()
      return assets.templates.version(principal.view, id, number)
    },
  },

  Mutation: {
    async createTemplate(_, { input }, context) {
      context.work.countLookup()
      const template = await parseTemplate(input, context)
      const { view, subject } = context.principal
      return context.assets.templates.create(view, template, subject)
    },

    async updateTemplate(_, { id, input }, context) {
      context.work.countLookup()
      const change = parseChange(input)
      const { view, subject } = context.principal
      const changed = await context.assets.templates.update(view, id, change, subject)
      context.forget()
      return changed
    },

    async restoreTemplate(_, { id, ...version }, context) {
      context.work.countLookup()
      const { view, subject } = context.principal
      const restored = await context.assets.templates.restore(view, id, version, subject)
      context.forget()
      return restored
    },

    async deleteTemplate(_, { id }, context) {
      context.work.countLookup()
      const gone = await context.assets.templates.remove(context.principal.view, id)
      context.forget()
      return gone
    },
  },

  Template: {
    assetType: ({ assetType }) => (assetType === null ? null : { name: assetType }),
    signals: ({ signals }) => signals.map(({ key, ...signal }) => ({ key, signal })),
  },

  TemplateVersion: { user: ({ savedBy }, _, { loaders }) => loaders.userOf(savedBy) },
} satisfies Resolvers

/** @throws Fault `invalid_argument`; `not_found` for the asset. */
async function parseTemplate(
  { assetId, ...input }: CreateTemplateInput,
  { pipelines, principal }: Context,
): Promise<NewTemplate> {
  const parsed = { ...parseChange(input), name: input.name }
  if (assetId == null) return parsed
  if (input.signals != null || input.links != null) {
    throw new Fault('invalid_argument', 'A template is of an asset, or of signals and links.')
  }
  return { ...parsed, ...(await pipelines.templates.patternOf(principal.view, assetId)) }
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

/** What is left out is not kept. */
function parseLink(link: NonNullable<CreateTemplateInput['links']>[number]) {
  return parseObject(parseOwnJson(JSON.stringify(link)), 'links')
}
