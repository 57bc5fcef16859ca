import type { JobOutcome, JobQueue } from '../../jobs/index.ts'
import type { Clock } from '../../kernel/index.ts'
import type { Programs } from '../registry/programs.ts'
import type { HandlerRunner } from '../runtime/calls/handler-runner.ts'
import type { Ended } from '../runtime/engine.ts'
import { callOf, type Delivery, type DeliveryInput } from './delivery.ts'
import { outcomeOf } from './outcome.ts'
import { retryOf } from './run-delivery.ts'

/** A delivery that its creator runs at once. After a crash another process runs it. */
export type InlineDelivery = {
  /**
   * To be called after the COMMIT of the transaction that stores it; resolves when its outcome is
   * written. One that was stopped is requeued.
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
    const call = callOf(delivery)
    const bounded = wallMsMax === undefined ? call : { ...call, wallMsMax }
    const loaded = await programs.get(call.businessId, call.solutionId)
    const end = await (loaded === undefined ? runner.run(bounded) : runner.runIn(loaded, bounded))
    if (end.kind === 'stopped') return released
    await then(end)
    const retry = loaded === undefined ? undefined : retryOf(loaded, call, end)
    const nowUs = clock.nowUs()
    return outcomeOf(end, retry, { attempts: 0, nowUs, againAtUs: () => nowUs })
  }

  return {
    async run(wallMsMax, then) {
      // An error, such as a lost database, is logged by the next attempt.
      await queue.settle(delivery, await runIt(wallMsMax, then).catch(() => released))
    },
    release: () => void queue.settle(delivery, released),
  }
}
