export { createEmailService } from './email-service.ts'
export { emailOperations } from './operations.ts'
