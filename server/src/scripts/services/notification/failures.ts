import { type FailureKey, Fault, limits } from '../../../foundation/kernel/index.ts'
import type { FailedDelivery } from './delivery/job.ts'
import { countJobs, type NotificationOptions, settleJobs } from './options.ts'
import {
  countFailed,
  deleteFailed,
  readFailed,
  readOneFailed,
  readRefusal,
  requeueFailed,
} from './store/failed-deliveries.ts'

/** Deliveries that failed, for the owner of their solutions. */
export type FailedDeliveries = {
  /** Newest first. */
  list(
    solutionIds: readonly string[],
    before: FailureKey | undefined,
    limit: number,
  ): Promise<FailedDelivery[]>
  /** Returns how many there are, at most `most`. */
  count(solutionIds: readonly string[], most: number): Promise<number>
  /** @throws Fault not_found */
  get(solutionIds: readonly string[], id: string): Promise<FailedDelivery>
  /**
   * Sends one again, or all whose binding and whose time to live are not over. @returns how many.
   * @throws Fault not_found, invalid_argument for one that is not sent any more
   */
  retry(solutionIds: readonly string[], id?: string): Promise<number>
  /** @returns how many. @throws Fault not_found */
  discard(solutionIds: readonly string[], id?: string): Promise<number>
}

type Options = Pick<NotificationOptions, 'database' | 'clock' | 'ledger'>

export function createFailedDeliveries(
  { database, clock, ledger }: Options,
  wake: () => void,
): FailedDeliveries {
  async function requeue(solutionIds: readonly string[], asked: { number?: number }) {
    const count = asked.number === undefined ? limits.pageMax : 1
    const parts = await database.transaction(async (transaction) => {
      const all = { ...asked, count, nowUs: clock.nowUs() }
      const requeued = await requeueFailed(transaction, solutionIds, all)
      // They are counted as failed already: what runs now is taken anew.
      const byPart = Map.groupBy(requeued, ({ part }) => part)
      for (const [part, { length }] of [...byPart].sort(([a], [b]) => a - b)) {
        await countJobs(ledger, transaction, part, { taken: length, settled: length })
      }
      return requeued
    })
    wake()
    return parts.length
  }

  async function refuse(solutionIds: readonly string[], number: number): Promise<never> {
    const why = await readRefusal(database, solutionIds, number, clock.nowUs())
    if (why === undefined) return missing()
    throw new Fault('invalid_argument', refusals[why])
  }

  return {
    list: (...asked) => readFailed(database, ...asked),
    count: (...asked) => countFailed(database, ...asked),
    async get(solutionIds, id) {
      return (await readOneFailed(database, solutionIds, parseNumber(id))) ?? missing()
    },
    async retry(solutionIds, id) {
      if (id !== undefined) {
        const number = parseNumber(id)
        return (await requeue(solutionIds, { number })) || refuse(solutionIds, number)
      }
      let all = 0
      for (;;) {
        const count = await requeue(solutionIds, {})
        all += count
        if (count < limits.pageMax) return all
      }
    },
    async discard(solutionIds, id) {
      const number = id === undefined ? undefined : parseNumber(id)
      const count = await database.transaction(async (transaction) => {
        const removed = await deleteFailed(transaction, solutionIds, number)
        await settleJobs(ledger, transaction, removed)
        return removed.reduce((sum, { count: own }) => sum + own, 0)
      })
      return count === 0 && id !== undefined ? missing() : count
    },
  }
}

const refusals = {
  unbound: 'Its binding was deleted: nothing is sent there any more. Discard it.',
  expired: 'Its Ttl is over: it is not sent any more. Discard it.',
}

function parseNumber(id: string): number {
  return /^\d{1,15}$/.test(id) ? Number(id) : missing()
}

function missing(): never {
  throw new Fault('not_found', 'No failed delivery has this id.')
}
