import type { VersionNumber } from '../../foundation/database/index.ts'
import { invalid, type PageRange, type RestoredVersion } from '../../foundation/kernel/index.ts'
import type { View } from '../../people/groups/index.ts'
import {
  type Assets,
  changeTo,
  type Template,
  type TemplateFilter,
  type Templates,
  toDocument,
} from '../assets/index.ts'
import type { Pipelines } from '../pipelines/index.ts'
import type {
  ChangedDocument,
  ComparedTemplate,
  ListedTemplate,
  NewTemplateDocument,
  TemplateFile,
} from './schema.ts'

/** Templates of assets as documents. */
export type TemplateFiles = Pick<Templates, 'versions' | 'remove'> & {
  /** In the order they were created, with the number of the assets that the view sees. */
  list(view: View, filter: TemplateFilter, page: PageRange): Promise<ListedTemplate[]>
  /** @throws Fault `not_found` */
  get(view: View, id: string): Promise<TemplateFile>
  /**
   * @param by the principal's subject
   * @throws Fault `forbidden`, `invalid_argument`; `not_found` for the asset
   */
  create(view: View, wanted: NewTemplateDocument, by: string): Promise<TemplateFile>
  /** Makes a template what the document says. @throws Fault as `create`; `template_outdated` */
  replace(view: View, id: string, document: ChangedDocument, by: string): Promise<TemplateFile>
  /** A version, with what it changed in another one. */
  version(view: View, id: string, number: VersionNumber): Promise<ComparedTemplate>
  /** Saves an earlier version again, as a new one. @throws Fault as `replace` */
  restore(view: View, id: string, restored: RestoredVersion, by: string): Promise<TemplateFile>
}

export type TemplateFilesOptions = {
  readonly assets: Pick<Assets, 'templates'>
  readonly pipelines: Pick<Pipelines, 'templates'>
}

export function createTemplateFiles({ assets, pipelines }: TemplateFilesOptions): TemplateFiles {
  const { templates } = assets
  const { versions, remove } = templates
  return {
    versions,
    remove,
    async list(view, filter, page) {
      const found = await templates.list(view, filter, page)
      const ids = found.map(({ id }) => id)
      const counts = await templates.countAssets(view, ids)
      return found.map((one) => {
        const sizes = { signals: one.signals.length, links: one.links.length }
        return { ...one, ...sizes, assets: counts.get(one.id) ?? 0 }
      })
    },
    get: async (view, id) => toTemplateFile(await templates.get(view, id)),
    async create(view, { asset, ...document }, by) {
      if (asset === undefined) return toTemplateFile(await templates.create(view, document, by))
      if (document.signals !== undefined || document.links !== undefined) {
        throw invalid('a template is of an asset, or of signals and links')
      }
      const pattern = await pipelines.templates.readPattern(view, asset)
      return toTemplateFile(await templates.create(view, { ...document, ...pattern }, by))
    },
    replace: async (view, id, { version, ...document }, by) =>
      toTemplateFile(await templates.update(view, id, { ...changeTo(document), version }, by)),
    version: async (view, id, number) =>
      (await templates.version(view, id, number)) as ComparedTemplate,
    restore: async (view, id, restored, by) =>
      toTemplateFile(await templates.restore(view, id, restored, by)),
  }
}

/** Signals have the types of their documents. */
function toTemplateFile(template: Template): TemplateFile {
  const document = toDocument(template) as TemplateFile['document']
  return { ...template, document }
}
