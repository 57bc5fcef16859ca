export { createAssetService, statusTrackingId } from './asset-service.ts'
