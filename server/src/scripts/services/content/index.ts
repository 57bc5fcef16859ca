export { createContent, type SolutionContent } from './content-service.ts'
export { solutionContentLimits } from './limits.ts'
export { contentOperations } from './operations.ts'
export { ownedRows, readFileBytes } from './store/files.ts'
