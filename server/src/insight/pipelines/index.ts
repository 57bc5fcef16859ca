export { builtinsByGroup } from './builtin/registry.ts'
export { createPipelines } from './create.ts'
export type { PipelineDocuments } from './document/documents.ts'
export {
  type AssetPipeline,
  comparedPipelineSchema,
  type LinkSpec,
  linkSchema,
  listedPipelineSchema,
  type PipelineDocument,
  pipelineChangeSchema,
  pipelineSchema,
  pipelineVersionSchema,
} from './document/schema.ts'
export { pipelineLimits } from './limits.ts'
export type { LinkCheck } from './links/link-check.ts'
export type { Links, NewLink } from './links/links.ts'
export type { FunctionList } from './modules/function-lists.ts'
export type { Modules } from './modules/modules.ts'
export {
  type Module,
  moduleChangeSchema,
  moduleCheckSchema,
  moduleDetailsSchema,
  moduleHealthSchema,
  moduleSchema,
  newModuleSchema,
} from './modules/schema.ts'
export type { Pipelines, PipelinesOptions } from './pipelines.ts'
export type { Acting } from './runs/act.ts'
export { type CallCorrection, type FailedCall, failedCallSchema } from './runs/failed-calls.ts'
export {
  type SimulationRequest,
  simulationRequestSchema,
  simulationSchema,
} from './simulation/schema.ts'
export type { Simulations } from './simulation/simulations.ts'
export type { PipelineVersion } from './store/versions.ts'
export { moduleLinks, pipelineRows, solutionActions } from './store.ts'
export type { Consequences, ScriptCause } from './trace/consequences.ts'
export { type TraceStep, traceSchema } from './trace/schema.ts'
export type { Constants, Link } from './types.ts'
