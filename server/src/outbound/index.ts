export type { OutboundAnswer, OutboundCall } from './call.ts'
export { createOutbound, type Outbound, type OutboundOptions } from './create.ts'
export { type OutboundKind, outboundKind } from './errors.ts'
export type { Lookup } from './lookup.ts'
