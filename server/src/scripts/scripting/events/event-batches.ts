import type { Queryable } from '../../../foundation/database/index.ts'
import type { Logger } from '../../../foundation/kernel/index.ts'
import type { JobOutcome, NewJob, PendingKey } from '../../../log/jobs/index.ts'
import type { SolutionPlace } from '../store/solution-cursors.ts'
import type { DeliveryJobs } from './deliveries.ts'
import { type Delivery, type DeliveryInput, makeDelivery } from './delivery.ts'
import type { PlannedEvent } from './planned-events.ts'

/** Runs an event's handler; never rejects. */
export type RunEvent = (event: PlannedEvent) => Promise<JobOutcome>

/** An event for a solution: `new` → `running` → `ended`. */
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

  /** True if it ended and will run again. */
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
    return { ...makeDelivery(call), id, part, key, first }
  }
}

/** An event that will run again blocks the others of its device. */
export function isToRunAgain({ kind }: JobOutcome): boolean {
  return kind === 'retry' || kind === 'snooze' || kind === 'released'
}

/** The jobs that events become. */
export type EventDeliveries = Pick<
  DeliveryJobs,
  'enqueue' | 'settle' | 'pendingTenants' | 'pendingKeys' | 'isBehind' | 'wake'
>

/** An event that ran still when its batch was written, and the job that it is. */
type LateEvent = { readonly delivery: Delivery; readonly ended: Promise<JobOutcome> }

/**
 * Events of a batch that run now. The end of an event, and who acts next:
 * - it ended in time: it is counted; one that failed is kept as dead.
 * - it runs still: it is a job that is leased to this process, which settles it at the end. After a
 *   crash the lease runs out and the event runs again.
 * - an earlier event of its device waits for a later time, or runs for long: it is a job that waits
 *   behind that one.
 * - else it was not begun: it is left in the log.
 */
export class EventBatch {
  readonly runs: readonly EventRun[]
  /**
   * Solution and device of earlier events that have not ended, and of those that will not end soon.
   */
  readonly #blocked = new Set<string>()
  readonly #blockedLong = new Set<string>()
  #late: readonly LateEvent[] = []

  private constructor(runs: readonly EventRun[], pending: readonly PendingKey[]) {
    this.runs = runs
    for (const { tenant, key, isLong } of pending) {
      this.#blocked.add(deviceKey(tenant, key))
      if (isLong) this.#blockedLong.add(deviceKey(tenant, key))
    }
  }

  static async of(
    planned: readonly PlannedEvent[],
    run: RunEvent,
    deliveries: Pick<EventDeliveries, 'pendingTenants' | 'pendingKeys'>,
    queryable: Queryable,
  ): Promise<EventBatch> {
    const runs = planned.map((event) => new EventRun(event, run))
    const solutions = [...new Set(planned.map(({ call }) => call.solutionId))]
    if (solutions.length === 0) return new EventBatch(runs, [])
    const pending = await deliveries.pendingTenants(queryable, solutions)
    const devices = new Map(
      planned
        .filter(({ call }) => pending.has(call.solutionId))
        .map((event) => [eventDevice(event), { tenant: event.call.solutionId, key: event.key }]),
    )
    if (devices.size === 0) return new EventBatch(runs, [])
    return new EventBatch(runs, await deliveries.pendingKeys(queryable, [...devices.values()]))
  }

  /** The runs that wait for no earlier one of their device. */
  get ready(): readonly EventRun[] {
    return this.runs.filter(({ event }) => !this.#blocked.has(eventDevice(event)))
  }

  /** True if anything was begun, or is to be a job. */
  get hasMoved(): boolean {
    return this.runs.some((one) => !this.#isLeft(one))
  }

  /** Call it when no further event begins. @returns what is left in the log. */
  close(): readonly EventRun[] {
    for (const one of this.runs) {
      if (one.isToRunAgain) this.#blockedLong.add(eventDevice(one.event))
    }
    return this.runs.filter((one) => this.#isLeft(one))
  }

  /** The jobs to store, or to count only. */
  toJobs(): readonly NewJob<DeliveryInput>[] {
    return this.runs.filter((one) => !this.#isLeft(one)).map((one) => one.toJob())
  }

  /** Stores the jobs. */
  async storeIn(
    transaction: Parameters<EventDeliveries['enqueue']>[0],
    deliveries: Pick<EventDeliveries, 'enqueue'>,
  ): Promise<void> {
    const running = this.runs.filter(({ state }) => state === 'running')
    const stored = await deliveries.enqueue(transaction, this.toJobs())
    const byId = new Map(stored.map((delivery) => [delivery.id, delivery]))
    this.#late = running.flatMap((one) => {
      const delivery = byId.get(one.event.id)
      return delivery === undefined ? [] : [{ delivery, ended: one.ended }]
    })
  }

  /**
   * Call it after the commit, also if its outcome is unknown; events that are not stored are
   * passed.
   */
  committed(deliveries: Pick<EventDeliveries, 'settle' | 'wake'>, logger: Logger): void {
    for (const { delivery, ended } of this.#late) {
      ended
        .then((outcome) => deliveries.settle(delivery, outcome))
        .catch((error) => logger.error({ err: error }, 'failed to settle an event that ended late'))
    }
    if (this.runs.some((one) => one.state === 'new' && !this.#isLeft(one))) deliveries.wake()
  }

  #isLeft(one: EventRun): boolean {
    return one.state === 'new' && !this.#blockedLong.has(eventDevice(one.event))
  }
}

/**
 * The place of a solution after a batch of its events.
 * @param left those that are left in the log.
 * @param end the last entry of the batch.
 */
export function placeAfter(
  runs: readonly EventRun[],
  left: readonly EventRun[],
  end: number,
): Pick<SolutionPlace, 'position' | 'skipped'> {
  const first = left[0]
  if (first === undefined) return { position: end, skipped: [] }
  const position = first.event.seq - 1
  const isLeft = new Set(left)
  const handled = runs.filter((one) => !isLeft.has(one) && one.event.seq > position)
  return { position, skipped: handled.map(({ event }) => eventKey(event)) }
}

/** An event of a solution within a partition. */
export function eventKey({ seq, call }: Pick<PlannedEvent, 'seq' | 'call'>): string {
  return `${seq}/${call.service}`
}

function eventDevice({ call, key }: PlannedEvent): string {
  return deviceKey(call.solutionId, key)
}

function deviceKey(solutionId: string, key: string): string {
  return `${solutionId}\0${key}`
}
