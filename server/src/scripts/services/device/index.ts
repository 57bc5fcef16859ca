export { createConnectorServices } from './connector-services.ts'
export { deviceServiceLimits } from './limits.ts'
export { deviceOperations } from './operations.ts'
export { createOwnConnectors } from './own-connectors.ts'
