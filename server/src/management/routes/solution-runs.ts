import type { Activity } from '../../activity/index.ts'
import { newId, type Random } from '../../kernel/index.ts'
import type {
  Ended,
  HandlerCall,
  ReplayedEvent,
  Scripting,
  ScriptValue,
} from '../../scripting/index.ts'
import {
  type HandlerRunBody,
  type ReplayBody,
  replaySolution,
  runFailure,
  runHandler,
} from '../contract/runs.ts'
import { readJson } from '../json-body.ts'
import { ok, type Route, route } from '../route.ts'
import { valueBody } from '../wire/solution.ts'
import { failureIdOf } from './solution-failures.ts'
import { solutionOf } from './solutions.ts'

export type SolutionRunOptions = {
  readonly scripting: Pick<Scripting, 'solutions' | 'failures' | 'replays' | 'api'>
  readonly activity: Pick<Activity, 'solutions'>
  readonly random: Random
}

type Handler = Pick<HandlerCall, 'service' | 'event' | 'argument'>

/**
 * Runs handlers by hand, with the permissions and the limits of any other call; and recorded events
 * through changed ones.
 */
export function solutionRunRoutes({ scripting, activity, random }: SolutionRunOptions): Route[] {
  const { solutions, failures, replays, api } = scripting

  async function run(
    [businessId, solutionId]: [string, string],
    { service, event, argument }: Handler,
  ): Promise<HandlerRunBody> {
    const trackingId = newId(random)
    const call = { businessId, solutionId, service, event, argument, trackingId }
    const end = await api.run(call)
    // The caller reads the lines of the call next.
    await activity.solutions.flush()
    return runBody(end, trackingId)
  }

  return [
    route(runHandler, async (call) => {
      const where = solutionOf(call)
      await solutions.get(...where)
      const { argument = null, ...handler } = call.body
      return ok(await run(where, { ...handler, argument: argument as ScriptValue }))
    }),
    route(runFailure, async (call) => {
      const where = solutionOf(call)
      await solutions.get(...where)
      return ok(await run(where, await failures.get(...where, failureIdOf(call))))
    }),
    route(replaySolution, async (call) => {
      const request = await readJson(call, replaySolution.details().body)
      const { shown, ...replay } = await replays.run(...solutionOf(call), request)
      return ok({ ...replay, shown: shown.map(replayedBody) } as ReplayBody)
    }),
  ]
}

function replayedBody({ connectorId: connector, ...event }: ReplayedEvent) {
  return { connector, ...event }
}

function runBody(end: Ended, trackingId: string): HandlerRunBody {
  const { kind: outcome } = end
  if (end.kind === 'returned') {
    return { outcome, result: valueBody(end.value) ?? null, tracking_id: trackingId }
  }
  const { type, error, status } = end.error
  return {
    outcome,
    error: { type, error, status },
    ...(end.kind === 'stopped' && { limit: end.limit }),
    tracking_id: trackingId,
  }
}
