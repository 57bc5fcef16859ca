import type { Configuration } from '../configurations/configuration.ts'
import type { Service, ServiceEvent } from '../configurations/service.ts'
import type { Script, Solution } from '../schema.ts'
import { isParameterName } from './alias.ts'
import { type Endpoint, isWebsocket, readEndpoint } from './endpoint.ts'
import { definedHandlers, readRetry } from './headers.ts'
import type { Chunk, Program } from './program.ts'
import type { RetryPolicy, ScriptText } from './script.ts'
import { defaultLimits } from './solution.ts'

/** A solution as it runs. */
export type LoadedSolution = {
  readonly businessId: string
  readonly solutionId: string
  readonly program: Program
  /** The functions for events that its scripts have: `handle_device2_event`. */
  readonly handlers: ReadonlyMap<string, Handler>
  /** In the order of their files. */
  readonly endpoints: readonly Endpoint[]
  readonly configurations: readonly Configuration[]
  /** Under their aliases in lower case, because scripts may write a service with a capital. */
  readonly configurationsByAlias: ReadonlyMap<string, Configuration>
}

/** `retry`: the policy in its script for deliveries that fail, if there is one. */
export type Handler = { readonly retry: RetryPolicy | undefined }

export type BuildOptions = {
  readonly solution: Solution
  readonly scripts: readonly Script[]
  readonly configurations: readonly Configuration[]
  /** The services that it can call: under which alias, and with which events. */
  readonly services: readonly UsedService[]
  /** The values of `os.getenv`. */
  readonly env?: Readonly<Record<string, string>>
}

export type UsedService = {
  readonly alias: string
  readonly events: readonly ServiceEvent[]
  /** The parameter of handlers of events that are not listed. */
  readonly eventTitle?: string
  /** The scripts that handle events in place of those named after the events, by event. */
  readonly triggers?: Configuration['triggers']
}

/** Returns the name of the function for an event of a service, if no trigger names another one. */
export function handlerName(service: string, event: string): string {
  return `handle_${service}_${event}`
}

type Loaded = Pick<LoadedSolution, 'handlers' | 'configurationsByAlias'>
type Event = { readonly service: string; readonly event: string }

/**
 * Returns the name of the function that handles an event in a solution: that of the script which
 * the `triggers` of the service name, if the solution has it, else the one named after the event.
 */
export function routedHandler(loaded: Loaded, { service, event }: Event): string {
  const { triggers = {} } = loaded.configurationsByAlias.get(service.toLowerCase()) ?? {}
  const routed = `handle_${triggers[event]}`
  return loaded.handlers.has(routed) ? routed : handlerName(service, event)
}

/** The event and the function that are called for events that the scripts do not handle. */
const fallbackScript = 'config_fallback'
const fallback = `handle_${fallbackScript}`

/** The function for an event: its own, else that of all events without one, if there is any. */
export function findHandling(
  loaded: Loaded,
  event: Event,
): { readonly handler: string; readonly isFallback: boolean } | undefined {
  const { handlers } = loaded
  const own = routedHandler(loaded, event)
  if (handlers.has(own)) return { handler: own, isFallback: false }
  return handlers.has(fallback) ? { handler: fallback, isFallback: true } : undefined
}

/** The service under its alias, with the events that come of the configuration. */
export function usedService(service: Service, configuration?: Configuration): UsedService {
  const own = configuration === undefined ? [] : (service.listEvents?.(configuration) ?? [])
  const { eventTitle } = service
  const events = [...service.events, ...own]
  const { alias = service.name, triggers = {} } = configuration ?? {}
  return { alias, events, triggers, ...(eventTitle && { eventTitle }) }
}

/** Plain scripts come first: a handler's own script has the last word on its function. */
export function buildProgram({
  solution,
  scripts,
  configurations,
  services,
  env = {},
}: BuildOptions): LoadedSolution {
  const parameters = mapParameters(services)
  const ordered = (['module', 'plain', 'handler', 'endpoint'] as const).flatMap((kind) =>
    scripts.filter((script) => script.kind === kind),
  )
  const { id: solutionId, businessId, version, limits, reuseVm } = solution
  return {
    businessId,
    solutionId,
    program: {
      businessId,
      solutionId,
      version,
      chunks: ordered.map((script) => toChunk(script, parameters)),
      services: services.map(({ alias }) => alias),
      limits: { ...defaultLimits(), ...limits },
      env,
      ...(reuseVm ? {} : { cold: true as const }),
    },
    handlers: new Map(ordered.flatMap(listHandlers)),
    endpoints: scripts
      .filter(({ kind }) => kind === 'endpoint')
      .map((script) => readEndpoint(script).endpoint),
    configurations,
    configurationsByAlias: new Map(configurations.map((one) => [one.alias.toLowerCase(), one])),
  }
}

/**
 * The parameters of handlers that are not named `event`, by the handler's name; by `<alias>_` that
 * of all others of the service.
 */
export function mapParameters(services: readonly UsedService[]): ReadonlyMap<string, string> {
  return new Map(
    services.flatMap(({ alias, events, eventTitle, triggers = {} }) => [
      ...(eventTitle === undefined ? [] : [[`${alias}_`, eventTitle] as const]),
      ...events.flatMap(({ name, title = '' }) => {
        const handlers = [`${alias}_${name}`, String(triggers[name])]
        return isParameterName(title) ? handlers.map((one) => [one, title] as const) : []
      }),
    ]),
  )
}

/** The script as the machine takes it. Empty lines keep the numbers of its file's lines. */
export function toChunk(script: ScriptText, parameters: ReadonlyMap<string, string>): Chunk {
  const source = '\n'.repeat(script.firstLine - 1) + script.source
  return { name: script.file, source, role: toRole(script, parameters) }
}

function toRole(
  { kind, name, source }: ScriptText,
  parameters: ReadonlyMap<string, string>,
): Chunk['role'] {
  if (kind === 'module') return { kind: 'module', module: name }
  if (kind === 'endpoint') {
    const answers = { kind: 'handler', defines: name, returns: 'response' } as const
    if (isWebsocket(name)) {
      return { ...answers, parameters: ['websocketInfo', 'response'], socket: true }
    }
    return { ...answers, parameters: ['request', 'response'] }
  }
  const defines = `handle_${name}`
  if (kind === 'plain' || definedHandlers(source).has(defines)) return { kind: 'plain' }
  if (name === fallbackScript) {
    return { kind: 'handler', defines, parameters: ['context', 'event'] }
  }
  const others = parameters.get(name.slice(0, name.lastIndexOf('_') + 1))
  const parameter = parameters.get(name) ?? others ?? 'event'
  // Scripts of the field use the name of the service's documents; `event` is the one of old here.
  return {
    kind: 'handler',
    defines,
    parameters: [parameter],
    ...(parameter !== 'event' && { also: 'event' }),
  }
}

/** The functions for events that a script has, with the policy for each. */
export function listHandlers({
  kind,
  name,
  file,
  source,
}: Pick<Script, 'kind' | 'name' | 'file' | 'source'>): (readonly [string, Handler])[] {
  if (kind !== 'handler' && kind !== 'plain') return []
  const { retry } = readRetry(file, source)
  const names = [...(kind === 'handler' ? [`handle_${name}`] : []), ...definedHandlers(source)]
  return names.map((one) => [one, { retry }])
}
