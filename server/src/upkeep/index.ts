export type {
  Retention,
  RetentionKind,
  RetentionPeriods,
} from './retention.ts'
export { upkeepRows } from './store.ts'
export { createUpkeep, type Upkeep } from './upkeep.ts'
