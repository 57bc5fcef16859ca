import type { Database } from '../../../../foundation/database/index.ts'
import { type Clock, elapsedMs, LruMap } from '../../../../foundation/kernel/index.ts'
import { refusals } from '../errors.ts'
import {
  countCallers,
  type Grant,
  readQuotaOwners,
  readUsages,
  takeCalls,
  type Usage,
  type WantedCalls,
  writeQuota,
} from '../store.ts'
import { callerKey, type Periods, type Quota, type QuotaCaller, toPeriods } from './quota.ts'

/**
 * The age up to which a subscription is cached as one without a quota. The process in which a quota
 * is set uses it at once, others within this time.
 */
const quotaCacheMs = 1_000
/** Subscriptions that are cached as ones without a quota. */
const quotaCacheMax = 10_000

/** Call quotas, counted exactly across all processes. */
export type Quotas = {
  /**
   * Counts one call. `preset`: the limits for callers without a quota.
   * @throws Fault quota_exceeded, naming the quota and when it is reset
   */
  take(caller: QuotaCaller, preset?: Quota): Promise<void>
  /** Reads the callers' own quotas; by `callerKey`. */
  read(callers: readonly QuotaCaller[]): Promise<Map<string, Usage>>
  /** Reads the quotas that count the callers' calls; by the callers' `callerKey`. */
  readShared(callers: readonly QuotaCaller[]): Promise<Map<string, Usage>>
  write(caller: QuotaCaller, quota: Quota): Promise<void>
  /** Drops the cached callers without a quota. */
  forget(): void
}

type Batch = {
  readonly caller: QuotaCaller
  /** That of the latest call: the definition may have changed since the first. */
  preset: Quota
  readonly calls: Waiting[]
}

type Waiting = { readonly resolve: () => void; readonly reject: (error: unknown) => void }

/**
 * Calls gather while a statement runs, and the next statement counts them together: each call waits
 * for one statement or two, however many there are. A call is counted in the database before it
 * continues, so a process that ends loses no count.
 */
export function createQuotas({ database, clock }: { database: Database; clock: Clock }): Quotas {
  let waiting = new Map<string, Batch>()
  let running = false
  /** Until when a caller is known to have no limit, by `changes` and its key. */
  const free = new LruMap<string, number>(quotaCacheMax)
  /** Grows with each quota that is set here, which makes the entries of `free` stale. */
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
    const periods = toPeriods(clock.nowMs())
    const changesBefore = changes
    try {
      const owners = await readOwners(
        database,
        [...batch.values()].map(({ caller }) => caller),
      )
      const shared = joinShared(batch, owners)
      const grants = await takeGrants(database, [...shared.values()], periods)
      for (const [key, { callers, calls, preset }] of shared) {
        const unlimited = !grants.has(key) && !isLimit(preset)
        for (const one of unlimited ? callers : []) {
          free.set(`${changesBefore} ${one}`, elapsedMs() + quotaCacheMs)
        }
        settle(calls, grants.get(key), periods)
      }
    } catch (error) {
      for (const { reject } of [...batch.values()].flatMap(({ calls }) => calls)) reject(error)
    }
  }

  return {
    take(caller, preset = {}) {
      const key = callerKey(caller)
      const freeUntilMs = free.get(`${changes} ${key}`) ?? 0
      if (!isLimit(preset) && elapsedMs() < freeUntilMs) return Promise.resolve()
      return new Promise((resolve, reject) => {
        const batch = waiting.get(key) ?? { caller, preset, calls: [] }
        batch.preset = preset
        batch.calls.push({ resolve, reject })
        waiting.set(key, batch)
        void run()
      })
    },
    read: async (callers) =>
      callers.length === 0
        ? new Map()
        : byKey(await readUsages(database, callers, toPeriods(clock.nowMs()))),
    async write(caller, quota) {
      await writeQuota(database, caller, quota, toPeriods(clock.nowMs()))
      changes += 1
      database.hints.notify('solutions', caller.callerId)
    },
    forget() {
      changes += 1
    },
    readShared: (callers) => readShared(database, callers, toPeriods(clock.nowMs())),
  }
}

async function readShared(
  database: Database,
  callers: readonly QuotaCaller[],
  periods: Periods,
): Promise<Map<string, Usage>> {
  if (callers.length === 0) return new Map()
  const owners = await readOwners(database, callers)
  const byOwner = byKey(await readUsages(database, [...owners.values()], periods))
  return new Map(
    [...owners].flatMap(([key, owner]) => {
      const usage = byOwner.get(callerKey(owner))
      return usage === undefined ? [] : [[key, usage] as const]
    }),
  )
}

/** Returns the callers whose quotas count the calls, by the calling callers' keys. */
async function readOwners(
  database: Database,
  callers: readonly QuotaCaller[],
): Promise<Map<string, QuotaCaller>> {
  const sharing = callers.filter(({ shares }) => shares)
  const rows = sharing.length === 0 ? [] : await readQuotaOwners(database, sharing)
  const shared = new Map(
    rows.map(({ ownerId, ...one }) => [callerKey(one), { ...one, callerId: ownerId }]),
  )
  return new Map(
    callers.map((caller) => {
      const key = callerKey(caller)
      return [key, (caller.shares ? shared.get(key) : undefined) ?? caller]
    }),
  )
}

type SharedBatch = Batch & { readonly callers: string[] }

/** Joins the batches of callers that share a quota, in their order of arrival. */
function joinShared(
  batch: ReadonlyMap<string, Batch>,
  owners: ReadonlyMap<string, QuotaCaller>,
): Map<string, SharedBatch> {
  const shared = new Map<string, SharedBatch>()
  for (const [key, one] of batch) {
    const caller = owners.get(key) ?? one.caller
    const before = shared.get(callerKey(caller))
    if (before === undefined) {
      shared.set(callerKey(caller), { ...one, caller, calls: [...one.calls], callers: [key] })
    } else {
      before.preset = one.preset
      before.calls.push(...one.calls)
      before.callers.push(key)
    }
  }
  return shared
}

function isLimit({ calls_daily, calls_monthly }: Quota): boolean {
  return calls_daily !== undefined || calls_monthly !== undefined
}

function byKey<Row extends QuotaCaller>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [callerKey(row), row]))
}

/** Counts calls; a caller with only a preset gets its counter with its first call. */
async function takeGrants(
  database: Database,
  batch: readonly Batch[],
  periods: Periods,
): Promise<Map<string, Grant>> {
  const wanted = batch.map(({ calls, ...one }) => ({ ...one, calls: calls.length }))
  const grants = byKey(await takeCalls(database, wanted, periods))
  const isNew = ({ caller, preset }: WantedCalls) =>
    isLimit(preset) && !grants.has(callerKey(caller))
  const fresh = wanted.filter(isNew)
  if (fresh.length === 0) return grants
  const callers = fresh.map(({ caller }) => caller)
  await countCallers(database, callers, periods)
  return new Map([...grants, ...byKey(await takeCalls(database, fresh, periods))])
}

function settle(calls: readonly Waiting[], grant: Grant | undefined, periods: Periods): void {
  const granted = grant?.granted ?? calls.length
  for (const { resolve } of calls.slice(0, granted)) resolve()
  if (grant === undefined) return
  for (const { reject } of calls.slice(granted)) reject(refusals.quotaExceeded(grant, periods))
}
