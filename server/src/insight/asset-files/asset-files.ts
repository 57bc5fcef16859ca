import { csvLine } from '../../devices/provisioning/index.ts'
import { limits } from '../../foundation/kernel/index.ts'
import type { View } from '../../people/groups/index.ts'
import type { AssetFilter } from '../assets/index.ts'
import { assetColumns, toCells } from './columns.ts'
import { type AssetImport, type ImportOptions, importRows } from './import.ts'
import type { ImportResult } from './schema.ts'
import { createTemplateFiles, type TemplateFiles, type TemplateFilesOptions } from './templates.ts'

export type AssetFilesOptions = ImportOptions & TemplateFilesOptions

/** Which assets a file has. */
export type ExportFilter = Pick<AssetFilter, 'groupId' | 'text' | 'levels' | 'templateIds'>

/** Assets as CSV files, and templates of them as documents. */
export type AssetFiles = {
  /** The header, and then a page of assets at a time, in the order they were created. */
  exportCsv(view: View, filter: ExportFilter): AsyncGenerator<string>
  /**
   * Makes and changes assets by the rows of a file; a bad row does not stop the others.
   * @throws Fault `csv_invalid`, `too_large`
   */
  importCsv(wanted: AssetImport): Promise<ImportResult>
  readonly templates: TemplateFiles
}

export function createAssetFiles(options: AssetFilesOptions): AssetFiles {
  const { assets } = options
  return {
    async *exportCsv(view, filter) {
      // A refusal comes before the first byte.
      let page = await assets.list(view, { ...filter, limit: limits.pageMax })
      yield csvLine(assetColumns)
      while (page.length > 0) {
        yield page.map((asset) => csvLine(toCells(asset))).join('')
        if (page.length < limits.pageMax) return
        const after = page.at(-1)?.id
        page = await assets.list(view, { ...filter, after, limit: limits.pageMax })
      }
    },
    importCsv: (wanted) => importRows(options, wanted),
    templates: createTemplateFiles(options),
  }
}
