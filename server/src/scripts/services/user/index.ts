export { solutionUserLimits } from './limits.ts'
export { userOperations } from './operations.ts'
export { solutionUsers } from './store/users.ts'
export { createUsers, type SolutionUsers } from './user-service.ts'
