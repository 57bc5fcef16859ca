export { webserviceLimits } from './limits.ts'
export { websocketOperations } from './operations.ts'
export type { Holders } from './security.ts'
export { createWebservice, type Webservice } from './webservice.ts'
