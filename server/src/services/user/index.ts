export { userOperations } from './operations.ts'
export { createUserService } from './user-service.ts'
