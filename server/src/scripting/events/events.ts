import type { Database, Transaction } from '../../database/index.ts'
import type { Consumer, LoggedEntry } from '../../eventlog/index.ts'
import type { JobOutcome } from '../../jobs/index.ts'
import { elapsedMs, type Logger, limits } from '../../kernel/index.ts'
import {
  acquirePartitionLease,
  releaseAllPartitionLeases,
  releasePartitionLeases,
} from '../store/partition-leases.ts'
import type { DeliveryJobs } from './deliveries.ts'
import type { Delivery } from './delivery.ts'
import type { EventPlanner } from './event-plan.ts'
import { EventRun, type RunEvent } from './event-run.ts'
import { runInTimeSlices } from './time-slices.ts'

/** The runs of a batch: one for each event and solution that handles it. */
type EventBatch = {
  readonly runs: readonly EventRun[]
  /** Those that had not ended when the batch was written. */
  unfinished: readonly { readonly delivery: Delivery; readonly ended: Promise<JobOutcome> }[]
}

export type ScriptEvents = {
  readonly consumer: Consumer<EventBatch>
  /** To be called after the reader stopped: another process may read from here on. */
  close(): Promise<void>
}

export type ScriptEventsOptions = {
  readonly database: Database
  readonly planner: EventPlanner
  readonly run: RunEvent
  /** Takes what is not done in time, and counts all. */
  readonly deliveries: Pick<DeliveryJobs, 'enqueue' | 'settle' | 'pendingTenants' | 'wake'>
  readonly logger: Logger
  /** The owner of this process's partition leases. */
  readonly owner: string
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
export function createScriptEvents(options: ScriptEventsOptions): ScriptEvents {
  const { database, planner, run, deliveries, logger, owner } = options
  const turns = new Map<number, { epoch: number; askedMs: number }>()
  let recovered: Promise<void> | undefined

  async function prepare(entries: readonly LoggedEntry[]): Promise<EventBatch> {
    const planned = await planner.plan(entries)
    if (planned.length === 0) return { runs: [], unfinished: [] }
    const solutions = [...new Set(planned.map(({ call }) => call.solutionId))]
    const behind = await deliveries.pendingTenants(database, solutions)
    const runs = planned.map((one) => new EventRun(one, run))
    const ready = runs.filter(({ event }) => !behind.has(event.call.solutionId))
    await runInTimeSlices(ready)
    return { runs, unfinished: [] }
  }

  async function apply(transaction: Transaction, batch: EventBatch): Promise<readonly []> {
    const running = batch.runs.filter(({ state }) => state === 'running')
    const jobs = batch.runs.map((one) => one.toJob())
    const stored = await deliveries.enqueue(transaction, jobs)
    const byId = new Map(stored.map((delivery) => [delivery.id, delivery]))
    batch.unfinished = running.flatMap((one) => {
      const delivery = byId.get(one.event.id)
      return delivery === undefined ? [] : [{ delivery, ended: one.ended }]
    })
    return []
  }

  function committed({ runs, unfinished }: EventBatch): void {
    for (const { delivery, ended } of unfinished) {
      ended
        .then((outcome) => deliveries.settle(delivery, outcome))
        .catch((error) => logger.error({ err: error }, 'failed to settle an event that ended late'))
    }
    if (runs.some(({ state }) => state === 'new')) deliveries.wake()
  }

  async function turn(part: number): Promise<'mine' | 'again' | 'others'> {
    const known = turns.get(part)
    const nowMs = elapsedMs()
    if (known !== undefined && nowMs - known.askedMs < limits.scriptPartitionLeaseRenewMs)
      return 'mine'
    recovered ??= recover(database, logger)
    await recovered
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
      turn,
      prepare,
      isEmpty: ({ runs }) => runs.length === 0,
      apply,
      committed,
    },
    close: () =>
      releasePartitionLeases(database, owner).catch((error) => {
        logger.warn({ err: error }, 'failed to release partition leases; they will expire')
      }),
  }
}

const usPerMs = 1_000

/**
 * Releases the partitions of a process that was killed, if no other process can be running: the
 * embedded engine has one. On a server others may run; there the leases expire.
 */
async function recover(database: Database, logger: Logger): Promise<void> {
  if (database.engine !== 'embedded') return
  await releaseAllPartitionLeases(database).catch((error) => {
    logger.warn({ err: error }, 'failed to release the partitions of an earlier process')
  })
}
