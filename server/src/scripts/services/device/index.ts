export { createConnectorServices } from './connector-services.ts'
export { deviceOperations } from './operations.ts'
export { createOwnConnectors, type ReadConnectorFile } from './own-connectors.ts'
