export { type AssetFiles, type AssetFilesOptions, createAssetFiles } from './asset-files.ts'
export {
  assetImportSchema,
  comparedTemplateSchema,
  listedTemplateSchema,
  newTemplateSchema,
  templateChangeSchema,
  templateSchema,
  templateVersionSchema,
} from './schema.ts'
