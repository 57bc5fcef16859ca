import type { Queryable, Transaction } from '../../../foundation/database/index.ts'
import {
  type Fields,
  type OperationEffect,
  type OperationSchema,
  type TSchema,
  withoutRefused,
} from '../../../foundation/kernel/index.ts'
import type { Ended, HandlerCall } from '../runtime/engine.ts'
import type { ScriptValue } from '../runtime/value.ts'
import type { SolutionUse } from '../schema.ts'
import type { Configuration } from './configuration.ts'

/**
 * A service that scripts can call, and that raises events toward them. Each module under
 * `services/` makes one; `main.ts` registers them. An exposed solution is one, too, and a
 * connector: those are found by a `ServiceFinder`.
 */
export type Service = {
  /** As documents spell it: `http`. Scripts may write `Http`, too. */
  readonly name: string
  /** True if every solution has it without a configuration. */
  readonly always: boolean
  /** Another service of a solution may have its name as script key, although it is always there. */
  readonly yields?: true
  /**
   * It is a connector. Its id may be that of a solution of somebody else, so its configurations are
   * kept apart: they are nobody's subscriptions.
   */
  readonly connector?: true
  /** Events that it raises; a solution handles one with the script `<alias>_<event>`. */
  readonly events: readonly ServiceEvent[]
  /** The parameter of handlers of events that are not listed; `event` if it is left out. */
  readonly eventTitle?: string
  /** More events, that come of one configuration: the operations that a solution exposes. */
  listEvents?(configuration: Configuration): readonly ServiceEvent[]
  operation(name: string): Operation | undefined
  /** Returns the outline of one configuration for scripts, if that is not the same for all. */
  makeOutline?(configuration: Configuration): ServiceOutline
  /**
   * Looks at a configuration before it is stored, and gives it as it will be stored. Without it
   * there is nothing to be set.
   * @throws Fault invalid_argument with the sentence of what is wrong.
   */
  configure?(input: ConfigureInput): Promise<ConfiguredService>
  /** The contract of its settings; without it they are free. */
  readonly settings?: ServiceSettings
  /** The solution to notify of a change, if any; called before the change. */
  changeSubscriber?(
    kind: ConfigurationChange['kind'],
    configuration: Configuration,
  ): Promise<ChangeSubscriber | undefined>
  /**
   * After the change was committed; `end`: of the call that was waited for, if one was. A failure
   * is logged, and undoes nothing.
   */
  onConfigurationChange?(change: ConfigurationChange, end?: Ended): Promise<void>
  /** Another process has changed solutions: what is kept in memory of them is read anew. */
  forget?(): void
  /** Files beside the scripts, which pushes and pulls of a project include. */
  readonly staticFiles?: ProjectStaticFiles
  /** Returns the use of a solution now, beside the limits of it. */
  usage?(solutionId: string): Promise<readonly SolutionUse[]>
  /** Removes what it keeps of a solution, in the transaction that removes the solution. */
  removeIn?(transaction: Transaction, solutionId: string): Promise<void>
}

/** The contract of the `parameters` of configurations. */
export type ServiceSettings = {
  /**
   * Secrets are `writeOnly`, what is only shown is `readOnly`, and what has several lines has a
   * `contentMediaType`. A setting that is left out of a change stays; one that may be null is
   * removed by it.
   */
  schema(): TSchema
  /** JSON pointers of the secrets that are stored: `/Providers/apn/Key`. */
  listSecrets(configuration: Configuration): readonly string[]
  /** True if `triggers` are of use, too. */
  readonly hasTriggers: boolean
  /**
   * Settings by which something is protected. A push passes over a setting that the schema refuses,
   * unless it is one of these: then it is refused.
   */
  readonly guards?: readonly string[]
}

/** A static file: its path as it is served, and the SHA-256 of its bytes in base64url. */
export type StaticEntry = { readonly path: string; readonly etag: string }

/** The static files of solutions, as parts of projects. */
export type ProjectStaticFiles = {
  /** @throws Fault invalid_argument */
  checkPath(path: string): void
  /** By their paths. */
  list(queryable: Queryable, solutionId: string): Promise<readonly StaticEntry[]>
  /** Returns the etags whose bytes the solution has. */
  known(
    queryable: Queryable,
    solutionId: string,
    etags: readonly string[],
  ): Promise<ReadonlySet<string>>
  /** @throws Fault too_large past the quota, overloaded if bytes are gone meanwhile */
  changeIn(
    transaction: Transaction,
    solutionId: string,
    change: { readonly put: readonly StaticEntry[]; readonly removed: readonly string[] },
    atUs: number,
  ): Promise<void>
}

/** The operations and the events of a service, as scripts see them. */
export type ServiceOutline = Pick<Service, 'events' | 'eventTitle'> & {
  operation(name: string): Pick<Operation, 'schema'> | undefined
}

export type ServiceEvent = {
  readonly name: string
  /** The handler's parameter; `event` where the service does not name it. */
  readonly title?: string
  /** Becomes the solution's handler when the service is added, unless it has one. */
  readonly defaultScript?: string
  /** Becomes the solution's handler whenever it is given anew, also in place of another. */
  readonly script?: string
}

/** Encryption with the key of the instance; `context` names the secret and its owner. */
export type ServiceSecrets = {
  seal(text: string, context: string): string
  open(sealed: string, context: string): string
}

