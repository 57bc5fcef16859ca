export { createDeletion } from './businesses.ts'
export {
  type BusinessDeletion,
  businessDeletionSchema,
  type Deletion,
  type Preview,
  previewSchema,
} from './types.ts'
