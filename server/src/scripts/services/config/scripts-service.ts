import { Fault, implement, limits } from '../../../foundation/kernel/index.ts'
import type { ScriptingApi, ScriptValue, Service, ServiceCall } from '../../scripting/index.ts'
import { scriptsOperations, type TriggerArguments } from './operations.ts'

const name = 'scripts'

type ScriptsOptions = Pick<ScriptingApi, 'deliveries' | 'handles' | 'run'>

/** The service `scripts`: a solution runs another handler of its own, later and for sure. */
export function createScriptsService(scripts: ScriptsOptions): Service {
  return {
    name,
    always: true,
    events: [],
    eventTitle: 'data',
    operation: implement(scriptsOperations, {
      trigger: (call: ServiceCall, args) => trigger(scripts, call, args),
    }),
  }
}

async function trigger(
  scripts: ScriptsOptions,
  call: ServiceCall,
  args: TriggerArguments,
): Promise<ScriptValue> {
  const { service, event } = handlerIn(args)
  await refuseTooMany(scripts, call)
  const { businessId, solutionId, trackingId } = call
  if (!(await scripts.handles(businessId, solutionId, service, event))) {
    throw new Fault('not_found', `the solution has no handler ${service}_${event}`)
  }
  const origin = { callerId: solutionId, trackingId, depth: call.depth + 1 }
  const handler = { businessId, solutionId, service, event, argument: args.data }
  if (args.mode === 'sync') {
    const end = await scripts.run({ ...handler, ...origin, wallMsMax: call.remainingMs })
    return end.kind === 'returned' ? end.value : { ...end.error }
  }
  await scripts.deliveries.add([{ ...handler, ...origin }])
  return { status: 204 }
}

type Handler = { readonly service: string; readonly event: string }

/** `<service>_<event>`, or the two of them; `handle_` may stand before it, as in its function. */
function handlerIn({ handler, service, event }: TriggerArguments): Handler {
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

function invalid(sentence: string): Fault {
  return new Fault('invalid_argument', sentence)
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
