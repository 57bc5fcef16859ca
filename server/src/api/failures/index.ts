export { type AllFailures, createFailures } from './failures.ts'
export { type StageFailure, stageCountsSchema, stageFailureSchema, stageSchema } from './types.ts'
