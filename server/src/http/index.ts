export { checkAddresses } from './addresses.ts'
export { notifyLabel } from './host-names.ts'
export { type Listeners, type ListenTimes, listen } from './listen.ts'
