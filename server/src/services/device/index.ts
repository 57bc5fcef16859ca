export { createConnectorServices } from './connector-services.ts'
