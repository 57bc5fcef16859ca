export type { Retention } from './retention.ts'
export {
  createRetentionChangeSchema,
  createValueRetentionSchema,
  retentionInForceSchema,
  retentionPeriodsSchema,
  valueRetentionSchema,
} from './schema.ts'
export { upkeepRows } from './store.ts'
export { createUpkeep, type Upkeep } from './upkeep.ts'
