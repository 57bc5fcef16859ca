import type { Transaction } from '../../../database/index.ts'
import { type Batcher, createBatcher, limits } from '../../../kernel/index.ts'
import { countJobs, type Needs } from '../needs.ts'
import { settleJobs } from '../store/jobs.ts'
import { pruneBindings } from '../store/lanes.ts'
import { readMoved } from '../store/waiting.ts'
import type { Settlement } from './job.ts'

/** Writes down how jobs ended: those that end together share a transaction. */
export function createSettler(needs: Needs): Batcher<Settlement, void> {
  return createBatcher({
    batchMax: limits.notificationSettleMax,
    waitingMax: limits.notificationUnsettledMax,
    async run(items) {
      await needs.database.transaction((transaction) => write(needs, transaction, items))
      return items.map(() => ({ value: undefined }))
    },
  })
}

async function write(
  { ledger, clock }: Needs,
  transaction: Transaction,
  items: readonly Settlement[],
): Promise<void> {
  const nowUs = clock.nowUs()
  const kept = await retryMoved(transaction, await prune(transaction, items, nowUs), nowUs)
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

/** Where the address was replaced during the attempt that it failed the new one is tried. */
async function retryMoved(
  transaction: Transaction,
  items: readonly Settlement[],
  nowUs: number,
): Promise<readonly Settlement[]> {
  const failed = items.filter(({ job, ofAddress }) => ofAddress === true && !job.once)
  if (failed.length === 0) return items
  const moved = await readMoved(
    transaction,
    failed.map(({ job }) => job),
  )
  return items.map((item) => {
    if (item.ofAddress !== true || !moved.has(item.job.number)) return item
    const moments = item.moments.map((one) => {
      const isEnd = one.event === 'pruned' || one.event === 'failed'
      return isEnd ? ({ ...one, event: 'retry' } as const) : one
    })
    return { ...item, state: 'queued', moments, dueAtUs: nowUs }
  })
}

/** Where the binding was replaced meanwhile, this one notification failed, and no more. */
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
    const moments = item.moments.map((one) => {
      return one.event === 'pruned' ? ({ ...one, event: 'failed' } as const) : one
    })
    return { ...item, state: 'failed', moments }
  })
}
