export { createConfigService } from './config-service.ts'
export { configOperations, scriptsOperations } from './operations.ts'
export { createScriptsService } from './scripts-service.ts'
