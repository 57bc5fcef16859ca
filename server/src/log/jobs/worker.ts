import { setTimeout as pause } from 'node:timers/promises'
import { detached, limits, toFault } from '../../foundation/kernel/index.ts'
import type { Job, JobOutcome } from './job.ts'
import { jobLimits } from './limits.ts'
import type { ResolvedOutcome } from './outcome.ts'
import type { JobQueueOptions, RunTogether } from './queue-options.ts'
import type { Settlements } from './settlements.ts'
import {
  addTenant,
  type ClaimedRow,
  claimJobs,
  lockTenant,
  readClaimKeys,
  readDueTenants,
} from './store/claim.ts'
import { lockKeys } from './store/enqueue.ts'
import { type JobLease, releaseExpired, renewLeases, rescheduleFuture } from './store/lease.ts'

/** Keys of waiting jobs that a process knows: it claims the next one as soon as one ends. */
const jobKeysBehindMax = 10_000
/**
 * The time for which a process leases a job that it runs. All processes of an instance must agree
 * on it.
 */
const jobLeaseMs = 10_000
/** Tenants of a queue that are read at once. */
const jobTenantsMax = 200

const usPerMs = 1_000

const notBegun = { count: 1, outcome: { kind: 'released' } } as const

/** The lease of a process on what it claims. */
export function makeLease({ owner }: { readonly owner: string }): JobLease {
  return { owner, forUs: jobLeaseMs * usPerMs }
}

/**
 * Claims due jobs of a queue and runs them, a few of each tenant in turn. A pass goes through all
 * tenants with due jobs; it begins where the one before had no more room.
 */
export class QueueWorker<Input, Result> {
  readonly #options: JobQueueOptions<Input, Result>
  readonly #settlements: Settlements<Input, Result>
  /** Number of jobs of each tenant that this process has claimed. */
  readonly #claimed = new Map<string, number>()
  readonly #running = new Set<Promise<void>>()
  readonly #closing = new AbortController()
  /** Tenants without waiting jobs after a claim: jobs that are added then may run at once. */
  readonly #drained = new Set<string>()
  /** Keys with jobs that were added to wait; the poll finds those that are missing here. */
  readonly #behind = new Set<string>()
  #claimedCount = 0
  /** The room of the claim in flight. */
  #claiming = { tenant: '', count: 0 }
  #started = false
  #notified = false
  #passing: Promise<void> | undefined
  /** True if a pass ended for want of room. */
  #full = false
  #after = ''

  constructor(options: JobQueueOptions<Input, Result>, settlements: Settlements<Input, Result>) {
    this.#options = options
    this.#settlements = settlements
  }

  start(): void {
    this.#started = true
  }

  /** There may be due jobs. */
  wake(): void {
    if (this.#closing.signal.aborted) return
    if (!this.#started) {
      // Another process runs what is added here.
      const { database, queue } = this.#options
      database.hints.notify('jobs', queue.name)
      return
    }
    this.#notified = true
    this.#passing ??= detached(() => this.#passAll()).finally(() => {
      this.#passing = undefined
      if (this.#notified) this.wake()
    })
  }

