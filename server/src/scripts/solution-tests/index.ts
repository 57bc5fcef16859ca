export { solutionTestLimits } from './limits.ts'
export {
  createTestSchema,
  type TestInput,
  type TestResult,
  testCountsSchema,
  testResultSchema,
} from './schema.ts'
export { SolutionTests } from './solution-tests.ts'
export { type OpenInstance, TestRun } from './test-run.ts'
export type { TestInstance } from './tested-solution.ts'
