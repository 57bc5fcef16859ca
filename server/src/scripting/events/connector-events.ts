import type { Database, Transaction } from '../../database/index.ts'
import type { EventLog, RunningConsumer } from '../../eventlog/index.ts'
import { type Clock, type Logger, limits, type Random } from '../../kernel/index.ts'
import type { Subscriptions } from '../configurations/subscriptions.ts'
import type { Programs } from '../registry/programs.ts'
import type { HandlerRunner } from '../runtime/calls/handler-runner.ts'
import { CatchUp } from './catch-up.ts'
import type { EventDeliveries } from './event-batch.ts'
import { createEventPlanner, type PlannedEvent, type TagsOf } from './event-plan.ts'
import { createScriptEvents } from './events.ts'
import { endedByClosing, outcomeOf } from './outcome.ts'
import { retryOf } from './run-delivery.ts'

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
  /** What a solution that is removed had left; in the transaction that removes it. */
  removeIn(transaction: Transaction, solutionId: string): Promise<void>
  /** Stops reading the log. */
  stop(): Promise<void>
}

const againUs = limits.deliveryAgainMs * 1_000

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
      return outcomeOf(end, retryOf(loaded, call, end), context)
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
