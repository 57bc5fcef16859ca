import type { Database } from '../../database/index.ts'
import { elapsedMs, LruMap, limits } from '../../kernel/index.ts'
import type { Configuration } from '../configurations/configuration.ts'
import type { SolutionLog } from '../log/log.ts'
import type { LoadedSolution } from '../registry/build.ts'
import { type Endpoint, isWebsocket } from '../registry/endpoint.ts'
import type { Programs } from '../registry/programs.ts'
import { isSolutionId } from '../registry/solution.ts'
import type { HostEnd, ScriptHost } from '../runtime/host.ts'
import type { ScriptValue } from '../runtime/value.ts'
import { readBusinessOf } from '../store/solutions.ts'

/** What a solution serves, websockets included. The same object as long as it did not change. */
export type SolutionEndpoints = {
  readonly businessId: string
  readonly solutionId: string
  readonly endpoints: readonly Endpoint[]
  readonly configurations: readonly Configuration[]
}

export type EndpointCall = {
  readonly solution: SolutionEndpoints
  readonly endpoint: Endpoint
  readonly request: ScriptValue
  /** JSON of the request's body, to be read where the script runs; see `HostCall.body`. */
  readonly body?: string
  readonly trackingId: string
}

/** The way from HTTP and websockets to the scripts of any business. */
export type Endpoints = {
  /** Undefined where no solution is called so. */
  find(solutionId: string): Promise<SolutionEndpoints | undefined>
  /** Makes the next `find` of each ask whose solution it is. */
  forget(): void
  /** A script's value is `{value, response}`: what it returned, and its table `response`. */
  run(call: EndpointCall): Promise<HostEnd>
  /** Tells the author, in the solution's log, why an answer was not given as it was meant. */
  reportError(call: EndpointCall, text: string): void
}

export type EndpointsNeeds = {
  readonly database: Database
  readonly programs: Pick<Programs, 'get'>
  readonly host: Pick<ScriptHost, 'call'>
  readonly log: Pick<SolutionLog, 'write' | 'callEnded'>
}

export function createEndpoints({ database, programs, host, log }: EndpointsNeeds): Endpoints {
  const owners = createOwnerCache(database)
  const known = new WeakMap<LoadedSolution, SolutionEndpoints>()
  const loadedOf = new WeakMap<SolutionEndpoints, LoadedSolution>()

  function endpointsOf(loaded: LoadedSolution): SolutionEndpoints {
    const before = known.get(loaded)
    if (before !== undefined) return before
    const { businessId, solutionId } = loaded.program
    const { endpoints, configurations } = loaded
    const served = { businessId, solutionId, endpoints, configurations }
    known.set(loaded, served)
    loadedOf.set(served, loaded)
    return served
  }

  function contextOf({ solution: served, endpoint, trackingId }: EndpointCall) {
    const service = isWebsocket(endpoint.name) ? 'websocket' : 'webservice'
    return { solution_id: served.solutionId, tracking_id: trackingId, service }
  }

  function programOf({ solution: served }: EndpointCall) {
    const loaded = loadedOf.get(served)
    if (loaded === undefined) throw new Error('an endpoint of nobody was called')
    return loaded.program
  }

  return {
    async find(solutionId) {
      if (!isSolutionId(solutionId)) return undefined
      const businessId = await owners.of(solutionId)
      const loaded = businessId && (await programs.get(businessId, solutionId))
      return loaded ? endpointsOf(loaded) : undefined
    },
    forget: owners.forget,
    async run(call) {
      const program = programOf(call)
      const context = contextOf(call)
      const handler = call.endpoint.name
      const response = { code: 200, headers: {} }
      const args = [call.request, response]
      const end = await host.call(program, {
        ...(call.body === undefined ? {} : { body: call.body }),
        ...{ handler, args, context, depth: 0 },
      })
      log.callEnded(program, handler, context, end)
      return end
    },
    reportError(call, text) {
      const program = programOf(call)
      const where = { program, context: contextOf(call), handler: call.endpoint.name }
      log.write({ ...where, level: 'error', text })
    },
  }
}

/** Whose solutions are, in memory. */
function createOwnerCache(database: Database) {
  const owners = new LruMap<string, { businessId: string | undefined; readMs: number }>(
    limits.endpointSolutionsRememberedMax,
  )
  let changes = 0

  return {
    async of(solutionId: string): Promise<string | undefined> {
      const owner = owners.get(solutionId)
      if (owner !== undefined && elapsedMs() - owner.readMs < limits.programCheckMs) {
        return owner.businessId
      }
      const before = changes
      const readMs = elapsedMs()
      const businessId = await readBusinessOf(database, solutionId)
      // What was read before a change may lack it.
      if (before === changes) owners.set(solutionId, { businessId, readMs })
      return businessId
    },
    forget() {
      changes += 1
      owners.deleteWhere(() => true)
    },
  }
}
