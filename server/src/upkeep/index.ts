export { createUpkeep, type Upkeep } from './upkeep.ts'
