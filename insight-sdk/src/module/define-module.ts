import { DefinitionError } from '../errors.ts'
import type { ConfigParameter, InsightInfoResults, LifecycleEvent } from '../protocol.ts'
import type { InsightFunction } from './define-function.ts'

export type ModuleDefinition = {
  readonly name: string
  /** Markdown allowed. */
  readonly description: string
  /** `info.version` of the OpenAPI definition. Default `1.0.0`. */
  readonly version?: string
  readonly translations?: InsightInfoResults['translations']
  /** True: listing without a group is refused. Default false. */
  readonly group_id_required?: boolean
  /** Default: true where a function keeps state or `onLifecycle` is given. */
  readonly wants_lifecycle_events?: boolean
  /** The constants that the operator sets once for the whole module. */
  readonly configuration?: readonly ConfigParameter[]
  readonly functions: readonly InsightFunction[]
  /** Called when a linkage is made or deleted; the platform ignores its result. */
  readonly onLifecycle?: (event: LifecycleEvent) => void | Promise<void>
}

/** A module that can be served; made by `defineModule`. */
export type InsightModule = {
  readonly info: InsightInfoResults & { readonly name: string; readonly description: string }
  readonly version: string
  readonly configuration: readonly ConfigParameter[]
  /** By id, in the order of definition. */
  readonly functions: ReadonlyMap<string, InsightFunction>
  readonly onLifecycle: (event: LifecycleEvent) => void | Promise<void>
}

/**
 * Defines a module of functions.
 *
 * @throws DefinitionError naming every fault
 */
export function defineModule(definition: ModuleDefinition): InsightModule {
  const faults = findFaults(definition)
  if (faults.length > 0) throw new DefinitionError(`module "${definition.name}"`, faults)
  const { functions, onLifecycle, translations } = definition
  const wantsEvents = functions.some(({ stateful }) => stateful) || onLifecycle !== undefined
  return {
    info: {
      name: definition.name,
      description: definition.description,
      group_id_required: definition.group_id_required ?? false,
      wants_lifecycle_events: definition.wants_lifecycle_events ?? wantsEvents,
      ...(translations === undefined ? {} : { translations }),
    },
    version: definition.version ?? '1.0.0',
    configuration: definition.configuration ?? [],
    functions: new Map(functions.map((it) => [it.info.id, it])),
    onLifecycle: onLifecycle ?? (() => undefined),
  }
}

function findFaults({ name, functions, configuration = [] }: ModuleDefinition): string[] {
  const faults = name === '' ? ['name is empty'] : []
  if (functions.length === 0) faults.push('it has no function')
  const ids = repeated(functions.map(({ info }) => info.id))
  const parameters = repeated(configuration.map((parameter) => parameter.name))
  return [
    ...faults,
    ...ids.map((id) => `function id "${id}" is used twice`),
    ...parameters.map((it) => `configuration parameter "${it}" is declared twice`),
  ]
}

function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
}
