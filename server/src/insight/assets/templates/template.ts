import type { ComparedVersion, VersionNumber } from '../../../foundation/database/index.ts'
import {
  component,
  createDifferenceSchema,
  type JsonObject,
  type PageRange,
  type RestoredVersion,
  type StaticResult,
  Type,
} from '../../../foundation/kernel/index.ts'
import type { View } from '../../../people/groups/index.ts'
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
  /** The number of the newest version. */
  readonly version: number
  /** The user or the token, such as `user:…`; null if the platform did it. */
  readonly savedBy: string | null
}

/** Fields that are left out are empty. */
export type NewTemplate = { readonly name: string } & Partial<Described>

/** A change of a template; fields that are left out stay. */
export type TemplateChange = {
  readonly name?: string | null | undefined
  /** The version that is changed; refused if there is a newer one. */
  readonly version?: number | null | undefined
} & Partial<Described>

/**
 * A template as a document, which another instance takes. Fields that are null or empty are left
 * out.
 */
export type TemplateDocument = {
  readonly name: string
  readonly description?: string
  readonly assetType?: string
  readonly meta?: JsonObject
  readonly signals?: readonly TemplateSignal[]
  /** As links of a pipeline, in which keys stand for the ids of signals. */
  readonly links?: readonly unknown[]
}

export const templateDifferenceSchema = component(
  'TemplateDifference',
  {
    fields: Type.Array(Type.String(), { description: 'Of `name description assetType meta`.' }),
    signals: createDifferenceSchema('By the keys of signals.'),
    links: createDifferenceSchema('By the references of links.'),
  },
  { description: 'What changed from one version of a template to another.' },
)
export type TemplateDifference = StaticResult<typeof templateDifferenceSchema>

/** A version of a template, with what it changed. */
export type TemplateVersion = ComparedVersion<TemplateDocument, TemplateDifference>

type Described = {
  readonly description: string | null | undefined
  readonly assetType: string | null | undefined
  readonly meta: JsonObject | null | undefined
  readonly signals: readonly TemplateSignal[] | null | undefined
  readonly links: readonly unknown[] | null | undefined
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
  /**
   * @param by the principal's subject
   * @throws Fault `forbidden`; `invalid_argument`, also past templatesMax.
   */
  create(view: View, template: NewTemplate, by: string): Promise<Template>
  /** @throws Fault `not_found`. */
  get(view: View, id: string): Promise<Template>
  /** In the order they were created. */
  list(view: View, filter?: TemplateFilter, page?: PageRange): Promise<Template[]>
  /**
   * Counts the assets that the view sees of each template; templates without assets are left out.
   */
  countAssets(view: View, ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** @throws Fault `forbidden`, `not_found`, `invalid_argument`, `template_outdated`. */
  update(view: View, id: string, change: TemplateChange, by: string): Promise<Template>
  /** Newest first. @throws Fault `not_found`, `invalid_argument`. */
  versions(view: View, id: string, page?: PageRange): Promise<TemplateVersion[]>
  /**
   * A version, with what it changed in another one.
   * @throws Fault `not_found`.
   */
  version(view: View, id: string, number: VersionNumber): Promise<TemplateVersion>
  /** Saves an earlier version again, as a new one. @throws Fault as `update`. */
  restore(view: View, id: string, restored: RestoredVersion, by: string): Promise<Template>
  /** Assets that were made of it stay as they are. @throws Fault `forbidden`, `not_found`. */
  remove(view: View, id: string): Promise<Template>
}
