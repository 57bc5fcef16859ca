export { type Config, configTemplate, readConfig, temporaryConfig } from './config.ts'
export { limitsTemplate, readLimits } from './limit-settings.ts'
