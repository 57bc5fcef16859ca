export { type Impact, placeOf } from './breaking.ts'
export { createInterface, type Interface, type InterfaceOptions } from './create.ts'
export type { ManagedSubscribers, MeteredSubscription } from './managed.ts'
export type { OutsideCalls } from './outside.ts'
