export { type AllFailures, createFailures } from './failures.ts'
export { type FailureStage, failureStages, type StageFailure } from './types.ts'
