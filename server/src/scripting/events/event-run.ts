import type { JobOutcome, NewJob } from '../../jobs/index.ts'
import { type DeliveryInput, deliveryOf } from './delivery.ts'
import type { PlannedEvent } from './event-plan.ts'

/** Runs an event's handler; never rejects. */
export type RunEvent = (event: PlannedEvent) => Promise<JobOutcome>

/** One event for one solution: `new` → `running` → `ended`. */
export class EventRun {
  readonly event: PlannedEvent
  state: 'new' | 'running' | 'ended' = 'new'
  outcome: JobOutcome | undefined
  readonly #run: RunEvent
  readonly #ended = Promise.withResolvers<JobOutcome>()

  constructor(event: PlannedEvent, run: RunEvent) {
    this.event = event
    this.#run = run
  }

  get ended(): Promise<JobOutcome> {
    return this.#ended.promise
  }

  /** Whether it ended so that it will run once more. */
  get isToRunAgain(): boolean {
    return this.outcome !== undefined && isToRunAgain(this.outcome)
  }

  start(): Promise<JobOutcome> {
    this.state = 'running'
    this.#run(this.event).then((outcome) => {
      this.state = 'ended'
      this.outcome = outcome
      this.#ended.resolve(outcome)
    })
    return this.ended
  }

  /** The job to store for it now, or to count only if it succeeded. */
  toJob(): NewJob<DeliveryInput> {
    const { id, call, part, key } = this.event
    const first = this.state === 'running' ? ({ kind: 'running' } as const) : this.outcome
    return Object.assign(deliveryOf(call), { id, part, key, first })
  }
}

/** One that is to run again blocks the others of its device. */
export function isToRunAgain({ kind }: JobOutcome): boolean {
  return kind === 'retry' || kind === 'snooze' || kind === 'released'
}
