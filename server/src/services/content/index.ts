export { createContent, type SolutionContent } from './content-service.ts'
export { contentOperations } from './operations.ts'
