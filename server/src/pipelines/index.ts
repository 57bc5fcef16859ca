export { createPipelines, type Pipelines, type PipelinesOptions } from './create.ts'
export type { Links } from './links/links.ts'
export type { Modules, NewModule } from './modules/modules.ts'
export type { Constants, Link, Module, ModuleReport, NewLink } from './types.ts'
