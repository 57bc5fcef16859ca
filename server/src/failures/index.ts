export { type AllFailures, createFailures } from './failures.ts'
export { type FailureKey, type FailureStage, failureStages, type StageFailure } from './types.ts'
