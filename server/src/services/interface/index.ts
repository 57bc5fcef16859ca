export { type Impact, partLabel } from './breaking.ts'
export { createInterface, type Interface, type InterfaceOptions } from './create.ts'
export type { ExternalCalls } from './external-calls.ts'
export type { MeteredSubscription, SubscriberAdmin } from './subscriber-admin.ts'