  /**
   * Reserves room for jobs that are about to be stored as running, unless older ones of their
   * tenant wait. @returns those that got room, to be given to one of the two functions below.
   */
  reserve(jobs: readonly Job<Input>[]): ReadonlySet<Job<Input>> {
    const reserved = new Set<Job<Input>>()
    if (!this.#started || this.#closing.signal.aborted) return reserved
    for (const [tenant, own] of Map.groupBy(jobs, (job) => job.tenant)) {
      const count = this.#drained.has(tenant) ? Math.max(0, this.#countRoom(tenant)) : 0
      for (const job of own.slice(0, count)) reserved.add(job)
      // The rest waits, and later jobs must not run before it.
      if (own.length > count) this.#drained.delete(tenant)
      this.#hold(tenant, Math.min(own.length, count))
    }
    return reserved
  }

  /** After the commit of reserved jobs. */
  runReserved(reserved: ReadonlySet<Job<Input>>): void {
    const tenants = Map.groupBy(reserved, (job) => job.tenant)
    detached(() => {
      for (const own of tenants.values()) this.#begin(own)
    })
  }

  /** Gives up the room of reserved jobs that do not run. */
  forgetReserved(jobs: Iterable<Job<Input>>): void {
    for (const { tenant } of jobs) this.#forget(tenant)
  }

  /** These jobs are stored and wait: they are due now, or once their key is free. */
  wait(jobs: readonly Job<Input>[]): void {
    for (const job of jobs) if (job.key !== null) this.#behind.add(keyName(job))
    if (this.#behind.size > jobKeysBehindMax) this.#behind.clear()
    this.wake()
  }

  /** They may be stored nevertheless: then they wait. */
  releaseReserved(reserved: ReadonlySet<Job<Input>>): void {
    detached(() => {
      for (const job of reserved) void this.#settle(job, { kind: 'released' })
    })
  }

  /** Claims nothing more; waits at most `limits.jobCloseMs` for running jobs. */
  async stop(): Promise<void> {
    this.#closing.abort()
    await this.#passing
    const moment = pause(limits.jobCloseMs, undefined, { ref: false })
    await Promise.race([Promise.all(this.#running), moment])
  }

  /** Waits for all that runs. */
  async close(): Promise<void> {
    // The next job of a key waits until an outcome is written; if writing fails, the job is dropped
    // now.
    await this.#settlements.close()
    await Promise.all(this.#running)
    await this.#settlements.close()
  }

  /** Renews the leases of this process, and lets jobs wait again that another one has lost. */
  async maintain(): Promise<void> {
    const { database, queue, clock } = this.#options
    const lease = makeLease(this.#options)
    await renewLeases(database, queue.name, lease)
    const expired = await releaseExpired(database, queue.name, lease.forUs)
    const count = jobLimits.jobSettleBatchMax
    const future = await rescheduleFuture(database, queue.name, clock.nowUs(), count)
    if (expired || future) this.wake()
  }

  async #passAll(): Promise<void> {
    while (this.#notified && !this.#closing.signal.aborted) {
      this.#notified = false
      await this.#pass().catch((error) => {
        const { logger, queue } = this.#options
        logger.warn({ err: error, queue: queue.name }, 'job poll failed; retrying')
      })
    }
  }

  async #pass(): Promise<void> {
    const { database, queue, clock } = this.#options
    const count = jobTenantsMax
    const first = this.#after
    let after = first
    let wrapped = first === ''
    this.#full = false
    for (;;) {
      const found = await readDueTenants(database, queue.name, after, clock.nowUs(), count)
      for (const { tenant, due } of found) {
        if (this.#closing.signal.aborted || (wrapped && first !== '' && tenant > first)) return
        this.#full = this.#room <= 0
        if (this.#full) return
        if (due) await this.#claimFor(tenant)
        this.#after = tenant
      }
      after = found.at(-1)?.tenant ?? ''
      if (found.length === count) continue
      this.#after = ''
      if (wrapped) return
      wrapped = true
      after = ''
    }
  }

  /** Returns how many jobs this process may still claim. */
  get #room(): number {
    const { claimedMax = Number.POSITIVE_INFINITY } = this.#options.queue
    return claimedMax - this.#claimedCount - this.#claiming.count
  }

  /**
   * A claim of a drained tenant expects few jobs, such as those of which the key was busy: it takes
   * half of the room, and jobs that are added meanwhile have the other half. If it finds more, they
   * are claimed at once.
   */
  async #claimFor(tenant: string): Promise<void> {
    let room = this.#countRoom(tenant)
    if (room <= 0) this.#drained.delete(tenant)
    while (room > 0) {
      const count = this.#drained.has(tenant) ? Math.ceil(room / 2) : room
      const claimed = await this.#claimSome(tenant, count)
      if (claimed < count) {
        this.#drained.add(tenant)
        return
      }
      this.#drained.delete(tenant)
      room = Math.min(room - count, this.#countRoom(tenant))
    }
  }

  /** @returns how many jobs it has begun. */
  async #claimSome(tenant: string, count: number): Promise<number> {
    this.#claiming = { tenant, count }
    const rows = await this.#claim(tenant, count).finally(() => {
      this.#claiming = { tenant: '', count: 0 }
    })
    if (rows.length === 0) return 0
    this.#hold(tenant, rows.length)
    this.#begin(rows.map((row) => this.#toJob(tenant, row)))
    return rows.length
  }

  /**
   * Returns how many more jobs of a tenant this process may have: at most half of what is free, so
   * that there is always room for another.
   */
  #countRoom(tenant: string): number {
    const { queue } = this.#options
    const had = this.#claimed.get(tenant) ?? 0
    if (had >= queue.tenantRunsMax) return 0
    const claiming = this.#claiming.tenant === tenant ? this.#claiming.count : 0
    return Math.min(queue.tenantClaimMax - had - claiming, Math.ceil(this.#room / 2))
  }

  #hold(tenant: string, count: number): void {
    this.#claimed.set(tenant, (this.#claimed.get(tenant) ?? 0) + count)
    this.#claimedCount += count
  }

  #begin(jobs: readonly Job<Input>[]): void {
    const ended = this.#runAll([...jobs]).finally(() => this.#running.delete(ended))
    this.#running.add(ended)
  }

