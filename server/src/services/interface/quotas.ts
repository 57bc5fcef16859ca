import type { Database } from '../../database/index.ts'
import { type Clock, elapsedMs, LruMap, limits } from '../../kernel/index.ts'
import { refusals } from './errors.ts'
import { type Caller, callerKey, type Periods, periodsOf, type Quota } from './quota.ts'
import {
  countCallers,
  type Grant,
  readPayers,
  readUsages,
  takeCalls,
  type Usage,
  type Wanted,
  writeQuota,
} from './store.ts'

/** What callers may call; counted exactly, in however many processes they do. */
export type Quotas = {
  /**
   * Counts one call. `preset`: the limits where nobody has set any.
   * @throws Fault quota_exceeded, naming the quota and when it begins anew
   */
  take(caller: Caller, preset?: Quota): Promise<void>
  /** Of the callers' own quotas; by `callerKey`. */
  read(callers: readonly Caller[]): Promise<Map<string, Usage>>
  /** Of the quotas that count their calls; by the `callerKey` of the callers that are asked for. */
  readShared(callers: readonly Caller[]): Promise<Map<string, Usage>>
  write(caller: Caller, quota: Quota): Promise<void>
  /** Who was found to have no quota is looked up anew. */
  forget(): void
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
  /** Until when nothing limits a caller, by `changes` and its key. */
  const free = new LruMap<string, number>(limits.quotaCacheMax)
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
      const payers = await payersOf(
        database,
        [...batch.values()].map(({ caller }) => caller),
      )
      const paid = joined(batch, payers)
      const grants = await grantsOf(database, [...paid.values()], periods)
      for (const [key, { callers, calls, preset }] of paid) {
        const unlimited = !grants.has(key) && !isLimit(preset)
        for (const one of unlimited ? callers : []) {
          free.set(`${changesBefore} ${one}`, elapsedMs() + limits.quotaCacheMs)
        }
        answer(calls, grants.get(key), periods)
      }
    } catch (error) {
      for (const { failed } of [...batch.values()].flatMap(({ calls }) => calls)) failed(error)
    }
  }

  return {
    take(caller, preset = {}) {
      const key = callerKey(caller)
      const freeUntilMs = free.get(`${changes} ${key}`) ?? 0
      if (!isLimit(preset) && elapsedMs() < freeUntilMs) return Promise.resolve()
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
      database.hints.tell('solutions', caller.callerId)
    },
    forget() {
      changes += 1
    },
    readShared: (callers) => readShared(database, callers, periodsOf(clock.nowMs())),
  }
}

async function readShared(
  database: Database,
  callers: readonly Caller[],
  periods: Periods,
): Promise<Map<string, Usage>> {
  if (callers.length === 0) return new Map()
  const payers = await payersOf(database, callers)
  const byPayer = byKey(await readUsages(database, [...payers.values()], periods))
  return new Map(
    [...payers].flatMap(([key, payer]) => {
      const usage = byPayer.get(callerKey(payer))
      return usage === undefined ? [] : [[key, usage] as const]
    }),
  )
}

/** Who pays for the calls of callers, by the callers' keys. */
async function payersOf(
  database: Database,
  callers: readonly Caller[],
): Promise<Map<string, Caller>> {
  const sharing = callers.filter(({ shares }) => shares)
  const rows = sharing.length === 0 ? [] : await readPayers(database, sharing)
  const shared = new Map(
    rows.map(({ payerId, ...one }) => [callerKey(one), { ...one, callerId: payerId }]),
  )
  return new Map(
    callers.map((caller) => {
      const key = callerKey(caller)
      return [key, (caller.shares ? shared.get(key) : undefined) ?? caller]
    }),
  )
}

type Paid = Batch & { readonly callers: string[] }

/** Batches of callers that share a quota become one; in the order in which they came. */
function joined(
  batch: ReadonlyMap<string, Batch>,
  payers: ReadonlyMap<string, Caller>,
): Map<string, Paid> {
  const paid = new Map<string, Paid>()
  for (const [key, one] of batch) {
    const caller = payers.get(key) ?? one.caller
    const before = paid.get(callerKey(caller))
    if (before === undefined) {
      paid.set(callerKey(caller), { ...one, caller, calls: [...one.calls], callers: [key] })
    } else {
      before.preset = one.preset
      before.calls.push(...one.calls)
      before.callers.push(key)
    }
  }
  return paid
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
