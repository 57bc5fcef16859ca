export type { Configuration } from './configuration.ts'
export type { Configurations } from './configurations.ts'
export { createScripting, type Failures, type Scripting, type ScriptingOptions } from './create.ts'
export { type DeadDelivery, type DeadKey, formatDeadKey, parseDeadKey } from './delivery.ts'
export type { Endpoint, EndpointSecurity } from './endpoint.ts'
export type { Ended, StopLimit } from './engine.ts'
export { type FolderFile, parseFiles } from './folder.ts'
export type { ScriptLineFilter, ScriptLinesAsked } from './lines.ts'
export type { WantedService } from './prepare.ts'
export type { Pushed } from './push.ts'
export {
  isLuaFile,
  kindOfName,
  type Script,
  type ScriptKey,
  type ScriptKind,
  scriptKinds,
} from './script.ts'
export {
  formatLineKey,
  logLevels,
  parseLineKey,
  type ScriptLine,
  type ScriptLineKey,
  scriptLineKinds,
} from './script-line.ts'
export type {
  ConfigurationPage,
  ConfigurationReads,
  ConfigurationsAsked,
  Deliveries,
  HandlerCall,
  Scripts,
  ServiceRegistry,
} from './scripting.ts'
export type { EndpointCall, Endpoints, Served } from './served.ts'
export type {
  ConfigurationChange,
  Configured,
  ConfigureInput,
  Hearer,
  Offers,
  Operation,
  Service,
  ServiceCall,
  ServiceEvent,
  ServiceFinder,
} from './service.ts'
export { limitWords, type Solution, type SolutionInput } from './solution.ts'
export type { ScriptError, ScriptValue } from './value.ts'
