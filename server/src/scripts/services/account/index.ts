export { createAccountService } from './account-service.ts'
export { accountOperations } from './operations.ts'
