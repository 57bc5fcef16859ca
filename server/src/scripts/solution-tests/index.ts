export type { DataFile, TestInput, TestInstance } from './instance.ts'
export type { TestResult } from './run.ts'
export { SolutionTests } from './solution-tests.ts'
export { type OpenInstance, TestRun } from './test-run.ts'
