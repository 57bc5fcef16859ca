import type { Database } from '../../../foundation/database/index.ts'
import { elapsedMs, LruMap } from '../../../foundation/kernel/index.ts'
import type { Configuration } from '../configurations/configuration.ts'
import { scriptingLimits } from '../limits.ts'
import type { LoadedSolution } from '../registry/build.ts'
import { type Endpoint, isWebsocket } from '../registry/endpoint.ts'
import type { Programs } from '../registry/programs.ts'
import { isSolutionId } from '../registry/solution.ts'
import { type CpuQuotas, withinQuota } from '../runtime/calls/cpu-quota.ts'
import type { HostEnd, ScriptHost } from '../runtime/host.ts'
import type { ScriptValue } from '../runtime/value.ts'
import type { SolutionLog } from '../solution-log.ts'
import { readBusiness } from '../store/solutions.ts'

/** Ids of solutions whose business, or absence, a process caches. */
const endpointSolutionsRememberedMax = 10_000

declare const found: unique symbol

/**
 * The endpoints of a solution, websockets included. The same object as long as the solution did
 * not change. Only `Endpoints.find` makes one, which the brand proves to the compiler.
 */
export type SolutionEndpoints = {
  readonly businessId: string
  readonly solutionId: string
  readonly endpoints: readonly Endpoint[]
  readonly configurations: readonly Configuration[]
  readonly [found]: true
}

/** Every loaded solution is one with endpoints; outside of this file it is opaque. */
type FoundSolution = LoadedSolution & SolutionEndpoints

export type EndpointCall = {
  readonly solution: SolutionEndpoints
  readonly endpoint: Endpoint
  readonly request: ScriptValue
  /** JSON of the request's body, to be read where the script runs; see `HostCall.body`. */
  readonly body?: string
  readonly trackingId: string
}

/** Endpoint scripts of any business, as HTTP requests and websockets call them. */
export type Endpoints = {
  /** Undefined where no solution has that id. */
  find(solutionId: string): Promise<SolutionEndpoints | undefined>
  /** Makes the next `find` of each solution read which business it belongs to. */
  forget(): void
  /** A script's value is `{value, response}`: what it returned, and its table `response`. */
  run(call: EndpointCall): Promise<HostEnd>
  /** Writes into the solution's log why an answer was not sent as the script returned it. */
  reportError(call: EndpointCall, text: string): void
}

export type EndpointsOptions = {
  readonly database: Database
  readonly programs: Pick<Programs, 'get'>
  readonly host: Pick<ScriptHost, 'call'>
  readonly log: Pick<SolutionLog, 'write' | 'callEnded'>
  readonly quotas?: CpuQuotas
}

export function createEndpoints(options: EndpointsOptions): Endpoints {
  const { database, programs, host, log, quotas } = options
  const owners = createOwnerCache(database)

  function makeContext({ solution, endpoint, trackingId }: EndpointCall) {
    const service = isWebsocket(endpoint.name) ? 'websocket' : 'webservice'
    return { solution_id: solution.solutionId, tracking_id: trackingId, service }
  }

  return {
    async find(solutionId) {
      if (!isSolutionId(solutionId)) return undefined
      const businessId = await owners.of(solutionId)
      const loaded = businessId && (await programs.get(businessId, solutionId))
      return loaded ? (loaded as FoundSolution) : undefined
    },
    forget: owners.forget,
    async run(call) {
      const { program } = call.solution as FoundSolution
      const context = makeContext(call)
      const handler = call.endpoint.name
      const args = [call.request, { code: 200, headers: {} }]
      const { businessId, solutionId } = call.solution
      const script = { businessId, solutionId, handler, trackingId: call.trackingId }
      const end = await withinQuota(quotas, script, () =>
        host.call(program, { handler, args, body: call.body, context, depth: 0 }),
      )
      log.callEnded(program, handler, context, end)
      return end
    },
    reportError(call, text) {
      const { program } = call.solution as FoundSolution
      const handler = call.endpoint.name
      log.write({ program, context: makeContext(call), handler, level: 'error', text })
    },
  }
}

/** Caches the business of each solution. */
function createOwnerCache(database: Database) {
  const owners = new LruMap<string, { businessId: string | undefined; readMs: number }>(
    endpointSolutionsRememberedMax,
  )
  let changes = 0

  return {
    async of(solutionId: string): Promise<string | undefined> {
      const owner = owners.get(solutionId)
      if (owner !== undefined && elapsedMs() - owner.readMs < scriptingLimits.programCheckMs) {
        return owner.businessId
      }
      const before = changes
      const readMs = elapsedMs()
      const businessId = await readBusiness(database, solutionId)
      // A read that began before a change may lack it.
      if (before === changes) owners.set(solutionId, { businessId, readMs })
      return businessId
    },
    forget() {
      changes += 1
      owners.clear()
    },
  }
}