/**
 * Without `effect`, any call may change something.
 * @throws Fault, which the script gets back as `{type, error, status}`.
 */
export type Operation = ((call: ServiceCall, args: ScriptValue) => Promise<ScriptValue>) & {
  readonly effect?: OperationEffect
  /** Its contract, where it has one. */
  readonly schema?: OperationSchema
}

/** The caller, and how far the call may still go. */
export type ServiceCall = {
  readonly businessId: string
  readonly solutionId: string
  readonly alias: string
  /** The solution's configuration of the service; undefined where it has none. */
  readonly configuration: Configuration | undefined
  readonly trackingId: string
  /** Interface calls above this one. */
  readonly depth: number
  readonly remainingMs: number
  /** Aborted when the calling script has ended. */
  readonly signal: AbortSignal
  /** Why an answer is too large for the calling script: a sentence; undefined if it is not. */
  readonly refuseSize?: (answer: ScriptValue) => string | undefined
  /** Gets an argument that an operation does not have; absent where no script calls. */
  readonly unknown?: (operation: string, argument: string) => void
  /** Writes a warning into the log of the calling solution; absent where no script calls. */
  readonly warn?: (text: string) => void
}

export type ConfigureInput = {
  readonly businessId: string
  readonly solutionId: string
  /** The stored configuration; undefined if it is added now. */
  readonly before: Configuration | undefined
  /** The body that the caller wrote, unchecked. */
  readonly body: Readonly<Record<string, unknown>>
  /** The caller accepts that others may rely on what was stored. */
  readonly allowBreaking?: boolean
  /**
   * The body is of a project of the field: a setting that is unknown is reported here, and passed
   * over. Left out: it is refused.
   */
  readonly note?: ((sentence: string) => void) | undefined
}

/** The stored part of a configuration. Secrets are sealed by the service, and never given out. */
export type ConfiguredService = {
  /** Used where the caller gave none and the solution has not used it. */
  readonly alias: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly triggers?: Readonly<Record<string, unknown>>
  /** Sealed or hidden things; stored beside the parameters, shown to nobody. */
  readonly hidden?: Readonly<Record<string, unknown>>
  /** Sentences for the caller about settings that are stored, and may not be meant. */
  readonly notes?: readonly string[]
  /**
   * The operations that others get who add the solution as a service: refused where they could not
   * use it.
   */
  readonly offers?: Offers
  /** Stores what the service keeps besides, in the transaction that stores the configuration. */
  storeIn?(transaction: Transaction): Promise<void>
}

/** `field`: by which a refusal names it. */
export type Offers = {
  readonly alias: { readonly field: string; readonly text: string }
  readonly titles: readonly { readonly field: string; readonly text: string }[]
  readonly events: readonly Pick<ServiceEvent, 'name' | 'defaultScript'>[]
}

/** A solution that is notified of a change, by a delivery stored with the change. */
export type ChangeSubscriber = {
  call(configuration: Configuration): HandlerCall
  /** Then the change waits for the call, at most so long; left out: nobody waits. */
  readonly wallMsMax?: number
}

export type ConfigurationChange = {
  readonly kind: 'added' | 'updated' | 'removed'
  readonly configuration: Configuration
}

/** Finds services that are not registered by name: exposed solutions, connectors. */
export type ServiceFinder = {
  /** @returns undefined if the finder has no service of that name for that business. */
  find(businessId: string, service: string): Promise<Service | undefined>
  /**
   * Checks the name by which a solution is to be given what `find` found.
   * @throws Fault invalid_argument if it could as well mean the service of another business
   */
  refuseAmbiguous?(businessId: string, service: string): Promise<void>
  /** Used only if no other finder has the service. */
  readonly otherwise?: true
}

/** A service that a file of a solution describes: the solution's own connector. */
export type OwnServices = {
  /** The script key of the file that describes it. */
  readonly alias: string
  /** The outline that a solution gets, before it is made. */
  readonly outline: ServiceOutline
  /** Checks the description. @throws Fault invalid_argument */
  prepare(input: OwnServiceInput): Promise<PreparedOwnService>
}

export type OwnServiceInput = {
  readonly businessId: string
  readonly solutionName: string
  /** The service that the solution has by this script key; undefined if it has none. */
  readonly current: string | undefined
  readonly body: Readonly<Record<string, unknown>>
  readonly note: (sentence: string) => void
}

export type PreparedOwnService = {
  readonly isChange: boolean
  /** The service that the solution gets, once it is stored. */
  readonly service: Service
  /** Makes it, or changes it, in the transaction of the push. @throws Fault */
  storeIn(transaction: Transaction): Promise<void>
  /** To be called once that transaction was committed. */
  stored(): void
}

/**
 * Returns what a service is configured with: of a project of the field without settings that are
 * out of range, which are noted.
 */
export function takeInput({ settings }: Service, input: ConfigureInput): ConfigureInput {
  const { note, body } = input
  if (note === undefined || settings === undefined) return input
  const how = { note, guards: settings.guards ?? [] }
  const taken = (one: unknown) => withoutRefused(settings.schema(), one, how) as Fields
  const { parameters, ...rest } = body
  const nested = parameters === undefined ? {} : { parameters: taken(parameters) }
  return { ...input, body: { ...taken(rest), ...nested } }
}
