import { type Logger, LruMap } from '../../../../foundation/kernel/index.ts'
import type { Configuration } from '../../configurations/configuration.ts'
import type { Operation, ServiceCall } from '../../configurations/service.ts'
import type { Services } from '../../configurations/services.ts'
import type { LoadedSolution } from '../../registry/build.ts'
import type { Programs } from '../../registry/programs.ts'
import type { SolutionLog } from '../../solution-log.ts'
import type { ServiceRequest } from '../host.ts'
import { scriptError, toScriptError } from '../script-error.ts'
import type { ScriptValue } from '../value.ts'
import { sizeProblem } from '../value.ts'

/** Arguments that operations do not have, of which a process has warned solutions. */
const argumentWarningsRememberedMax = 10_000

export type ServiceRouterOptions = {
  readonly programs: Pick<Programs, 'get'>
  readonly services: Pick<Services, 'find' | 'of'>
  readonly log: Pick<SolutionLog, 'write'>
  readonly logger: Logger
}

/** Routes the service calls of running scripts to the operations of services. */
export class ServiceRouter {
  readonly #options: ServiceRouterOptions
  /** The arguments that a version of a solution was warned of. */
  readonly #warned = new LruMap<string, true>(argumentWarningsRememberedMax)

  constructor(options: ServiceRouterOptions) {
    this.#options = options
  }

  /** Resolves to the answer, which is a `ScriptError` if the call failed. Never rejects. */
  async route(request: ServiceRequest): Promise<ScriptValue> {
    try {
      return await this.#call(request)
    } catch (error) {
      return { ...toScriptError(error, this.#options.logger) }
    }
  }

  async #call(request: ServiceRequest): Promise<ScriptValue> {
    const { programs, services } = this.#options
    const { service: alias, operation: name, args } = request
    const { businessId, solutionId, limits: own } = request.program
    // The solution as it is now: a script may have changed a configuration that it uses next.
    const loaded = await programs.get(businessId, solutionId)
    if (loaded === undefined) return { ...scriptError(404, 'The solution is gone.') }
    const found = await findOperation(services, loaded, alias, name)
    if (typeof found === 'string') return { ...scriptError(404, found) }
    const { operation, configuration } = found
    const value = await operation(this.#makeCall(request, configuration), args)
    const problem = sizeProblem(value, own.valueBytesMax)
    if (problem === undefined) return value
    return { ...scriptError(413, `The answer is too much: ${problem}`) }
  }

  #makeCall(request: ServiceRequest, configuration: Configuration | undefined): ServiceCall {
    const call = toServiceCall(request, configuration, this.#options.log)
    const { solutionId, version } = request.program
    const unknown = (operation: string, argument: string) => {
      const name = `${call.alias}.${operation}`
      const key = `${solutionId} ${version} ${name} ${argument}`
      if (this.#warned.get(key) !== undefined) return
      this.#warned.set(key, true)
      call.warn?.(`${name} has no argument ${argument}: it is passed over`)
    }
    return Object.defineProperty(call, 'unknown', { value: unknown, enumerable: true })
  }
}

type FoundOperation = {
  readonly operation: Operation
  /** The configuration of the service; undefined if the solution has none, and needs none. */
  readonly configuration: Configuration | undefined
}

/** Finds what a script of the solution calls. @returns a sentence if there is no such thing. */
export async function findOperation(
  services: Pick<Services, 'find' | 'of'>,
  { businessId, configurationsByAlias }: LoadedSolution,
  alias: string,
  name: string,
): Promise<FoundOperation | string> {
  const configuration = configurationsByAlias.get(alias.toLowerCase())
  const service = await (configuration === undefined
    ? services.find(businessId, alias)
    : services.of(configuration))
  if (service === undefined || (configuration === undefined && !service.always)) {
    return `The solution has no service ${alias}.`
  }
  const operation = service.operation(name)
  if (operation === undefined) return `The service ${alias} has no operation ${name}.`
  return { operation, configuration }
}

function toServiceCall(
  request: ServiceRequest,
  configuration: Configuration | undefined,
  log: ServiceRouterOptions['log'],
): ServiceCall {
  const { program, context, handler } = request
  return {
    businessId: program.businessId,
    solutionId: program.solutionId,
    configuration,
    alias: configuration?.alias ?? request.service,
    trackingId: context.tracking_id,
    depth: request.depth,
    remainingMs: request.remainingMs,
    // A getter, because only services that wait use it.
    get signal() {
      return request.signal
    },
    refuseSize: (value) => sizeProblem(value, program.limits.valueBytesMax),
    warn: (text) => log.write({ program, context, handler, level: 'warn', text }),
  }
}
