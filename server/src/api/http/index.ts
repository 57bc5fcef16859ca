export { checkAddresses } from './addresses.ts'
export { notifyLabel } from './host-names.ts'
export { type Listeners, listen } from './listen.ts'
export type { ListenTimes } from './listen-options.ts'
