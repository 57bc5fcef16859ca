import type { ProcessRequest, SignalData } from '@millrace/insight-sdk/protocol'
import { type Clock, Fault, newId, type Random } from '../../../foundation/kernel/index.ts'
import { pipelineLimits } from '../limits.ts'
import type { RunLink } from '../links/graphs.ts'
import type { CallLimits } from '../modules/call-limits.ts'
import type { ModuleClient } from '../modules/client.ts'
import type { CallResult } from '../run.ts'
import { callModule, newCall } from '../runs/call-function.ts'
import { toArgs } from '../runs/run-input.ts'
import type { ExternalModule } from '../types.ts'

/** Milliseconds after which a simulation calls no module any more. */
const simulationCallsMsMax = 60_000

export type SimulatedCallsOptions = {
  /** Its health is that of simulations: calls of runs do not depend on it. */
  readonly client: ModuleClient
  readonly callLimits: Pick<CallLimits, 'request'>
  readonly clock: Pick<Clock, 'elapsedMs'>
  readonly random: Random
}

/**
 * The calls of one simulation, of modules that are marked safe for it. Their number and the time of
 * all are limited. A call that both pipelines make is made once, so both get the same answer.
 */
export class SimulatedCalls {
  readonly #options: SimulatedCallsOptions
  readonly #modules: ReadonlyMap<string, ExternalModule>
  readonly #answers = new Map<string, CallResult>()
  readonly #endMs: number

  constructor(options: SimulatedCallsOptions, modules: ReadonlyMap<string, ExternalModule>) {
    this.#options = options
    this.#modules = modules
    this.#endMs = options.clock.elapsedMs() + simulationCallsMsMax
  }

  /** @throws Fault invalid_argument if there are too many; overloaded */
  async call(link: RunLink, data: readonly SignalData[]): Promise<CallResult> {
    // An instance of its own: what a module keeps of the link is not touched.
    const request = { id: `simulation-${link.id}`, data, args: toArgs(link) }
    const key = JSON.stringify(request)
    const known = this.#answers.get(key)
    if (known !== undefined) return known
    if (this.#answers.size >= pipelineLimits.simulationCallsMax) throw tooMany()
    const answer = await this.#make(link, request)
    this.#answers.set(key, answer)
    return answer
  }

  async #make(link: RunLink, request: ProcessRequest): Promise<CallResult> {
    const { client, callLimits, clock, random } = this.#options
    if (clock.elapsedMs() >= this.#endMs) return tookTooLong()
    const module = this.#modules.get(link.moduleId)
    const { businessId, id, name, moduleId, functionId } = link
    const sent = { trackingId: newId(random), link: { id, name, moduleId, functionId }, request }
    return callLimits.request(businessId, module?.url ?? '', () =>
      callModule(client, module, link, sent, newCall(sent)),
    )
  }
}

function tooMany(): Fault {
  const most = pipelineLimits.simulationCallsMax
  return new Fault('invalid_argument', `It makes more than ${most} calls; take less time.`)
}

const msPerS = 1_000

function tookTooLong(): Fault {
  const seconds = simulationCallsMsMax / msPerS
  return new Fault('module_failed', `The calls of the simulation took more than ${seconds} s.`)
}
