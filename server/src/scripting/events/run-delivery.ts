import type { JobOutcome } from '../../jobs/index.ts'
import { type Clock, type Logger, limits } from '../../kernel/index.ts'
import { handlingOf, type LoadedSolution } from '../registry/build.ts'
import type { Programs } from '../registry/programs.ts'
import type { HandlerRunner } from '../runtime/calls/handler-runner.ts'
import type { HandlerCall } from '../runtime/engine.ts'
import type { HostEnd } from '../runtime/host.ts'
import { scriptError } from '../runtime/script-error.ts'
import { createBackoffs } from './backoff.ts'
import { callOf, type Delivery } from './delivery.ts'
import { endedByClosing, failureOf, isTransient, outcomeOf } from './outcome.ts'

export type RunDeliveryOptions = {
  readonly programs: Pick<Programs, 'get'>
  readonly runner: Pick<HandlerRunner, 'runIn'>
  readonly clock: Clock
  readonly logger: Logger
}

const againUs = limits.deliveryAgainMs * 1_000
const unavailable = failureOf(
  'start',
  scriptError(503, 'The handler could not be run. It is tried again.'),
)

/** Returns what runs the deliveries that a process has claimed. */
export function createRunDelivery({ programs, runner, clock, logger }: RunDeliveryOptions) {
  const backoffs = createBackoffs()

  async function run(delivery: Delivery, signal: AbortSignal): Promise<JobOutcome> {
    const { businessId, tenant: solutionId, attempts } = delivery
    const loaded = await programs.get(businessId, solutionId)
    if (loaded === undefined) {
      const { trackingId } = delivery.input
      const what = { solution: solutionId, delivery: delivery.id, trackingId }
      logger.warn(what, 'a delivery was cancelled: its solution is gone')
      return { kind: 'cancelled' }
    }
    const call = callOf(delivery)
    const end = await runner.runIn(loaded, call)
    if (signal.aborted && endedByClosing(end)) return { kind: 'released' }
    if (!isTransient(end)) backoffs.reset(solutionId)
    const nowUs = clock.nowUs()
    const againAtUs = () => backoffs.dueAtUs(solutionId, nowUs)
    return outcomeOf(end, retryOf(loaded, call, end), { attempts, nowUs, againAtUs })
  }

  return (delivery: Delivery, signal: AbortSignal): Promise<JobOutcome> =>
    run(delivery, signal).catch((error) => {
      // For example the database is unavailable while the program is read.
      const { tenant: solution, input } = delivery
      const what = { err: error, solution, trackingId: input.trackingId }
      logger.warn(what, 'a delivery could not be run')
      return { kind: 'snooze', untilUs: clock.nowUs() + againUs, failure: unavailable }
    })
}

/** Returns the retry policy in the handler's script, if it has one and the call did not return. */
export function retryOf(
  loaded: LoadedSolution,
  call: Pick<HandlerCall, 'service' | 'event'>,
  end: HostEnd,
) {
  if (end.kind === 'returned') return undefined
  return loaded.handlers.get(handlingOf(loaded, call)?.handler ?? '')?.retry
}
