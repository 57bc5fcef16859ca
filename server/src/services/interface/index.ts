export { createInterface } from './create.ts'
export { createShownDefinition } from './definition/definition.ts'
export { interfaceOperations } from './operations.ts'
export type { Interface, InterfaceOptions } from './service.ts'
