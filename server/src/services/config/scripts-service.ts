import { Fault, limits, type Named } from '../../kernel/index.ts'
import type {
  Operation,
  ScriptingApi,
  ScriptValue,
  Service,
  ServiceCall,
} from '../../scripting/index.ts'
import { invalid, nameIn, take } from './arguments.ts'

const name = 'scripts'

/** The service `scripts`: a solution runs another handler of its own, later and for sure. */
export function createScriptsService(
  scripts: Pick<ScriptingApi, 'deliveries' | 'handles'>,
): Service {
  const trigger: Operation = async (call, args) => {
    const given = take(args, ['handler', 'service', 'event', 'data'])
    const { service, event } = handlerIn(given)
    await refuseTooMany(scripts, call)
    const { businessId, solutionId, trackingId } = call
    if (!(await scripts.handles(businessId, solutionId, service, event))) {
      throw new Fault('not_found', `the solution has no handler ${service}_${event}`)
    }
    await scripts.deliveries.add([
      {
        ...{ businessId, solutionId, service, event, argument: given.data },
        ...{ callerId: solutionId, trackingId, depth: call.depth + 1 },
      },
    ])
    return { status: 204 }
  }
  return {
    name,
    always: true,
    events: [],
    operation: (operation) => (operation === 'trigger' ? trigger : undefined),
  }
}

type Handler = { readonly service: string; readonly event: string }

/** `<service>_<event>`, or the two of them; `handle_` may stand before it, as in its function. */
function handlerIn(given: Named<'handler' | 'service' | 'event', ScriptValue>): Handler {
  const handler = nameIn('handler', given.handler)
  const event = nameIn('event', given.event)
  const service = nameIn('service', given.service)
  if (handler === undefined) {
    if (event === undefined) throw invalid('a handler or an event must be given')
    return { service: service ?? name, event }
  }
  if (event !== undefined || service !== undefined) {
    throw invalid('beside handler neither event nor service can be given')
  }
  const plain = handler.replace(/^handle_/, '')
  const at = plain.lastIndexOf('_')
  if (at < 1) throw invalid('handler must be <service>_<event>')
  return { service: plain.slice(0, at), event: plain.slice(at + 1) }
}

/** Bounds scripts that trigger themselves, before they fill the database. */
async function refuseTooMany(
  { deliveries }: Pick<ScriptingApi, 'deliveries'>,
  { solutionId, depth }: ServiceCall,
): Promise<void> {
  if (depth >= limits.scriptDepthMax) {
    const most = `${limits.scriptDepthMax} deep`
    throw new Fault('too_complex', `handlers trigger one another more than ${most}`)
  }
  const most = limits.triggeredWaitingMax
  if (await deliveries.isBehind(solutionId, most)) {
    throw new Fault('overloaded', `${most} calls of the solution wait already`)
  }
}
