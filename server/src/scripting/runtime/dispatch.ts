import { type Logger, newId, type Random } from '../../kernel/index.ts'
import type { Configuration } from '../configurations/configuration.ts'
import type { ServiceCall } from '../configurations/service.ts'
import type { Services } from '../configurations/services.ts'
import type { SolutionLog } from '../log/log.ts'
import type { LoadedSolution } from '../registry/build.ts'
import type { Programs } from '../registry/programs.ts'
import type { HandlerCall } from '../scripting.ts'
import type { HostEnd, HostHooks, ScriptHost, ServiceRequest } from './host.ts'
import { scriptError, toScriptError } from './script-error.ts'
import type { ScriptValue } from './value.ts'
import { sizeProblem } from './value-size.ts'

export type DispatchNeeds = {
  readonly programs: Pick<Programs, 'get'>
  readonly services: Pick<Services, 'find' | 'of'>
  readonly log: Pick<SolutionLog, 'write' | 'callEnded'>
  readonly random: Random
  readonly logger: Logger
}

/** Runs handlers of scripts, and routes their service calls. */
export type Dispatch = {
  readonly ask: HostHooks['callService']
  /** Runs a handler now. One that is not there is `failed`, status 404. */
  run(host: ScriptHost, call: HandlerCall): Promise<HostEnd>
}

export function createDispatch(needs: DispatchNeeds): Dispatch {
  const { programs, services, log, random, logger } = needs
  const aliases = new WeakMap<LoadedSolution, ReadonlyMap<string, Configuration>>()

  function configurationOf(loaded: LoadedSolution, alias: string): Configuration | undefined {
    let known = aliases.get(loaded)
    if (known === undefined) {
      known = new Map(loaded.configurations.map((one) => [one.alias.toLowerCase(), one]))
      aliases.set(loaded, known)
    }
    return known.get(alias.toLowerCase())
  }

  async function answer(asked: ServiceRequest): Promise<ScriptValue> {
    const { service: alias, operation: name, args } = asked
    const { businessId, solutionId, limits } = asked.program
    const loaded = await programs.get(businessId, solutionId)
    if (loaded === undefined) return { ...scriptError(404, 'The solution is gone.') }
    const configuration = configurationOf(loaded, alias)
    const service = await (configuration === undefined
      ? services.find(businessId, alias)
      : services.of(configuration))
    if (service === undefined || (configuration === undefined && !service.always)) {
      return { ...scriptError(404, `The solution has no service ${alias}.`) }
    }
    const operation = service.operation(name)
    if (operation === undefined) {
      return { ...scriptError(404, `The service ${alias} has no operation ${name}.`) }
    }
    const value = await operation(serviceCall(asked, configuration, log), args)
    const refused = sizeProblem(value, limits.valueBytesMax)
    if (refused === undefined) return value
    return { ...scriptError(413, `The answer is too much: ${refused}`) }
  }

  return {
    ask: (asked) => answer(asked).catch((error: unknown) => ({ ...toScriptError(error, logger) })),
    async run(host, call) {
      const { businessId, solutionId, service, event, callerId } = call
      const handler = handlerOf(service, event)
      const loaded = await programs.get(businessId, solutionId)
      if (loaded === undefined) return gone
      const context = {
        ...{ solution_id: solutionId, tracking_id: call.trackingId ?? newId(random), service },
        ...(callerId === undefined ? {} : { caller_id: callerId }),
      }
      const end = await host.call(loaded.program, {
        ...{ handler, args: [call.argument], context, depth: call.depth ?? 0 },
        ...(call.wallMsMax === undefined ? {} : { wallMsMax: call.wallMsMax }),
      })
      log.callEnded(loaded.program, handler, context, end)
      return end
    },
  }
}

/** The global function of a solution that handles an event. */
export function handlerOf(service: string, event: string): string {
  return `handle_${service}_${event}`
}

const gone: HostEnd = {
  kind: 'failed',
  error: scriptError(404, 'The solution is gone.'),
  usage: { cpuMs: 0, serviceCalls: 0, wallMs: 0 },
  started: false,
}

/** `signal` is a getter, because only services that wait use it. */
function serviceCall(
  asked: ServiceRequest,
  configuration: Configuration | undefined,
  log: DispatchNeeds['log'],
): ServiceCall {
  const { program, context, handler } = asked
  const { businessId, solutionId } = program
  return {
    ...{ businessId, solutionId, configuration, alias: configuration?.alias ?? asked.service },
    trackingId: asked.context.tracking_id,
    depth: asked.depth,
    remainingMs: asked.remainingMs,
    get signal() {
      return asked.signal
    },
    refuseSize: (value) => sizeProblem(value, program.limits.valueBytesMax),
    warn: (text) => log.write({ program, context, handler, level: 'warn', text }),
  }
}
