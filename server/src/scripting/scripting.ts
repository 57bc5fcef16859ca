import type { Transaction } from '../database/index.ts'
import type { Configuration } from './configurations/configuration.ts'
import type { Service, ServiceFinder } from './configurations/service.ts'
import type { Endpoints } from './endpoints/endpoints.ts'
import type { Ended } from './runtime/engine.ts'
import type { ScriptValue } from './runtime/value.ts'

/** An event for one solution: the call of its handler `handle_<service>_<event>`. */
export type HandlerCall = {
  readonly businessId: string
  readonly solutionId: string
  /** The alias under which the solution has the service: `device2`. */
  readonly service: string
  readonly event: string
  readonly argument: ScriptValue
  readonly callerId?: string
  /** Given on, so that one id follows a call through solutions; made where there is none. */
  readonly trackingId?: string
  readonly depth?: number
  readonly wallMsMax?: number
}

/** Calls that wait for their turn, durable: a job, not a promise. */
export type Deliveries = {
  /** Kept by the caller's transaction; run soon after its COMMIT. */
  addIn(transaction: Transaction, calls: readonly HandlerCall[]): Promise<void>
  add(calls: readonly HandlerCall[]): Promise<void>
  /** Whether so many calls of the solution wait already. */
  isBehind(solutionId: string, count: number): Promise<boolean>
}

/** What services need of scripting; they hold only this type. */
export type ScriptingApi = {
  /** Runs a handler now. A handler that is not there is `failed`, status 404. */
  run(call: HandlerCall): Promise<Ended>
  readonly deliveries: Deliveries
  /** Whether the solution has a script for the event. */
  handles(businessId: string, solutionId: string, service: string, event: string): Promise<boolean>
  /** What solutions serve over HTTP. */
  readonly endpoints: Endpoints
  readonly configurations: ConfigurationReads
  /** Lets a service put a handler that a default script gives, where the solution has none. */
  readonly services: ServiceRegistry
}

/** Configurations as the service sees them, across the businesses that use it. */
export type ConfigurationReads = {
  find(service: string, id: string): Promise<Configuration | undefined>
  /** The configurations of one solution that name the service. */
  ofSolution(service: string, solutionId: string): Promise<readonly Configuration[]>
  /** Who has the service: oldest first; `parameters`: those that hold all of these. */
  ofService(service: string, asked: ConfigurationsQuery): Promise<ConfigurationPage>
  /** Stores parameters back, as `setSubscriber` and `subscriberUpdated` do. */
  setParameters(
    service: string,
    id: string,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<Configuration>
}

export type ConfigurationsQuery = {
  /** Those of one business alone. */
  readonly businessId?: string
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly offset: number
  readonly limit: number
}

export type ConfigurationPage = {
  readonly items: readonly Configuration[]
  readonly total: number
}

export type ServiceRegistry = {
  register(service: Service): void
  registerFinder(finder: ServiceFinder): void
}
