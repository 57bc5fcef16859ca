export { createManagement, type Management, type ManagementOptions } from './management.ts'
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
