export { userOperations } from './operations.ts'
export { createUsers, type SolutionUsers } from './user-service.ts'
