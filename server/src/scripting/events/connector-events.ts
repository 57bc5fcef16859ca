import type { Database } from '../../database/index.ts'
import type { EventLog, RunningConsumer } from '../../eventlog/index.ts'
import { type Clock, type Logger, limits, type Random } from '../../kernel/index.ts'
import type { Subscriptions } from '../configurations/subscriptions.ts'
import type { Programs } from '../registry/programs.ts'
import type { RetryPolicy } from '../registry/script.ts'
import type { HostEnd } from '../runtime/host.ts'
import type { HandlerCall } from '../scripting.ts'
import { endedByClosing } from './delivery-worker.ts'
import { createEventPlanner, type PlannedEvent, type TagsOf } from './event-plan.ts'
import { createScriptEvents } from './events.ts'
import { outcomeOf } from './outcome.ts'
import type { Settler } from './settle.ts'

export type ConnectorEventsNeeds = {
  readonly database: Database
  readonly eventlog: EventLog
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly owner: string
  readonly settler: Settler
  readonly subscriptions: Subscriptions
  readonly programs: Pick<Programs, 'get'>
  readonly tagsOf: TagsOf
  readonly run: (call: HandlerCall) => Promise<HostEnd>
  readonly retryOf: (call: HandlerCall) => Promise<RetryPolicy | undefined>
  readonly wake: () => void
  readonly recovered: () => Promise<void>
}

/** Dispatches events of connectors to scripts. */
export type ConnectorEvents = {
  start(): void
  caughtUp(): Promise<void>
  /** Stops reading the log. */
  stop(): Promise<void>
  /** To be called after the host was closed. */
  close(): Promise<void>
}

const againUs = limits.deliveryAgainMs * 1_000

export function createConnectorEvents(needs: ConnectorEventsNeeds): ConnectorEvents {
  const { eventlog, logger, clock, run, retryOf } = needs
  let reading: RunningConsumer | undefined
  let stopped = false

  async function runEvent({ call }: PlannedEvent) {
    try {
      const end = await run(call)
      if (stopped && endedByClosing(end)) return { kind: 'released' } as const
      const retry = end.kind === 'returned' ? undefined : await retryOf(call)
      const nowUs = clock.nowUs()
      return outcomeOf(end, retry, { tries: 0, nowUs, againAtUs: () => nowUs + againUs })
    } catch (error) {
      // For example the database is unavailable while the program is read.
      logger.warn(
        { err: error, solution: call.solutionId },
        'an event could not be run; it becomes a delivery',
      )
      return { kind: 'released' } as const
    }
  }

  const events = createScriptEvents({
    ...needs,
    planner: createEventPlanner(needs),
    run: runEvent,
  })
  return {
    start() {
      reading = eventlog.consume(events.consumer)
    },
    caughtUp: async () => reading?.caughtUp(),
    async stop() {
      stopped = true
      await reading?.stop()
    },
    close: events.close,
  }
}
