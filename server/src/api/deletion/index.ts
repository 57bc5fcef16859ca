export { createDeletion } from './businesses.ts'
export { deletionLimits } from './limits.ts'
export {
  type BusinessDeletion,
  businessDeletionSchema,
  type Deletion,
} from './types.ts'
