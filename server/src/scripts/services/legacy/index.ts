export { createLegacyServices } from './legacy-services.ts'
