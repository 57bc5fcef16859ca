import {
  type Assets,
  changeTo,
  type Template,
  type TemplateDocument,
  type TemplateFilter,
  type TemplateVersion,
} from '../assets/index.ts'
import type { RestoredVersion, VersionNumber } from '../database/index.ts'
import type { View } from '../groups/index.ts'
import { invalid, type PageRange } from '../kernel/index.ts'
import type { Pipelines } from '../pipelines/index.ts'

/** A document, or the words of one and the asset of which it is taken. */
export type NewTemplateDocument = TemplateDocument & { readonly asset?: string }

/** A document, and the version that it replaces: refused if there is a newer one. */
export type ChangedDocument = TemplateDocument & { readonly version?: number }

/** Templates of assets as documents. */
export type TemplateFiles = {
  /** In the order they were created. */
  list(view: View, filter: TemplateFilter, page: PageRange): Promise<readonly Template[]>
  /** How many of the assets that the view sees were made of each; those of none are left out. */
  countAssets(view: View, ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** @throws Fault `not_found` */
  get(view: View, id: string): Promise<Template>
  /**
   * @param by the principal's subject
   * @throws Fault `forbidden`, `invalid_argument`; `not_found` for the asset
   */
  create(view: View, wanted: NewTemplateDocument, by: string): Promise<Template>
  /** Makes a template what the document says. @throws Fault as `create`; `template_outdated` */
  replace(view: View, id: string, document: ChangedDocument, by: string): Promise<Template>
  /** Newest first. @throws Fault `not_found`, `invalid_argument` */
  versions(view: View, id: string, page: PageRange): Promise<readonly TemplateVersion[]>
  /** One version, with what it changed in another one. @throws Fault `not_found` */
  version(view: View, id: string, number: VersionNumber): Promise<TemplateVersion>
  /** Saves an earlier version again, as a new one. @throws Fault as `replace` */
  restore(view: View, id: string, restored: RestoredVersion, by: string): Promise<Template>
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
    async create(view, { asset, ...document }, by) {
      if (asset === undefined) return templates.create(view, document, by)
      if (document.signals !== undefined || document.links !== undefined) {
        throw invalid('a template is of an asset, or of signals and links')
      }
      const pattern = await pipelines.templates.patternOf(view, asset)
      return templates.create(view, { ...document, ...pattern }, by)
    },
    replace: (view, id, { version, ...document }, by) =>
      templates.update(view, id, { ...changeTo(document), version }, by),
    versions: (view, id, page) => templates.versions(view, id, page),
    version: (view, id, number) => templates.version(view, id, number),
    restore: (view, id, restored, by) => templates.restore(view, id, restored, by),
    remove: (view, id) => templates.remove(view, id),
  }
}
