export { websocketOperations } from './operations.ts'
export type { Holders } from './security.ts'
export { createStaticFiles } from './static/static-files.ts'
export { createWebservice, type Webservice } from './webservice.ts'
