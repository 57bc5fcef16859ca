export { createAssetService } from './asset-service.ts'
