export { createConnectorServices } from './connector-services.ts'
export { deviceOperations } from './operations.ts'
export { createOwnConnectors } from './own-connectors.ts'
