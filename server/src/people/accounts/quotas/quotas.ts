import type { Database, Queryable, Transaction } from '../../../foundation/database/index.ts'
import { type Clock, Fault, type Logger, makeRecord } from '../../../foundation/kernel/index.ts'
import { deleteQuota, holdQuota, readQuotas, takeFrom, writeQuota } from '../store/quotas.ts'
import { RateLease } from './lease.ts'
import {
  type BusinessQuotas,
  type BusinessUsage,
  type QuotaChange,
  type QuotaKind,
  quotaKinds,
} from './schema.ts'
import { UseCounts } from './use.ts'

/** The time after which a process reads the quotas of businesses again. */
const businessQuotaCacheMs = 5_000

const stockKinds = ['devices', 'storage', 'tokens', 'users'] as const
type Rate = 'messages' | 'script_cpu'
type Stock = (typeof stockKinds)[number]

export type QuotaGuard = {
  /** Reads the quotas of rates. Before that, the first messages of a process are not counted. */
  load(): Promise<void>
  /**
   * Returns the quotas that the business has then. Other processes follow within
   * `businessQuotaCacheMs`.
   */
  set(businessId: string, change: QuotaChange): Promise<BusinessQuotas>
  /**
   * Counts a message that is to be stored.
   * @throws Fault `business_rate_exceeded`, or rejects with it.
   */
  takeMessage(businessId: string): Promise<void> | undefined
  /** For a script that is to run. @throws Fault `business_rate_exceeded`, or rejects with it. */
  requireCpu(businessId: string): Promise<void> | undefined
  /** Counts what a script used. */
  useCpu(businessId: string, ms: number): void
  /**
   * To be called in the transaction that adds something, after it. Only of a business with a quota
   * of this kind something is counted, and its others wait for the transaction.
   * @throws Fault `business_quota_full`: then the caller rolls back.
   */
  require(transaction: Transaction, businessId: string, kind: Stock): Promise<void>
  /**
   * Returns how many more there may be: negative after a quota was lowered; infinite without one.
   */
  countRoom(businessId: string, kind: Stock): Promise<number>
  /** Adds a way to count what businesses have; the counts of one kind are added up. */
  addCount(kind: Stock, count: CountOfBusinesses): void
  /** Counts the stocks of businesses, and their use of rates in the last whole minute. */
  countUsage(businessIds: readonly string[]): Promise<(businessId: string) => BusinessUsage>
  sweep(): Promise<void>
  close(): Promise<void>
}

/** Counts something of businesses; those that have none may be missing. */
export type CountOfBusinesses = (
  queryable: Queryable,
  businessIds: readonly string[],
) => Promise<ReadonlyMap<string, number>>

export type QuotasOptions = {
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
}

const windowMs: Readonly<Record<Rate, number>> = { messages: 1_000, script_cpu: 60_000 }
const usPerMs = 1_000

const texts: Readonly<Record<QuotaKind, string>> = {
  devices: 'devices',
  messages: 'messages a second',
  storage: 'bytes of storage',
  script_cpu: 'milliseconds of CPU of scripts a minute',
  tokens: 'API tokens',
  users: 'users',
}

