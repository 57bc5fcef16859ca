export { contracts } from './contract/all.ts'
export { createManagement, type Management, type ManagementOptions } from './management.ts'
export { describeApi, type OpenApiDocument } from './openapi/document.ts'
export { OperatorFile } from './operator-file.ts'
export { parseDefinition } from './wire/definition.ts'
export {
  changeOf,
  fqdnOf,
  inWireNames,
  parseConnectorBody,
  parseSettingsBody,
  settingsBody,
} from './wire/settings.ts'
export { solutionBody } from './wire/solution.ts'
