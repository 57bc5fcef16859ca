export { contentOwner } from './instructions.ts'
export { policyLimits } from './limits.ts'
export { createPolicies } from './policies.ts'
export { policyDependants, policyRows } from './store/business.ts'
export {
  type FileStore,
  type InstructionFile,
  type InstructionUploads,
  type InstructionVersion,
  type Policies,
  type Policy,
  type PolicyCase,
  type PolicyInput,
  uploadedVersionSchema,
  type WorkInstruction,
} from './types.ts'
