export { contracts } from './contract/all.ts'
export { refusalSchema } from './contract/common.ts'
export { type Contract, isStream, tags } from './contract/contract.ts'
export { refusalsOf } from './contract/refusals.ts'
export { createManagement, type Management, type ManagementOptions } from './management.ts'
export { describeApi, type OpenApiDocument } from './openapi/document.ts'
export { OperatorFile } from './operator-file.ts'
export type { SentAnswer } from './route.ts'
export { parseDefinition } from './wire/definition.ts'
export {
  changeOf,
  fqdnOf,
  inWireNames,
  parseConnectorBody,
  parseSettingsBody,
  settingsBody,
} from './wire/settings.ts'