  async #claim(tenant: string, count: number): Promise<readonly ClaimedRow[]> {
    const { database, queue, clock } = this.#options
    const lease = makeLease(this.#options)
    const claim = () =>
      database.transaction(async (transaction) => {
        if (!(await lockTenant(transaction, queue.name, tenant))) return undefined
        const most = { nowUs: clock.nowUs(), count }
        const keys = await readClaimKeys(transaction, queue.name, tenant, most)
        // A transaction that stores a job which runs at its commit has locked its key until then.
        const free = keys.length === 0 ? [] : await lockKeys(transaction, queue.name, keys)
        if (free.length < keys.length) for (const key of keys) this.#behind.add(keyName(key))
        return claimJobs(transaction, queue.name, tenant, lease, { ...most, free })
      })
    const claimed = await claim()
    if (claimed !== undefined) return claimed
    const added = await addTenant(database, queue.name, tenant)
    return (added ? await claim() : undefined) ?? []
  }

  #toJob(tenant: string, row: ClaimedRow): Job<Input> {
    return {
      tenant,
      id: row.id,
      businessId: row.business_id,
      part: row.part,
      key: row.key,
      input: this.#options.codec.decode(row.input),
      attempts: row.attempts - 1,
      dueAtUs: row.due_at,
      createdAtUs: row.created_at,
    }
  }

  /** Runs the jobs of a key one after the other; of the others, and of keys, several at once. */
  async #runAll(jobs: readonly Job<Input>[]): Promise<void> {
    const chains = [...Map.groupBy(jobs, ({ key, id }) => key ?? `\0${id}`).values()]
    const next = async () => {
      for (let chain = chains.shift(); chain !== undefined; chain = chains.shift()) {
        await this.#runChain(chain)
      }
    }
    await Promise.all(Array.from({ length: this.#options.queue.tenantRunsMax }, next))
  }

  async #runChain(chain: readonly Job<Input>[]): Promise<void> {
    let isBlocked = false
    let left = chain
    for (let [job] = left; job !== undefined; [job] = left) {
      const begins: boolean = !isBlocked && !this.#closing.signal.aborted
      const { outcome, count } = begins ? await this.#runFirst(job, left) : notBegun
      const settled = this.#settle(
        job,
        this.#settlements.resolve(job, outcome),
        left.slice(1, count),
      )
      left = left.slice(count)
      if (job.key === null) continue
      // The next of a key starts when the outcome of this one is stored, or waits with it.
      const { kind } = await settled
      isBlocked ||= kind === 'retry' || kind === 'snooze' || kind === 'released'
    }
    const [first] = chain
    if (first !== undefined && this.#behind.delete(keyName(first))) this.wake()
  }

  /** Runs the first job of a chain, and those with it that its queue takes together. */
  async #runFirst(
    job: Job<Input>,
    chain: readonly Job<Input>[],
  ): Promise<RunTogether<Result, Input>> {
    const { queue } = this.#options
    if (queue.runTogether === undefined || job.key === null || chain.length === 1) {
      const { signal } = this.#closing
      return { count: 1, outcome: await this.#attempt(job, () => queue.run(job, signal)) }
    }
    let count = 1
    const outcome = await this.#attempt(job, async () => {
      const ran = await queue.runTogether?.(chain, this.#closing.signal)
      count = ran?.count ?? 1
      return ran?.outcome ?? { kind: 'released' }
    })
    const isForAll = outcome.kind === 'done' || ('input' in outcome && outcome.input !== undefined)
    return { count: isForAll ? count : 1, outcome }
  }

  /** @returns the outcome that was written. */
  async #settle(
    job: Job<Input>,
    outcome: ResolvedOutcome<Result, Input>,
    doneWith: readonly Job<Input>[] = [],
  ): Promise<ResolvedOutcome<Result, Input>> {
    const written = await this.#settlements.settle(job, outcome, doneWith)
    for (const { tenant } of [job, ...doneWith]) this.#forget(tenant)
    return written
  }

  async #attempt(
    job: Job<Input>,
    run: () => Promise<JobOutcome<Result, Input>>,
  ): Promise<JobOutcome<Result, Input>> {
    const { queue, logger } = this.#options
    try {
      return await run()
    } catch (error) {
      logger.warn({ err: error, queue: queue.name, tenant: job.tenant }, 'a job failed to run')
      return { kind: 'retry', failure: { step: 'run', reason: toFault(error).detail } }
    }
  }

  #forget(tenant: string): void {
    this.#claimedCount -= 1
    const left = (this.#claimed.get(tenant) ?? 1) - 1
    if (left > 0) this.#claimed.set(tenant, left)
    else this.#claimed.delete(tenant)
    // The next are claimed while the last of these run, and once more at the end.
    const { tenantRunsMax } = this.#options.queue
    if (left === tenantRunsMax - 1 || left === 0 || this.#full) this.wake()
  }
}

function keyName({ tenant, key }: Pick<Job<unknown>, 'tenant' | 'key'>): string {
  return `${tenant}\0${key}`
}
