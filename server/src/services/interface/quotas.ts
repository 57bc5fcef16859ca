import type { Database } from '../../database/index.ts'
import { type Clock, createMemory, elapsedMs, limits } from '../../kernel/index.ts'
import { refusals } from './errors.ts'
import { type Caller, callerKey, type Periods, periodsOf, type Quota } from './quota.ts'
import {
  countCallers,
  type Grant,
  readStrictest,
  readUsages,
  takeCalls,
  type Usage,
  type Wanted,
  writeQuota,
} from './store.ts'

/** What callers may call; counted exactly, in however many processes they do. */
export type Quotas = {
  /**
   * Counts one call. `preset`: the limits where the caller has none of its own.
   * @throws Fault quota_exceeded, naming the quota and when it begins anew
   */
  take(caller: Caller, preset?: Quota): Promise<void>
  /** By `callerKey`. */
  read(callers: readonly Caller[]): Promise<Map<string, Usage>>
  write(caller: Caller, quota: Quota): Promise<void>
  /** Who was found to have no quota is looked up anew. */
  forget(): void
  /** The caller of a business with the strictest quota of its own, if any has one. */
  strictest(exposedId: string, businessId: string): Promise<string | undefined>
}

type Batch = {
  readonly caller: Caller
  /** Of the latest call: the definition may have changed since the first. */
  preset: Quota
  readonly calls: Waiting[]
}

type Waiting = { readonly passed: () => void; readonly failed: (error: unknown) => void }

/**
 * Calls gather while a statement is under way, and are counted together by the next one: each
 * waits for one statement or two, however many they are. What was counted is in the database before
 * a call goes on, so a process that ends takes no call back.
 */
export function createQuotas({ database, clock }: { database: Database; clock: Clock }): Quotas {
  let waiting = new Map<string, Batch>()
  let running = false
  /** Until when a caller is believed to have no quota. */
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

  async function count(batch: ReadonlyMap<string, Batch>): Promise<void> {
    const periods = periodsOf(clock.nowMs())
    const changesBefore = changes
    try {
      const grants = await grantsOf(database, [...batch.values()], periods)
      for (const [key, { calls, preset }] of batch) {
        const unlimited = !grants.has(key) && !isLimit(preset) && changes === changesBefore
        if (unlimited) free.set(key, elapsedMs() + limits.quotaCacheMs)
        answer(calls, grants.get(key), periods)
      }
    } catch (error) {
      for (const { failed } of [...batch.values()].flatMap(({ calls }) => calls)) failed(error)
    }
  }

  return {
    take(caller, preset = {}) {
      const key = callerKey(caller)
      if (!isLimit(preset) && elapsedMs() < (free.get(key) ?? 0)) return Promise.resolve()
      return new Promise((passed, failed) => {
        const batch = waiting.get(key) ?? { caller, preset, calls: [] }
        batch.preset = preset
        batch.calls.push({ passed, failed })
        waiting.set(key, batch)
        void run()
      })
    },
    read: async (callers) =>
      callers.length === 0
        ? new Map()
        : byKey(await readUsages(database, callers, periodsOf(clock.nowMs()))),
    async write(caller, quota) {
      await writeQuota(database, caller, quota, periodsOf(clock.nowMs()))
      changes += 1
      free.delete(callerKey(caller))
      database.hints.tell('solutions', caller.callerId)
    },
    forget() {
      changes += 1
      free.deleteWhere(() => true)
    },
    strictest: (exposedId, businessId) => readStrictest(database, exposedId, businessId),
  }
}

function isLimit({ calls_daily, calls_monthly }: Quota): boolean {
  return calls_daily !== undefined || calls_monthly !== undefined
}

function byKey<Row extends Caller>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [callerKey(row), row]))
}

/** Who has no quota of its own, and a default, is counted from its first call on. */
async function grantsOf(
  database: Database,
  batch: readonly Batch[],
  periods: Periods,
): Promise<Map<string, Grant>> {
  const wanted = batch.map(({ calls, ...one }) => ({ ...one, calls: calls.length }))
  const grants = byKey(await takeCalls(database, wanted, periods))
  const isNew = ({ caller, preset }: Wanted) => isLimit(preset) && !grants.has(callerKey(caller))
  const fresh = wanted.filter(isNew)
  if (fresh.length === 0) return grants
  const callers = fresh.map(({ caller }) => caller)
  await countCallers(database, callers, periods)
  return new Map([...grants, ...byKey(await takeCalls(database, fresh, periods))])
}

function answer(calls: readonly Waiting[], grant: Grant | undefined, periods: Periods): void {
  const granted = grant?.granted ?? calls.length
  for (const { passed } of calls.slice(0, granted)) passed()
  if (grant === undefined) return
  for (const { failed } of calls.slice(granted)) failed(refusals.quotaExceeded(grant, periods))
}
