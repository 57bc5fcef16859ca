export { createKeystore, type Keystore } from './keystore.ts'
export { keystoreOperations } from './operations.ts'
