import type {
  Assets,
  NewTemplate,
  Template,
  TemplateFilter,
  TemplateSignal,
} from '../assets/index.ts'
import type { View } from '../groups/index.ts'
import {
  invalid,
  isJsonObject,
  type Json,
  type JsonObject,
  type PageRange,
} from '../kernel/index.ts'
import type { Pipelines } from '../pipelines/index.ts'

/** A template as a document, which another instance takes. What is null is left out. */
export type TemplateDocument = {
  readonly name: string
  readonly description?: string
  readonly assetType?: string
  readonly meta?: JsonObject
  readonly signals?: readonly TemplateSignal[]
  /** As links of a pipeline, in which keys stand for the ids of signals. */
  readonly links?: readonly Json[]
}

/** A document, or the words of one and the asset of which it is taken. */
export type NewTemplateDocument = TemplateDocument & { readonly asset?: string }

/** Templates of assets as documents. */
export type TemplateFiles = {
  /** In the order they were created. */
  list(view: View, filter: TemplateFilter, page: PageRange): Promise<readonly Template[]>
  /** How many of the assets that the view sees were made of each; those of none are left out. */
  countAssets(view: View, ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** @throws Fault `not_found` */
  get(view: View, id: string): Promise<Template>
  /** @throws Fault `forbidden`, `invalid_argument`; `not_found` for the asset */
  create(view: View, wanted: NewTemplateDocument): Promise<Template>
  /** Makes a template what the document says. @throws Fault as `create` */
  replace(view: View, id: string, document: TemplateDocument): Promise<Template>
  /** Assets that were made of it stay. @throws Fault `forbidden`, `not_found` */
  remove(view: View, id: string): Promise<Template>
}

export type TemplateFilesOptions = {
  readonly assets: Pick<Assets, 'templates'>
  readonly pipelines: Pick<Pipelines, 'templates'>
}

export function createTemplateFiles({ assets, pipelines }: TemplateFilesOptions): TemplateFiles {
  const { templates } = assets
  return {
    list: (view, filter, page) => templates.list(view, filter, page),
    countAssets: (view, ids) => templates.countAssets(view, ids),
    get: (view, id) => templates.get(view, id),
    async create(view, { asset, ...document }) {
      if (asset === undefined) return templates.create(view, document)
      if (document.signals !== undefined || document.links !== undefined) {
        throw invalid('a template is of an asset, or of signals and links')
      }
      const pattern = await pipelines.templates.patternOf(view, asset)
      return templates.create(view, { ...document, ...pattern })
    },
    replace: (view, id, document) => templates.update(view, id, { ...empty, ...document }),
    remove: (view, id) => templates.remove(view, id),
  }
}

const empty: Omit<Required<NewTemplate>, 'name'> = {
  description: '',
  assetType: null,
  meta: {},
  signals: [],
  links: [],
}

/** The document of a template: what `create` takes. */
export function documentOf(template: Template): TemplateDocument {
  const { name, description, assetType, meta, signals, links } = template
  return {
    name,
    ...(description !== '' && { description }),
    ...(assetType !== null && { assetType }),
    ...(Object.keys(meta).length > 0 && { meta }),
    signals: signals.map(withoutEmpty),
    links: links.map(({ constants, ...link }) => {
      const rest = withoutNulls(link) as JsonObject
      return constants == null ? rest : { ...rest, constants }
    }),
  }
}

/** A signal without what it does not say. */
function withoutEmpty(signal: TemplateSignal): TemplateSignal {
  const isEmpty = (value: unknown) =>
    value == null || value === '' || (isJsonObject(value) && Object.keys(value).length === 0)
  const said = Object.entries(signal).filter(([, value]) => !isEmpty(value))
  return Object.fromEntries(said) as TemplateSignal
}

/** Leaves out what is null, at every depth. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isJsonObject(value)) return value
  const fields = Object.entries(value).filter(([, one]) => one !== null)
  return Object.fromEntries(fields.map(([name, one]) => [name, withoutNulls(one)]))
}
