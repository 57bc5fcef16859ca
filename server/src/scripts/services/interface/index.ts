export { createInterface } from './create.ts'
export {
  breakingSchema,
  createOfferedSchema,
  createShownSchema,
} from './definition/definition.ts'
export { interfaceLimits } from './limits.ts'
export { interfaceOperations } from './operations.ts'
export type { Interface, InterfaceOptions } from './service.ts'
export { interfaceRows } from './store.ts'
export { createSubscriberSchema } from './subscribers/subscriber-admin.ts'
