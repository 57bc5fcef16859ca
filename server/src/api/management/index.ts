export { refusalSchema } from './contract/common.ts'
export { type Contract, isStream, tags } from './contract/contract.ts'
export { refusalsOf } from './contract/refusals.ts'
export { wireSchema } from './contract/wire.ts'
export type { SentEvent } from './event-stream.ts'
export { createManagement, type Management } from './management.ts'
export { describeApi, type OpenApiDocument } from './openapi/document.ts'
export { contracts } from './operations/all.ts'
export {
  parseTestInput,
  type TestInputBody,
  type TestResultBody,
  testResultBody,
} from './operations/solution-tests.ts'
export { OperatorFile } from './operator-file.ts'
export type { SentAnswer } from './route.ts'
export type { ManagementOptions } from './services.ts'
export { parseConnectorFile } from './wire/definition.ts'
