export { createDeletion } from './businesses.ts'
export {
  type BusinessDeletion,
  businessDeletionSchema,
  type Deletion,
} from './types.ts'
