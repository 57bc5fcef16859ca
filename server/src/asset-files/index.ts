export { type AssetFiles, type AssetFilesOptions, createAssetFiles } from './asset-files.ts'
export type { ImportedRow, ImportResult } from './import.ts'
export type { TemplateFiles } from './templates.ts'
