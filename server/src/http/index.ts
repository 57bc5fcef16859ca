export { notifyLabel } from './host-names.ts'
export { checkAddresses, type Listeners, type ListenTimes, listen } from './listen.ts'
