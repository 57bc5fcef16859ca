import type { Database } from '../../database/index.ts'
import { type Clock, createMemory, elapsedMs, limits } from '../../kernel/index.ts'
import { refusals } from './errors.ts'
import { type Periods, periodsOf, type Quota } from './quota.ts'
import { deleteQuota, type Grant, readUsages, takeCalls, type Usage, writeQuota } from './store.ts'

/** What subscriptions may call; counted exactly, in however many processes they do. */
export type Quotas = {
  /** Counts one call. @throws Fault quota_exceeded, naming the quota and when it begins anew */
  take(subscriptionId: string): Promise<void>
  read(subscriptionIds: readonly string[]): Promise<Map<string, Usage>>
  /** `solutionId`: the one that is exposed. */
  write(solutionId: string, subscriptionId: string, quota: Quota): Promise<void>
  forget(subscriptionId: string): Promise<void>
}

type Waiting = { readonly passed: () => void; readonly failed: (error: unknown) => void }

/**
 * Calls gather while a statement is under way, and are counted together by the next one: each
 * waits for one statement or two, however many they are. What was counted is in the database before
 * a call goes on, so a process that ends takes no call back.
 */
export function createQuotas({ database, clock }: { database: Database; clock: Clock }): Quotas {
  let waiting = new Map<string, Waiting[]>()
  let running = false
  /** Until when a subscription is believed to have no quota. */
  const free = createMemory<number>(limits.quotaCacheMax)
  /** Grows with each quota that is set here: what was read before says nothing any more. */
  let changes = 0

  async function run(): Promise<void> {
    if (running) return
    running = true
    while (waiting.size > 0) {
      const batch = waiting
      waiting = new Map()
      await count(batch)
    }
    running = false
  }

  async function count(batch: ReadonlyMap<string, readonly Waiting[]>): Promise<void> {
    const periods = periodsOf(clock.nowMs())
    const wanted = new Map([...batch].map(([id, calls]) => [id, calls.length]))
    const changesBefore = changes
    try {
      const grants = await takeCalls(database, wanted, periods)
      for (const [id, calls] of batch) {
        const unlimited = !grants.has(id) && changes === changesBefore
        if (unlimited) free.set(id, elapsedMs() + limits.quotaCacheMs)
        answer(calls, grants.get(id), periods)
      }
    } catch (error) {
      for (const { failed } of [...batch.values()].flat()) failed(error)
    }
  }

  function answer(calls: readonly Waiting[], grant: Grant | undefined, periods: Periods): void {
    const granted = grant?.granted ?? calls.length
    for (const { passed } of calls.slice(0, granted)) passed()
    if (grant === undefined) return
    for (const { failed } of calls.slice(granted)) failed(refusals.quotaExceeded(grant, periods))
  }

  return {
    take(subscriptionId) {
      if (elapsedMs() < (free.get(subscriptionId) ?? 0)) return Promise.resolve()
      return new Promise((passed, failed) => {
        const calls = waiting.get(subscriptionId) ?? []
        calls.push({ passed, failed })
        waiting.set(subscriptionId, calls)
        void run()
      })
    },
    read: (subscriptionIds) =>
      subscriptionIds.length === 0
        ? Promise.resolve(new Map())
        : readUsages(database, subscriptionIds, periodsOf(clock.nowMs())),
    async write(solutionId, subscriptionId, quota) {
      await writeQuota(database, solutionId, subscriptionId, quota, periodsOf(clock.nowMs()))
      changes += 1
      free.delete(subscriptionId)
    },
    async forget(subscriptionId) {
      await deleteQuota(database, subscriptionId)
      free.delete(subscriptionId)
    },
  }
}
