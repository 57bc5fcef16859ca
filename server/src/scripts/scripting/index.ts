export { type Finding, findingSchema } from './check/call-findings.ts'
export {
  type Configuration,
  configurationChangeSchema,
  configurationSchema,
  newConfigurationSchema,
  serviceSettingsSchema,
  splitBody,
} from './configurations/configuration.ts'
export type { Configurations } from './configurations/configurations.ts'
export type {
  ChangeSubscriber,
  ConfigurationChange,
  ConfiguredService,
  ConfigureInput,
  Offers,
  Operation,
  OwnServices,
  ProjectStaticFiles,
  Service,
  ServiceCall,
  ServiceEvent,
  ServiceFinder,
  ServiceOutline,
  ServiceSecrets,
  ServiceSettings,
  StaticEntry,
} from './configurations/service.ts'
export type { ServiceRegistry } from './configurations/services.ts'
export { createScripting } from './create.ts'
export type { EndpointCall, Endpoints, SolutionEndpoints } from './endpoints/endpoints.ts'
export type { Deliveries } from './events/deliveries.ts'
export { scriptingLimits } from './limits.ts'
export { createFilesSchema, type FolderFile } from './projects/folder.ts'
export type { WantedService } from './projects/prepare.ts'
export {
  createPushSchema,
  pushQuerySchema,
  type StaticFile,
  type StaticFileStore,
  staticFileSchema,
  staticUploadSchema,
} from './projects/push-static.ts'
export type { Endpoint, EndpointAbout, EndpointSecurity } from './registry/endpoint.ts'
export { kindOfName, sourceSchema } from './registry/script.ts'
export { variableSchema } from './registry/variables.ts'
export { createReplayRequestSchema } from './replays/replays.ts'
export type { Ended, HandlerCall, StopLimit } from './runtime/engine.ts'
export type { ScriptError, ScriptValue } from './runtime/value.ts'
export {
  createNewSolutionSchema,
  createSolutionChangeSchema,
  type DeadDelivery,
  handlerRunSchema,
  pulledSchema,
  pushedSchema,
  replaySchema,
  type Script,
  type ScriptKey,
  type ScriptKind,
  scriptFailureSchema,
  scriptKindSchema,
  scriptLineSchema,
  scriptSchema,
  solutionSchema,
  solutionUseSchema,
} from './schema.ts'
export type { Failures, Scripting, ScriptingOptions } from './scripting.ts'
export type {
  ConfigurationPage,
  ConfigurationReads,
  ConfigurationsQuery,
  OffersQuery,
  ScriptingApi,
} from './scripting-api.ts'
export {
  connectorServices,
  scriptingRows,
  solutionDependants,
  solutionSubscribers,
} from './store/business.ts'