export function createQuotas(options: QuotasOptions): QuotaGuard {
  const { database } = options
  const known = new KnownQuotas(options)
  const uses = new UseCounts(options)
  const stocks = new Stocks()

  async function loadQuotas(): Promise<(businessId: string) => BusinessQuotas> {
    const stored = Map.groupBy(await readQuotas(database), ({ businessId }) => businessId)
    return (id) => byKind((kind) => stored.get(id)?.find((one) => one.kind === kind)?.most ?? null)
  }

  return {
    load: () => known.read(),
    async set(businessId, change) {
      await database.transaction(async (transaction) => {
        for (const kind of quotaKinds) {
          const most = change[kind]
          if (most === undefined) continue
          if (most === null) await deleteQuota(transaction, businessId, kind)
          else await writeQuota(transaction, { businessId, kind, most })
        }
      })
      await known.read()
      return (await loadQuotas())(businessId)
    },
    takeMessage(businessId) {
      const waiting = known.leaseFor(businessId, 'messages')?.use(1)
      if (waiting !== undefined) return waiting.then(() => uses.add(businessId, 'messages', 1))
      uses.add(businessId, 'messages', 1)
      return undefined
    },
    requireCpu: (businessId) => known.leaseFor(businessId, 'script_cpu')?.use(1),
    useCpu(businessId, ms) {
      known.leaseFor(businessId, 'script_cpu')?.charge(Math.max(0, ms - 1))
      uses.add(businessId, 'script_cpu', ms)
    },
    async require(transaction, businessId, kind) {
      const most = await holdQuota(transaction, businessId, kind)
      if (most === undefined) return
      const counts = await stocks.count(transaction, kind, [businessId])
      if ((counts.get(businessId) ?? 0) <= most) return
      throw new Fault('business_quota_full', `The business may have ${most} ${texts[kind]}.`)
    },
    async countRoom(businessId, kind) {
      const quotas = await readQuotas(database)
      const most = quotas.find((one) => one.businessId === businessId && one.kind === kind)?.most
      if (most === undefined) return Number.POSITIVE_INFINITY
      const counts = await stocks.count(database, kind, [businessId])
      return most - (counts.get(businessId) ?? 0)
    },
    addCount: (kind, count) => stocks.add(kind, count),
    async countUsage(businessIds) {
      const mostOf = await loadQuotas()
      const counts = new Map<QuotaKind, ReadonlyMap<string, number>>()
      for (const kind of stockKinds) {
        counts.set(kind, await stocks.count(database, kind, businessIds))
      }
      for (const [kind, used] of await uses.of(businessIds)) counts.set(kind, used)
      return (id) => {
        const most = mostOf(id)
        return byKind((kind) => ({ used: counts.get(kind)?.get(id) ?? 0, most: most[kind] }))
      }
    },
    sweep: () => uses.sweep(),
    close: () => uses.close(),
  }
}

const byKind = <Value>(of: (kind: QuotaKind) => Value) => makeRecord(quotaKinds, of)

class Stocks {
  readonly #counts: { readonly kind: Stock; readonly count: CountOfBusinesses }[] = []

  add(kind: Stock, count: CountOfBusinesses): void {
    this.#counts.push({ kind, count })
  }

  async count(queryable: Queryable, kind: Stock, businessIds: readonly string[]) {
    const sums = new Map<string, number>()
    for (const { count } of this.#counts.filter((one) => one.kind === kind)) {
      for (const [id, number] of await count(queryable, businessIds)) {
        sums.set(id, (sums.get(id) ?? 0) + number)
      }
    }
    return sums
  }
}

/** The quotas of rates as this process knows them; read again after a time, while they are used. */
class KnownQuotas {
  readonly #options: QuotasOptions
  #leases = new Map<string, { readonly most: number; readonly lease: RateLease }>()
  #readMs = Number.NEGATIVE_INFINITY

  constructor(options: QuotasOptions) {
    this.#options = options
  }

  /** Undefined if there is no such quota, or it is not known yet. */
  leaseFor(businessId: string, kind: Rate): RateLease | undefined {
    const { clock, logger } = this.#options
    const nowMs = clock.elapsedMs()
    if (nowMs - this.#readMs >= businessQuotaCacheMs) {
      this.#readMs = nowMs
      this.read().catch((error) => logger.warn({ err: error }, 'quotas could not be read'))
    }
    return this.#leases.get(`${kind}/${businessId}`)?.lease
  }

  async read(): Promise<void> {
    const before = this.#leases
    const now: typeof before = new Map()
    for (const { businessId, kind, most } of await readQuotas(this.#options.database)) {
      if (kind !== 'messages' && kind !== 'script_cpu') continue
      const key = `${kind}/${businessId}`
      const old = before.get(key)
      now.set(key, old?.most === most ? old : { most, lease: this.#open(businessId, kind, most) })
    }
    this.#leases = now
    this.#readMs = this.#options.clock.elapsedMs()
  }

  #open(businessId: string, kind: Rate, most: number): RateLease {
    const { database, clock } = this.#options
    const perMs = most / windowMs[kind]
    const rate = { most, perUs: perMs / usPerMs }
    return new RateLease({
      clock,
      perMs,
      chunk: most / chunksOfWindow,
      text: `The business may use ${most} ${texts[kind]}.`,
      take: (least, atMost) =>
        takeFrom(database, { businessId, kind }, rate, clock.nowUs(), { least, atMost }),
    })
  }
}

const chunksOfWindow = 10
