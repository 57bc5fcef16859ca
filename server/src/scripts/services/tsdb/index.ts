export { tsdbOperations } from './operations.ts'
export { createTsdb, type Tsdb } from './tsdb.ts'
