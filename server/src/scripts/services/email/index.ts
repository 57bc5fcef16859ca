export { createEmailService } from './email-service.ts'
export { scriptMailLimits } from './limits.ts'
export { emailOperations } from './operations.ts'
