export { websocketOperations } from './operations.ts'
export type { Holders } from './security.ts'
export { staticFileSchema, staticUploadSchema } from './store/static-files.ts'
export { createWebservice, type Webservice } from './webservice.ts'
