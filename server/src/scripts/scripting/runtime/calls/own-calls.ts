import { limits, newId, type Random } from '../../../../foundation/kernel/index.ts'
import { handlerName } from '../../registry/build.ts'
import type { Programs } from '../../registry/programs.ts'
import type { OwnServiceCall } from '../../scripting-api.ts'
import { scriptError } from '../script-error.ts'
import type { ScriptValue } from '../value.ts'
import type { ServiceRouter } from './service-router.ts'

export type OwnCallsOptions = {
  readonly programs: Pick<Programs, 'get'>
  readonly router: Pick<ServiceRouter, 'route'>
  readonly random: Random
}

/** Calls services in the name of solutions, for operations that no script handles. */
export function createOwnCalls({ programs, router, random }: OwnCallsOptions) {
  return async (call: OwnServiceCall): Promise<ScriptValue> => {
    const { businessId, solutionId, service, event, operation, argument, callerId } = call
    const loaded = await programs.get(businessId, solutionId)
    if (loaded === undefined) return { ...scriptError(404, 'The solution is gone.') }
    const { program } = loaded
    const remainingMs = Math.min(call.wallMsMax ?? Infinity, program.limits.wallMsMax)
    const trackingId = call.trackingId ?? newId(random)
    const context = { solution_id: solutionId, tracking_id: trackingId, service }
    return router.route({
      program,
      handler: handlerName('interface', event),
      context: callerId === undefined ? context : { ...context, caller_id: callerId },
      service,
      operation,
      args: argument,
      depth: Math.min(call.depth ?? 0, limits.scriptDepthMax),
      remainingMs,
      signal: AbortSignal.timeout(Math.max(1, Math.ceil(remainingMs))),
    })
  }
}
