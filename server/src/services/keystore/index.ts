export { createKeystore, type Keystore } from './keystore.ts'
