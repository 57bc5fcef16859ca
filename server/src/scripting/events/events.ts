import type { Database, Transaction } from '../../database/index.ts'
import type { Consumer, EventLog, LoggedEntry } from '../../eventlog/index.ts'
import { type Clock, elapsedMs, type Logger, limits } from '../../kernel/index.ts'
import { insertDeliveries, readWaiting } from '../store/deliveries.ts'
import { acquirePartitionLease, releasePartitionLeases } from '../store/partition-leases.ts'
import { deadLetterOverflow } from './backlog.ts'
import type { NewDelivery } from './delivery.ts'
import { leaseOf } from './delivery-worker.ts'
import type { EventPlanner } from './event-plan.ts'
import { EventRun, type RunEvent } from './event-run.ts'
import { countParts, type Settler } from './settle.ts'
import { runInTimeSlices } from './time-slices.ts'

/** The runs of a batch: one for each event and solution that handles it. */
type EventBatch = {
  readonly runs: readonly EventRun[]
  /** Runs that had not ended when the batch was written. */
  unfinished: readonly EventRun[]
}

export type ScriptEvents = {
  readonly consumer: Consumer<EventBatch>
  /** To be called after the reader stopped: another process may read from here on. */
  close(): Promise<void>
}

export type ScriptEventsNeeds = {
  readonly database: Database
  readonly eventlog: Pick<EventLog, 'countStage'>
  readonly planner: EventPlanner
  readonly run: RunEvent
  readonly settler: Settler
  readonly clock: Clock
  readonly logger: Logger
  readonly owner: string
  /** Notifies the delivery worker. */
  readonly wake: () => void
  readonly recovered: () => Promise<void>
}

/**
 * The consumer that runs the handlers of a connector's events. A device's events run
 * one after the other, devices side by side. What is not done in time, or belongs to a solution
 * that is behind already, becomes deliveries in the transaction of the cursor, so that one
 * solution never holds up the others. How an event ends, and who acts next:
 * - it ended in time: it is counted; one that failed is kept as dead.
 * - it runs still: its row is leased to this process, which removes it at the end. After a crash
 *   the lease runs out and the event runs again.
 * - it was not begun: whoever takes deliveries takes it, behind those of its device before it.
 */
export function createScriptEvents(needs: ScriptEventsNeeds): ScriptEvents {
  const { database, planner, run, settler, clock, logger, owner, wake } = needs
  const turns = new Map<number, { epoch: number; askedMs: number }>()

  async function prepare(entries: readonly LoggedEntry[]): Promise<EventBatch> {
    const planned = await planner.plan(entries)
    if (planned.length === 0) return { runs: [], unfinished: [] }
    const solutions = [...new Set(planned.map(({ call }) => call.solutionId))]
    const behind = await readWaiting(database, solutions)
    const runs = planned.map((one) => new EventRun(one, run))
    const ready = runs.filter(({ event }) => !behind.has(event.call.solutionId))
    await runInTimeSlices(ready)
    return { runs, unfinished: [] }
  }

  async function apply(transaction: Transaction, batch: EventBatch): Promise<readonly []> {
    if (batch.runs.length === 0) return []
    const nowUs = clock.nowUs()
    batch.unfinished = batch.runs.filter(({ state }) => state === 'running')
    const done = batch.runs.filter(({ outcome }) => outcome?.kind === 'done')
    const toKeep = batch.runs.flatMap((one) => one.toDelivery() ?? [])
    const kept = await deadLetterOverflow(transaction, toKeep)
    if (kept.length > 0) await insertDeliveries(transaction, kept, leaseOf(owner, nowUs))
    await countParts(needs, transaction, {
      taken: batch.runs.map(({ event }) => event),
      done: done.map(({ event }) => event),
      failed: kept.filter(isDead),
    })
    return []
  }

  function committed({ runs, unfinished }: EventBatch): void {
    for (const one of unfinished) {
      const { solutionId } = one.event.call
      one.ended
        .then((outcome) => settler.settle({ solutionId, id: one.event.id, outcome }))
        .catch((error) => logger.error({ err: error }, 'failed to settle an event that ended late'))
    }
    if (runs.some(({ state }) => state === 'new')) wake()
  }

  async function turn(part: number): Promise<'mine' | 'again' | 'others'> {
    const known = turns.get(part)
    const nowMs = elapsedMs()
    if (known !== undefined && nowMs - known.askedMs < limits.scriptPartitionLeaseRenewMs)
      return 'mine'
    await needs.recovered()
    const lease = { owner, forUs: limits.scriptPartitionLeaseMs * usPerMs }
    const epoch = await acquirePartitionLease(database, part, lease)
    if (epoch === undefined) turns.delete(part)
    else turns.set(part, { epoch, askedMs: nowMs })
    if (epoch === undefined) return 'others'
    return epoch === known?.epoch ? 'mine' : 'again'
  }

  return {
    consumer: {
      name: 'scripts',
      batchMax: limits.scriptEventsBatchMax,
      ...{ turn, prepare, apply, committed },
    },
    close: () =>
      releasePartitionLeases(database, owner).catch((error) => {
        logger.warn({ err: error }, 'failed to release partition leases; they will expire')
      }),
  }
}

const usPerMs = 1_000

function isDead({ state }: NewDelivery): boolean {
  return state === 'dead'
}
