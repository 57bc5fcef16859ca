import type { Clock } from '../../kernel/index.ts'
import type { RetryPolicy } from '../registry/script.ts'
import type { Ended } from '../runtime/engine.ts'
import type { HostEnd } from '../runtime/host.ts'
import type { HandlerCall } from '../scripting.ts'
import type { Outcome } from './delivery.ts'
import { outcomeOf } from './outcome.ts'
import type { Settler } from './settle.ts'

/** A delivery that its creator runs at once. After a crash the delivery worker runs it. */
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

export type InlineDeliveryNeeds = {
  readonly run: (call: HandlerCall) => Promise<HostEnd>
  readonly retryOf: (call: HandlerCall) => Promise<RetryPolicy | undefined>
  readonly settler: Settler
  readonly clock: Clock
}

const released = { kind: 'released' } as const

export function createInlineDelivery(
  { run, retryOf, settler, clock }: InlineDeliveryNeeds,
  id: string,
  call: HandlerCall,
): InlineDelivery {
  const { solutionId } = call
  async function runIt(
    wallMsMax: number | undefined,
    then: (end: Ended) => Promise<void>,
  ): Promise<Outcome> {
    const end = await run(wallMsMax === undefined ? call : { ...call, wallMsMax })
    if (end.kind === 'stopped') return released
    await then(end)
    const retry = end.kind === 'returned' ? undefined : await retryOf(call)
    const nowUs = clock.nowUs()
    return outcomeOf(end, retry, { tries: 0, nowUs, againAtUs: () => nowUs })
  }

  return {
    async run(wallMsMax, then) {
      // An error, such as a lost database, is logged by the next attempt.
      const outcome = await runIt(wallMsMax, then).catch(() => released)
      await settler.settle({ solutionId, id, outcome })
    },
    release: () => void settler.settle({ solutionId, id, outcome: released }),
  }
}
