export { type AllFailures, createFailures } from './failures.ts'
export { type StageFailure, stageFailureSchema, stageSchema } from './types.ts'
