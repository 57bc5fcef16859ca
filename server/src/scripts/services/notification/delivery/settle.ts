import type { Transaction } from '../../../../foundation/database/index.ts'
import { type Batcher, createBatcher, limits } from '../../../../foundation/kernel/index.ts'
import { countJobs, type NotificationOptions } from '../options.ts'
import { markSent } from '../store/binding-list.ts'
import { settleJobs } from '../store/jobs.ts'
import { pruneBindings } from '../store/queues.ts'
import { readMoved } from '../store/waiting-jobs.ts'
import type { Settlement } from './job.ts'

/** Outcomes of notifications in one transaction. */
const notificationSettleMax = 1_000

/** Writes the outcomes of jobs; those that end together share a transaction. */
export function createSettlements(options: NotificationOptions): Batcher<Settlement, void> {
  return createBatcher({
    batchMax: notificationSettleMax,
    waitingMax: limits.notificationUnsettledMax,
    async run(items) {
      await options.database.transaction((transaction) => write(options, transaction, items))
      return items.map(() => ({ value: undefined }))
    },
  })
}

async function write(
  { ledger, clock }: NotificationOptions,
  transaction: Transaction,
  items: readonly Settlement[],
): Promise<void> {
  const nowUs = clock.nowUs()
  const kept = await retryMoved(transaction, await prune(transaction, items, nowUs), nowUs)
  // Before the jobs, as those do that change bindings.
  const sent = kept.filter(({ state }) => state === 'sent').map(({ job }) => job)
  await markSent(transaction, sent, nowUs)
  const rows = await settleJobs(transaction, kept, nowUs)
  const parts = [...new Set(rows.map(({ part }) => part))].sort((a, b) => a - b)
  for (const part of parts) {
    const of = rows.filter((row) => row.part === part)
    const done = of.filter(({ state }) => state === 'sent').length
    const failed = of.filter(({ state }) => state === 'failed' || state === 'pruned').length
    if (done + failed > 0) {
      await countJobs(ledger, transaction, part, { done, failed })
    }
  }
}

/** Queues a job again if its address was rejected and has been replaced since the attempt began. */
async function retryMoved(
  transaction: Transaction,
  items: readonly Settlement[],
  nowUs: number,
): Promise<readonly Settlement[]> {
  const failed = items.filter(({ job, addressRejected }) => addressRejected === true && !job.once)
  if (failed.length === 0) return items
  const moved = await readMoved(
    transaction,
    failed.map(({ job }) => job),
  )
  return items.map((item) => {
    if (item.addressRejected !== true || !moved.has(item.job.number)) return item
    const events = item.events.map((one) => {
      const isEnd = one.event === 'pruned' || one.event === 'failed'
      return isEnd ? ({ ...one, event: 'retry' } as const) : one
    })
    return { ...item, state: 'queued', events, dueAtUs: nowUs }
  })
}

/** Deletes bindings; if one was replaced meanwhile it stays, and only this notification fails. */
async function prune(
  transaction: Transaction,
  items: readonly Settlement[],
  nowUs: number,
): Promise<readonly Settlement[]> {
  const gone = items.flatMap(({ job, pruneUs }) => {
    const { solutionId, bindingSid, address } = job
    return pruneUs === undefined ? [] : [{ solutionId, bindingSid, address, sinceUs: pruneUs }]
  })
  if (gone.length === 0) return items
  const pruned = await pruneBindings(transaction, gone, nowUs)
  return items.map((item) => {
    if (item.state !== 'pruned' || pruned.has(item.job.bindingSid)) return item
    const events = item.events.map((one) => {
      return one.event === 'pruned' ? ({ ...one, event: 'failed' } as const) : one
    })
    return { ...item, state: 'failed', events }
  })
}
