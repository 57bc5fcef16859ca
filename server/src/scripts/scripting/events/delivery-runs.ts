import type { Clock, Logger } from '../../../foundation/kernel/index.ts'
import type { JobOutcome, JobQueue } from '../../../log/jobs/index.ts'
import { scriptingLimits } from '../limits.ts'
import { findHandling, type LoadedSolution } from '../registry/build.ts'
import type { Programs } from '../registry/programs.ts'
import type { HandlerRunner } from '../runtime/calls/handler-runner.ts'
import type { Ended, HandlerCall } from '../runtime/engine.ts'
import type { HostEnd } from '../runtime/host.ts'
import { scriptError } from '../runtime/script-error.ts'
import {
  type Delivery,
  type DeliveryInput,
  endedByClosing,
  isTransient,
  toCall,
  toFailure,
  toOutcome,
} from './delivery.ts'

export type RunDeliveryOptions = {
  readonly programs: Pick<Programs, 'get'>
  readonly runner: Pick<HandlerRunner, 'runIn'>
  readonly clock: Clock
  readonly logger: Logger
}

const againUs = scriptingLimits.deliveryAgainMs * 1_000
const unavailable = toFailure(
  'start',
  scriptError(503, 'The handler could not be run. It is tried again.'),
)

/** Returns the runner of the deliveries that a process has claimed. */
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
    const call = toCall(delivery)
    const end = await runner.runIn(loaded, call)
    if (signal.aborted && endedByClosing(end)) return { kind: 'released' }
    if (!isTransient(end)) backoffs.reset(solutionId)
    const nowUs = clock.nowUs()
    const againAtUs = () => backoffs.dueAtUs(solutionId, nowUs)
    return toOutcome(end, findRetry(loaded, call, end), { attempts, nowUs, againAtUs })
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
export function findRetry(
  loaded: LoadedSolution,
  call: Pick<HandlerCall, 'service' | 'event'>,
  end: HostEnd,
) {
  if (end.kind === 'returned') return undefined
  return loaded.handlers.get(findHandling(loaded, call)?.handler ?? '')?.retry
}

/** A delivery that its creator runs at once. After a crash another process runs it. */
export type InlineDelivery = {
  /**
   * To be called after the COMMIT of the transaction that stores it; resolves when its outcome is
   * written. A stopped delivery is requeued.
   * @param then called with its end before that.
   */
  run(wallMsMax: number | undefined, then: (end: Ended) => Promise<void>): Promise<void>
  /** Requeues it, if it was stored. */
  release(): void
}

export type InlineDeliveryOptions = {
  readonly programs: Pick<Programs, 'get'>
  readonly runner: Pick<HandlerRunner, 'run' | 'runIn'>
  readonly clock: Clock
}

const released = { kind: 'released' } as const

export function createInlineDelivery(
  { programs, runner, clock }: InlineDeliveryOptions,
  queue: Pick<JobQueue<DeliveryInput>, 'settle'>,
  delivery: Delivery,
): InlineDelivery {
  async function runIt(
    wallMsMax: number | undefined,
    then: (end: Ended) => Promise<void>,
  ): Promise<JobOutcome> {
    const call = toCall(delivery)
    const bounded = wallMsMax === undefined ? call : { ...call, wallMsMax }
    const loaded = await programs.get(call.businessId, call.solutionId)
    const end = await (loaded === undefined ? runner.run(bounded) : runner.runIn(loaded, bounded))
    if (end.kind === 'stopped') return released
    await then(end)
    const retry = loaded === undefined ? undefined : findRetry(loaded, call, end)
    const nowUs = clock.nowUs()
    return toOutcome(end, retry, { attempts: 0, nowUs, againAtUs: () => nowUs })
  }

  return {
    async run(wallMsMax, then) {
      // An error, such as a lost database, is logged by the next attempt.
      await queue.settle(delivery, await runIt(wallMsMax, then).catch(() => released))
    },
    release: () => void queue.settle(delivery, released),
  }
}

/** Exponential backoff of solutions whose deliveries could not start. */
export type Backoffs = {
  /** Doubles the delay each time; the same time for all that fail to start meanwhile. */
  dueAtUs(solutionId: string, nowUs: number): number
  /** A delivery of the solution started. */
  reset(solutionId: string): void
}

const usPerMs = 1_000

/** In memory: the cause lies in this process. */
export function createBackoffs(): Backoffs {
  const delays = new Map<string, { readonly ms: number; readonly untilUs: number }>()
  return {
    dueAtUs(solutionId, nowUs) {
      const known = delays.get(solutionId)
      if (known !== undefined && nowUs < known.untilUs) return known.untilUs
      const longer = known === undefined ? scriptingLimits.deliveryAgainMs : known.ms * 2
      const ms = Math.min(scriptingLimits.deliveryAgainMsMax, longer)
      const untilUs = nowUs + ms * usPerMs
      if (delays.size >= scriptingLimits.scriptMachinesMax) delays.clear()
      delays.set(solutionId, { ms, untilUs })
      return untilUs
    },
    reset: (solutionId) => delays.delete(solutionId),
  }
}
