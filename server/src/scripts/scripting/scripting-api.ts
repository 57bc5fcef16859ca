import type { Configuration } from './configurations/configuration.ts'
import type { ServiceRegistry } from './configurations/services.ts'
import type { Endpoints } from './endpoints/endpoints.ts'
import type { Deliveries } from './events/deliveries.ts'
import type { EventHandlers } from './registry/event-handlers.ts'
import type { Ended, HandlerCall } from './runtime/engine.ts'
import type { ScriptValue } from './runtime/value.ts'

/** The part of scripting that services need; they hold only this type. */
export type ScriptingApi = {
  /** Runs a handler now. A handler that is not there is `failed`, status 404. */
  run(call: HandlerCall): Promise<Ended>
  /** Calls a service of a solution as a script of it would. */
  callService(call: OwnServiceCall): Promise<ScriptValue>
  readonly deliveries: Deliveries
  /** Returns whether the solution has a script for the event. */
  handles(businessId: string, solutionId: string, service: string, event: string): Promise<boolean>
  /** As `handles`; true as well if it has `config_fallback`, which takes events of no handler. */
  takes: ScriptingApi['handles']
  /** The solutions of a business that have a script for the event. */
  readonly handlers: EventHandlers['solutions']
  /** The endpoints that solutions serve over HTTP. */
  readonly endpoints: Endpoints
  readonly configurations: ConfigurationReads
  /** Lets a service put a handler that a default script gives, where the solution has none. */
  readonly services: ServiceRegistry
}

/** `service` is its script key; an error is an answer, too. */
export type OwnServiceCall = HandlerCall & { readonly operation: string }

/** Configurations of the service, across the businesses that use it. */
export type ConfigurationReads = {
  find(service: string, id: string): Promise<Configuration | undefined>
  /** The configurations of one solution that name the service. */
  ofSolution(service: string, solutionId: string): Promise<readonly Configuration[]>
  /**
   * The configurations of the service: oldest first; `parameters`: those that hold all of these.
   */
  ofService(service: string, asked: ConfigurationsQuery): Promise<ConfigurationPage>
  /**
   * The configurations of the service `interface` that a business may use: its own, and those whose
   * whitelist names it. Oldest first. Their parameters are a summary, see store/catalogue.ts.
   */
  offeredTo(businessId: string, asked: OffersQuery): Promise<ConfigurationPage>
  /** Stores parameters back, as `setSubscriber` and `subscriberUpdated` do. */
  setParameters(
    service: string,
    id: string,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<Configuration>
}

export type ConfigurationsQuery = {
  /** Asks for those of one business alone. */
  readonly businessId?: string
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly offset: number
  readonly limit: number
}

export type OffersQuery = {
  /** Letters of an id, a script key, a name, a description or a tag, in any case. */
  readonly text?: string | undefined
  readonly tag?: string | undefined
  readonly offset: number
  readonly limit: number
}

export type ConfigurationPage = {
  readonly items: readonly Configuration[]
  readonly total: number
}
