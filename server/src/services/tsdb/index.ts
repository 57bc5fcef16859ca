export { createTsdb, type Tsdb } from './create.ts'
