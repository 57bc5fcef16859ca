import type { Transaction } from '../../database/index.ts'
import { type Batches, createBatches, limits } from '../../kernel/index.ts'
import type { Settlement } from './job.ts'
import { countJobs, type Needs } from './needs.ts'
import { pruneBinding } from './store/bindings.ts'
import { settleJobs } from './store/jobs.ts'

/** Writes down how jobs ended: those that end together share a transaction. */
export function createSettler(needs: Needs, owner: string): Batches<Settlement, void> {
  return createBatches({
    batchMax: limits.notificationSettleMax,
    waitingMax: limits.notificationRunsMax,
    async run(items) {
      await needs.database.transaction((transaction) => write(needs, transaction, owner, items))
      return items.map(() => ({ value: undefined }))
    },
  })
}

async function write(
  { ledger, clock }: Needs,
  transaction: Transaction,
  owner: string,
  items: readonly Settlement[],
): Promise<void> {
  const kept: Settlement[] = []
  for (const item of items) kept.push(await prune(transaction, item))
  const rows = await settleJobs(transaction, owner, kept, clock.nowUs())
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

/** Where the binding was replaced meanwhile, this one notification failed, and no more. */
async function prune(transaction: Transaction, item: Settlement): Promise<Settlement> {
  const { job, pruneUs } = item
  if (item.state !== 'pruned' || pruneUs === undefined) return item
  const { solutionId, bindingSid, address } = job
  const whom = { solutionId, bindingSid, address, sinceUs: pruneUs }
  if (await pruneBinding(transaction, whom)) return item
  const moments = item.moments.map((one) => {
    return one.event === 'pruned' ? ({ ...one, event: 'failed' } as const) : one
  })
  return { ...item, state: 'failed', moments }
}
