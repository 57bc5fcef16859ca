import type { NewDelivery, Outcome } from './delivery.ts'
import type { PlannedEvent } from './event-plan.ts'

/** Runs an event's handler; never rejects. */
export type RunEvent = (event: PlannedEvent) => Promise<Outcome>

/** One event for one solution: `new` → `running` → `ended`. */
export class EventRun {
  readonly event: PlannedEvent
  state: 'new' | 'running' | 'ended' = 'new'
  outcome: Outcome | undefined
  readonly #run: RunEvent
  readonly #ended = Promise.withResolvers<Outcome>()

  constructor(event: PlannedEvent, run: RunEvent) {
    this.event = event
    this.#run = run
  }

  get ended(): Promise<Outcome> {
    return this.#ended.promise
  }

  start(): Promise<Outcome> {
    this.state = 'running'
    this.#run(this.event).then((outcome) => {
      this.state = 'ended'
      this.outcome = outcome
      this.#ended.resolve(outcome)
    })
    return this.ended
  }

  /** The delivery to store for it now; undefined if it succeeded. */
  toDelivery(): NewDelivery | undefined {
    const { id, call, part, key } = this.event
    const base = { id, call, part, key }
    if (this.state === 'running') return { ...base, state: 'running' }
    const { outcome } = this
    switch (outcome?.kind) {
      case 'done':
        return undefined
      case 'dead':
        return { ...base, state: 'dead', error: outcome.error, tries: 1 }
      case 'later':
        return {
          ...{ ...base, state: 'waiting', error: outcome.error, dueAtUs: outcome.dueAtUs },
          tries: outcome.began ? 1 : 0,
        }
      default:
        return { ...base, state: 'waiting' }
    }
  }
}
