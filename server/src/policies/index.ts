export { ownerOf } from './instructions.ts'
export { createPolicies } from './policies.ts'
export { policyDependants, policyRows } from './store/business.ts'
export type {
  FileStore,
  InstructionFile,
  InstructionUploads,
  InstructionVersion,
  Policies,
  Policy,
  PolicyCase,
  PolicyInput,
  WorkInstruction,
} from './types.ts'
