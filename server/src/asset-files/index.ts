export { type AssetFiles, type AssetFilesOptions, createAssetFiles } from './asset-files.ts'
export type { ImportedRow, ImportResult } from './import.ts'
export {
  comparedTemplateSchema,
  listedTemplateSchema,
  newTemplateSchema,
  templateChangeSchema,
  templateSchema,
  templateVersionSchema,
} from './schema.ts'
