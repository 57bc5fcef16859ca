export { createTsdb, type Tsdb } from './create.ts'
export { tsdbOperations } from './operations.ts'
