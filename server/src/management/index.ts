export { createManagement, type Management, type ManagementOptions } from './management.ts'
export { fqdnOf, inWireNames, parseSettingsBody, settingsBody } from './wire/settings.ts'
export { solutionBody } from './wire/solution.ts'
