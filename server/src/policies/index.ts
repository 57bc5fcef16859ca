export { createPolicies } from './policies.ts'
export type {
  FileStore,
  InstructionFile,
  InstructionVersion,
  Policies,
  Policy,
  PolicyCase,
  PolicyInput,
  WorkInstruction,
} from './types.ts'
