export { type Allowances, createAllowances } from './allowances.ts'
export { createHttpService, type HttpServiceOptions } from './http.ts'
export { httpOperations } from './operations.ts'
export { httpRows } from './store.ts'
