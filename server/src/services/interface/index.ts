export type { ExternalCalls } from './calls/external-calls.ts'
export { createInterface, type Interface, type InterfaceOptions } from './create.ts'
export { type Impact, partLabel } from './definition/breaking.ts'
export type { MeteredSubscription, SubscriberAdmin } from './subscribers/subscriber-admin.ts'
