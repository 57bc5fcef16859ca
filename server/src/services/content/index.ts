export { createContent, type SolutionContent } from './content-service.ts'
export { contentOperations } from './operations.ts'
export { ownedRows } from './store/files.ts'
