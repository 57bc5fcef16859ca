/** Write an insight module as typed functions; serve, describe and check it. */
export type { NowUs } from './clock.ts'
export {
  type Check,
  type CheckOptions,
  type Conformance,
  checkModule,
} from './conformance/check-module.ts'
export { DefinitionError, ModuleError } from './errors.ts'
export type { Limits } from './limits.ts'
export type {
  ConfigurationValues,
  ConstantDeclaration,
  ConstantValues,
  Context,
  EarlierValue,
  FunctionDefinition,
  InletDeclaration,
  InletSignal,
  OutletDeclaration,
} from './module/declarations.ts'
export { defineFunction, type InsightFunction } from './module/define-function.ts'
export { defineModule, type InsightModule, type ModuleDefinition } from './module/define-module.ts'
export { makeOpenApi } from './openapi/definition.ts'
export * from './protocol.ts'
export type { Credentials } from './serve/credentials.ts'
export {
  fetchHandler,
  type HandlerOptions,
  type LambdaEvent,
  type LambdaResult,
  lambdaHandler,
} from './serve/handlers.ts'
export { type Served, type ServeOptions, serve } from './serve/serve.ts'
