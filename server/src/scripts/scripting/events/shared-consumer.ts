import type { Database, Transaction } from '../../../foundation/database/index.ts'
import type { Clock, Logger, Random } from '../../../foundation/kernel/index.ts'
import type {
  Consumer,
  EventLog,
  LoggedEntry,
  RunningConsumer,
} from '../../../log/eventlog/index.ts'
import type { Subscriptions } from '../configurations/subscriptions.ts'
import { scriptingLimits } from '../limits.ts'
import type { Programs } from '../registry/programs.ts'
import type { HandlerRunner } from '../runtime/calls/handler-runner.ts'
import type { BehindSolution, SolutionPlace } from '../store/solution-cursors.ts'
import { CatchUp } from './behind-consumer.ts'
import { endedByClosing, toOutcome } from './delivery.ts'
import { findRetry } from './delivery-runs.ts'
import { EventBatch, type EventDeliveries, placeAfter, type RunEvent } from './event-batches.ts'
import {
  createEventPlanner,
  type EventPlanner,
  type PlannedEvent,
  type TagsOf,
} from './planned-events.ts'
import { runInTimeSlices } from './time-slices.ts'

export type ConnectorEventsOptions = {
  readonly database: Database
  readonly eventlog: EventLog
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly deliveries: EventDeliveries
  readonly subscriptions: Subscriptions
  readonly programs: Pick<Programs, 'get'>
  readonly tagsOf: TagsOf
  readonly runner: Pick<HandlerRunner, 'runIn'>
}

/** Dispatches events of connectors to scripts. */
export type ConnectorEvents = {
  start(): void
  caughtUp(): Promise<void>
  /** Removes the state of a solution, in the transaction that removes the solution. */
  removeIn(transaction: Transaction, solutionId: string): Promise<void>
  /** Stops reading the log. */
  stop(): Promise<void>
}

const againUs = scriptingLimits.deliveryAgainMs * 1_000

export function createConnectorEvents(options: ConnectorEventsOptions): ConnectorEvents {
  const { eventlog, logger, clock, runner } = options
  let reading: RunningConsumer | undefined
  let stopped = false

  async function runEvent({ call, loaded }: PlannedEvent) {
    try {
      const end = await runner.runIn(loaded, call)
      if (stopped && endedByClosing(end)) return { kind: 'released' } as const
      const nowUs = clock.nowUs()
      const context = { attempts: 0, nowUs, againAtUs: () => nowUs + againUs }
      return toOutcome(end, findRetry(loaded, call, end), context)
    } catch (error) {
      logger.warn(
        { err: error, solution: call.solutionId },
        'an event could not be run; it becomes a delivery',
      )
      return { kind: 'released' } as const
    }
  }

  const planner = createEventPlanner(options)
  const parts = { ...options, planner, run: runEvent, nowUs: () => clock.nowUs() }
  const catchUp = new CatchUp(parts)
  const consumer = createScriptEvents({ ...parts, catchUp })
  return {
    start() {
      reading = eventlog.consume(consumer)
      catchUp.start()
    },
    removeIn: (...which) => catchUp.removeIn(...which),
    async caughtUp() {
      await reading?.caughtUp()
      await catchUp.caughtUp()
    },
    async stop() {
      stopped = true
      await Promise.all([reading?.stop(), catchUp.stop()])
    },
  }
}

/** The events of a batch: those that run now, and the solutions that leave some in the log. */
type SharedBatch = {
  readonly part: number
  readonly events: EventBatch
  readonly behind: readonly (BehindSolution & SolutionPlace)[]
}

export type ScriptEventsOptions = {
  readonly database: Database
  readonly planner: EventPlanner
  readonly run: RunEvent
  /** Stores the events that must wait, and counts all. */
  readonly deliveries: EventDeliveries
  /** Takes over the events of solutions that are too slow. */
  readonly catchUp: CatchUp
  readonly logger: Logger
}

/**
 * The consumer that runs the handlers of a connector's events. A device's events run one after the
 * other, devices side by side. A solution that does not begin all of its events in time is behind:
 * it goes on by itself from what is left, and the others go on without it.
 */
export function createScriptEvents(options: ScriptEventsOptions): Consumer<SharedBatch> {
  const { database, planner, run, deliveries, catchUp, logger } = options

  async function prepare(entries: readonly LoggedEntry[]): Promise<SharedBatch> {
    const part = entries[0]?.part ?? 0
    const before = (entries[0]?.seq ?? 1) - 1
    const until = entries.at(-1)?.seq ?? before
    const planned = await planner.plan(entries)
    const [late, ready] = divide(planned, ({ call }) => catchUp.isBehind(part, call.solutionId))
    const events = await EventBatch.of(ready, run, deliveries, database)
    await runInTimeSlices(events.ready)
    const left = Map.groupBy(events.close(), eventSolution)
    const runs = Map.groupBy(events.runs, eventSolution)
    const behind = [
      ...listSolutions(late).map((one) => ({ ...one, position: before, until, skipped: [] })),
      ...listSolutions(ready).flatMap((one) => {
        const own = left.get(one.solutionId)
        if (own === undefined) return []
        return [{ ...one, until, ...placeAfter(runs.get(one.solutionId) ?? [], own, until) }]
      }),
    ]
    return { part, events, behind }
  }

  async function apply(
    transaction: Transaction,
    { part, events, behind }: SharedBatch,
  ): Promise<readonly []> {
    await catchUp.extendIn(transaction, part, behind)
    await events.storeIn(transaction, deliveries)
    return []
  }

  function committed({ part, events, behind }: SharedBatch): void {
    events.committed(deliveries, logger)
    catchUp.extended(part, behind)
  }

  return {
    name: 'scripts',
    batchMax: scriptingLimits.scriptEventsBatchMax,
    acquired: (part) => catchUp.load(part),
    leaving: (part) => catchUp.leave(part),
    prepare,
    isEmpty: ({ events, behind }) => events.runs.length === 0 && behind.length === 0,
    apply,
    committed,
    // If it is committed, its running events are to be settled, and who is behind is to be known.
    failed: committed,
  }
}

function divide<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  const first: Item[] = []
  const second: Item[] = []
  for (const item of items) (isFirst(item) ? first : second).push(item)
  return [first, second]
}

function eventSolution({ event }: { readonly event: PlannedEvent }): string {
  return event.call.solutionId
}

function listSolutions(planned: readonly PlannedEvent[]): readonly BehindSolution[] {
  const found = new Map(
    planned.map(({ call: { businessId, solutionId } }) => [solutionId, { businessId, solutionId }]),
  )
  return [...found.values()]
}
