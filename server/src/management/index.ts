export { createManagement, type Management, type ManagementOptions } from './management.ts'
