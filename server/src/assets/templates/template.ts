import type { View } from '../../groups/index.ts'
import type { Json, JsonObject, PageRange } from '../../kernel/index.ts'
import type { NewSignal } from '../types.ts'

/** A signal of a template. Links of the template name it by its key. */
export type TemplateSignal = NewSignal & { readonly key: string }

/** A pattern of assets, which the whole business has. */
export type Template = {
  readonly id: string
  readonly businessId: string
  readonly name: string
  readonly description: string
  readonly assetType: string | null
  readonly meta: JsonObject
  readonly signals: readonly TemplateSignal[]
  /** As links of a document of a pipeline, in which keys stand for the ids of signals. */
  readonly links: readonly JsonObject[]
  /** Microseconds. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** What is left out is empty. */
export type NewTemplate = { readonly name: string } & Partial<Described>

/** What is changed of a template; what is left out stays. */
export type TemplateChange = { readonly name?: string | null | undefined } & Partial<Described>

type Described = {
  readonly description: string | null | undefined
  readonly assetType: string | null | undefined
  readonly meta: JsonObject | null | undefined
  readonly signals: readonly TemplateSignal[] | null | undefined
  readonly links: readonly Json[] | null | undefined
}

export type TemplateFilter = {
  /** Letters of the name or of the description, in any case. */
  readonly text?: string | null | undefined
  readonly ids?: readonly string[] | null | undefined
}

/**
 * The templates of a business. Everyone of the business sees them; they are changed by those who
 * see all of it.
 */
export type Templates = {
  /** @throws Fault `forbidden`; `invalid_argument`, also past templatesMax. */
  create(view: View, template: NewTemplate): Promise<Template>
  /** @throws Fault `not_found`. */
  get(view: View, id: string): Promise<Template>
  /** In the order they were created. */
  list(view: View, filter?: TemplateFilter, page?: PageRange): Promise<Template[]>
  /** How many of the assets that the view sees were made of each; those of none are left out. */
  countAssets(view: View, ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** @throws Fault `forbidden`, `not_found`, `invalid_argument`. */
  update(view: View, id: string, change: TemplateChange): Promise<Template>
  /** Assets that were made of it stay as they are. @throws Fault `forbidden`, `not_found`. */
  remove(view: View, id: string): Promise<Template>
}
