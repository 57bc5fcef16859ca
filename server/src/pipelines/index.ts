export { createPipelines, type Pipelines, type PipelinesOptions } from './create.ts'
export type { Links } from './links.ts'
export type { Modules, NewModule } from './modules.ts'
export type { Constants, Link, Module, ModuleReport, NewLink } from './types.ts'
