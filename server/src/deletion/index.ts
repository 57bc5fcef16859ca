export { createDeletion } from './businesses.ts'
export {
  type BusinessDeletion,
  type Deletion,
  deletionSteps,
  type Preview,
} from './types.ts'
