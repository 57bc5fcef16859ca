export { createConfigService } from './config-service.ts'
export { createScriptsService } from './scripts-service.ts'
