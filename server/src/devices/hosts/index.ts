export { createHosts, type Hosts, type HostsOptions, idTaken } from './hosts.ts'
export { hostLimits } from './limits.ts'
export type { HostKind, HostLabel } from './store.ts'
export { hostRows } from './store.ts'
