import { newId, type Random } from '../../../../foundation/kernel/index.ts'
import { findHandling, type LoadedSolution, routedHandler } from '../../registry/build.ts'
import type { ScriptContext } from '../../registry/program.ts'
import type { Programs } from '../../registry/programs.ts'
import type { SolutionLog } from '../../solution-log.ts'
import type { HandlerCall } from '../engine.ts'
import type { HostEnd, ScriptHost } from '../host.ts'
import { scriptError } from '../script-error.ts'
import { type CpuQuotas, withinQuota } from './cpu-quota.ts'

export type HandlerRunnerOptions = {
  readonly programs: Pick<Programs, 'get'>
  readonly host: Pick<ScriptHost, 'call'>
  readonly log: Pick<SolutionLog, 'callEnded'>
  readonly random: Random
  readonly quotas?: CpuQuotas | undefined
}

/** Runs the handlers of events on the script host. */
export class HandlerRunner {
  readonly #options: HandlerRunnerOptions

  constructor(options: HandlerRunnerOptions) {
    this.#options = options
  }

  /** Runs a handler now. A handler that does not exist is `failed`, status 404. */
  async run(call: HandlerCall): Promise<HostEnd> {
    const loaded = await this.#options.programs.get(call.businessId, call.solutionId)
    if (loaded === undefined) return gone
    return this.#run(loaded, call, { handler: routedHandler(loaded, call), isFallback: false })
  }

  /**
   * Runs what a solution that is loaded already has for an event: its handler, else the one of
   * events without a handler.
   */
  async runIn(loaded: LoadedSolution, call: HandlerCall): Promise<HostEnd> {
    const own = { handler: routedHandler(loaded, call), isFallback: false }
    return this.#run(loaded, call, findHandling(loaded, call) ?? own)
  }

  async #run(
    { program }: LoadedSolution,
    call: HandlerCall,
    { handler, isFallback }: NonNullable<ReturnType<typeof findHandling>>,
  ): Promise<HostEnd> {
    const { host, log } = this.#options
    const { argument, depth = 0, wallMsMax, event } = call
    const plain = this.#makeContext(call)
    const context = isFallback ? { ...plain, event } : plain
    const args = isFallback ? [context, argument] : [argument]
    const { businessId, solutionId } = call
    const script = { businessId, solutionId, handler, trackingId: context.tracking_id }
    const end = await withinQuota(this.#options.quotas, script, () =>
      host.call(program, { handler, args, context, depth, wallMsMax }),
    )
    log.callEnded(program, handler, context, end)
    return end
  }

  async handles(
    businessId: string,
    solutionId: string,
    service: string,
    event: string,
  ): Promise<boolean> {
    const loaded = await this.#options.programs.get(businessId, solutionId)
    return loaded?.handlers.has(routedHandler(loaded, { service, event })) === true
  }

  /** As `handles`, or the solution has the handler of events without one. */
  async takes(
    businessId: string,
    solutionId: string,
    service: string,
    event: string,
  ): Promise<boolean> {
    const loaded = await this.#options.programs.get(businessId, solutionId)
    return loaded !== undefined && findHandling(loaded, { service, event }) !== undefined
  }

  #makeContext({ solutionId, service, callerId, trackingId }: HandlerCall): ScriptContext {
    const tracking_id = trackingId ?? newId(this.#options.random)
    const context = { solution_id: solutionId, tracking_id, service }
    return callerId === undefined ? context : { ...context, caller_id: callerId }
  }
}

const gone: HostEnd = {
  kind: 'failed',
  error: scriptError(404, 'The solution is gone.'),
  usage: { cpuMs: 0, serviceCalls: 0, wallMs: 0 },
  started: false,
}
