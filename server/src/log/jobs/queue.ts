import type { Queryable, Statement, Transaction } from '../../foundation/database/index.ts'
import { limits, newId } from '../../foundation/kernel/index.ts'
import { type Addition, Additions } from './additions.ts'
import { DeadLetters } from './dead-letters.ts'
import type { Job, JobFailure, JobKey, JobOutcome, NewJob, PendingKey } from './job.ts'
import { boundedFailure, resolveOutcome } from './outcome.ts'
import type { JobQueueOptions } from './queue-options.ts'
import { countRemoval, countStatements, Settlements } from './settlements.ts'
import { deleteIdleTenants, deleteOldDead, deleteTenant, trimDead } from './store/dead-jobs.ts'
import {
  type FreeRow,
  hasPending,
  insertFreeStatement,
  insertStatement,
  type JobRow,
  type JobState,
  lockKeys,
  lockStatement,
  readPendingKeys,
  readPendingTenants,
} from './store/enqueue.ts'
import { WaitingCounts } from './waiting-counts.ts'
import { makeLease, QueueWorker } from './worker.ts'

/** The run time from which on what waits for a job's end makes room for others meanwhile. */
const jobRunsLongMs = 5_000

const usPerMs = 1_000
const usPerHour = 3_600_000_000

/** A job that is stored, with its row's state. */
type StoredJob<Input> = {
  readonly job: Job<Input>
  state: JobState
  failure: JobFailure | undefined
}

/** A kind of durable work: its jobs, from `enqueue` to their end. */
export class JobQueue<Input, Result = undefined> {
  readonly stage: string
  readonly deadLetters: DeadLetters<Input>
  /** Runs the jobs; for the module's own use. */
  readonly worker: QueueWorker<Input, Result>
  readonly #options: JobQueueOptions<Input, Result>
  readonly #settlements: Settlements<Input, Result>
  readonly #additions: Additions<NewJob<Input>>
  readonly #waiting: WaitingCounts

  constructor(options: JobQueueOptions<Input, Result>) {
    this.#options = options
    this.stage = options.stage
    this.#settlements = new Settlements(options)
    this.#waiting = new WaitingCounts(options.queue.name, options.queue.waitingMax)
    this.worker = new QueueWorker(options, this.#settlements)
    this.#additions = new Additions(options.database, (jobs) => this.#addSoon(jobs))
    this.deadLetters = new DeadLetters(options, () => this.worker.wake())
  }

  /**
   * Stores jobs in a transaction that is shared by all concurrent callers. Jobs start at its commit
   * while the worker has room.
   * @throws Fault overloaded if too many wait to be stored.
   */
  add(jobs: readonly NewJob<Input>[]): Promise<void> {
    return this.#additions.add(jobs)
  }

  /** Ends the storing of added jobs; to be called before the worker is closed. */
  async closeAdditions(): Promise<void> {
    await this.#additions.close()
  }

  /**
   * Stores jobs in the caller's transaction, in their order, and counts them. They run soon after
   * its commit; sooner if the caller calls `wake` then.
   * @returns the stored jobs, in their order; jobs that are done already are not stored.
   */
  async enqueue(
    transaction: Transaction,
    jobs: readonly NewJob<Input>[],
  ): Promise<readonly Job<Input>[]> {
    const stored = this.#stored(jobs)
    await this.#failOverflow(transaction, stored)
    await transaction.together(this.#makeStatements(jobs, stored))
    transaction.afterCommit(() => this.#publishDead(stored))
    return stored.map(({ job }) => job)
  }

  /**
   * Does the same as `enqueue`; jobs whose key is free begin at the commit without a claim, while
   * there is room. The caller says how its transaction ended.
   * @returns statements that only count, too, which the caller runs last.
   */
  async begin(transaction: Transaction, jobs: readonly NewJob<Input>[]): Promise<Addition> {
    const stored = this.#stored(jobs)
    await this.#failOverflow(transaction, stored)
    const ready = stored.filter(({ job, state }) => isDue(job, state))
    const reserved = this.worker.reserve(ready.map(({ job }) => job))
    try {
      const { running, rows } = await this.#insertFree(transaction, stored, reserved)
      return {
        statements: this.#makeCounts(jobs, rows),
        committed: () => {
          this.worker.runReserved(running)
          this.worker.forgetReserved(reserved.difference(running))
          const left = stored.filter(({ job, state }) => state !== 'dead' && !running.has(job))
          if (left.length > 0) this.worker.wait(left.map(({ job }) => job))
          this.#publishDead(stored)
        },
        failed: () => this.worker.releaseReserved(reserved),
      }
    } catch (error) {
      this.worker.forgetReserved(reserved)
      throw error
    }
  }

  /** @returns the reserved jobs that run, and all jobs as rows. */
  async #insertFree(
    transaction: Transaction,
    stored: readonly StoredJob<Input>[],
    reserved: ReadonlySet<Job<Input>>,
  ): Promise<{ readonly running: ReadonlySet<Job<Input>>; readonly rows: readonly JobRow[] }> {
    const { queue, clock } = this.#options
    const keys = listKeys([...reserved])
    const locked = keys.length === 0 ? [] : await lockKeys(transaction, queue.name, keys)
    const free = new Set(locked.map(keyName))
    const mayRun = ({ tenant, key }: Job<Input>) =>
      key === null || free.has(keyName({ tenant, key }))
    for (const one of stored) if (reserved.has(one.job) && mayRun(one.job)) one.state = 'running'
    const rows = stored.map((one) => this.#toRow(one))
    if (rows.length === 0) return { running: new Set(), rows }
    const lease = makeLease(this.#options)
    const insert = insertFreeStatement(queue.name, rows, lease, clock.nowUs())
    const [answer] = await transaction.together([insert])
    const states = (answer?.rows ?? []) as readonly FreeRow[]
    const ids = new Set(states.filter(({ state }) => state === 'running').map(({ id }) => id))
    return { running: new Set([...reserved].filter(({ id }) => ids.has(id))), rows }
  }

  /**
   * The same as statements, for a batch that is written without a transaction's round trips. No
   * backlog is looked at: the caller's own limit bounds it.
   */
  statements(jobs: readonly NewJob<Input>[]): readonly Statement[] {
    return this.#makeStatements(jobs, this.#stored(jobs))
  }

  /** Looks for due jobs. Call it after the commit of an `enqueue`. */
  wake(): void {
    this.worker.wake()
  }

  /**
   * Writes the outcome of a job that its caller ran (`first` was `running`). Resolves once it is
   * written.
   */
  async settle(job: Job<Input>, outcome: JobOutcome<Result>): Promise<void> {
    await this.#settlements.settle(job, this.#settlements.resolve(job, outcome))
  }

  /** Returns how many jobs of a tenant wait, as of at most `limits.jobCountMs` ago. */
  waiting(tenant: string): Promise<number> {
    return this.#waiting.of(this.#options.database, tenant)
  }

  /** Returns whether so many jobs of a tenant wait or run. */
  isBehind(tenant: string, count: number): Promise<boolean> {
    return hasPending(this.#options.database, this.#options.queue.name, tenant, count)
  }

  /** Returns those of the tenants that have jobs which wait or run. */
  pendingTenants(queryable: Queryable, tenants: readonly string[]): Promise<Set<string>> {
    return readPendingTenants(queryable, this.#options.queue.name, tenants)
  }

  /** Returns those of the keys that have jobs which wait or run. */
  pendingKeys(queryable: Queryable, keys: readonly JobKey[]): Promise<PendingKey[]> {
    const { clock, queue } = this.#options
    const nowUs = clock.nowUs()
    const longUs = nowUs - jobRunsLongMs * usPerMs
    return readPendingKeys(queryable, queue.name, keys, { nowUs, longUs })
  }

  /** Deletes all jobs of a tenant that is removed; those that were not done count as failed. */
  async removeTenant(transaction: Transaction, businessId: string, tenant: string): Promise<void> {
    const scope = { queue: this.#options.queue.name, businessId, tenant }
    const removed = await deleteTenant(transaction, scope)
    await this.#count(transaction, countRemoval(removed))
  }

  /** Removes dead jobs that are too old or too many. */
  async sweep(): Promise<void> {
    const { database, queue, clock } = this.#options
    const beforeUs = clock.nowUs() - queue.deadHours * usPerHour
    const count = limits.retentionBatchMax
    const settle = (remove: (transaction: Transaction) => Promise<readonly { part: number }[]>) =>
      database.transaction(async (transaction) => {
        const settled = await remove(transaction)
        await this.#count(transaction, { settled })
        return settled.length
      })
    const { name, deadMax } = queue
    while ((await settle((held) => deleteOldDead(held, name, beforeUs, count))) === count);
    await settle((held) => trimDead(held, name, deadMax))
    await deleteIdleTenants(database, queue.name)
  }

  async #count(
    transaction: Transaction,
    counted: Parameters<typeof countStatements>[1],
  ): Promise<void> {
    for (const { text, values } of countStatements(this.#options, counted)) {
      await transaction.run(text, values)
    }
  }

  async #addSoon(jobs: readonly NewJob<Input>[]): Promise<Addition> {
    const stored = this.#stored(jobs)
    await this.#failOverflow(this.#options.database, stored)
    const ready = stored.filter(({ job, state }) => isReady(job, state))
    const reserved = this.worker.reserve(ready.map(({ job }) => job))
    for (const one of ready) if (reserved.has(one.job)) one.state = 'running'
    return {
      statements: this.#makeStatements(jobs, stored),
      committed: () => {
        this.worker.runReserved(reserved)
        if (stored.some(({ state }) => state === 'waiting')) this.wake()
        this.#publishDead(stored)
      },
      failed: () => this.worker.releaseReserved(reserved),
    }
  }

  #stored(jobs: readonly NewJob<Input>[]): StoredJob<Input>[] {
    const { queue, clock } = this.#options
    const nowUs = clock.nowUs()
    return jobs.flatMap((job) => {
      if (job.first?.kind === 'done' || job.first?.kind === 'cancelled') return []
      const first =
        job.first === undefined || job.first.kind === 'running'
          ? job.first
          : resolveOutcome(job.first, queue.retry, { attempts: 1, nowUs })
      return [
        {
          job: this.#makeJob(job, first, nowUs),
          state: first?.kind === 'running' || first?.kind === 'dead' ? first.kind : 'waiting',
          failure: first !== undefined && 'failure' in first ? first.failure : undefined,
        },
      ]
    })
  }

  #makeJob(
    job: NewJob<Input>,
    first: { readonly kind: string } | undefined,
    nowUs: number,
  ): Job<Input> {
    const { random, eventlog } = this.#options
    const { businessId, tenant, input, id = newId(random), key = null } = job
    const { part = eventlog.partitionFor(tenant, ''), dueAtUs = nowUs } = job
    return {
      businessId,
      tenant,
      id,
      part,
      key,
      input,
      createdAtUs: nowUs,
      attempts: first?.kind === 'dead' || first?.kind === 'retry' ? 1 : 0,
      dueAtUs: dueAfter(first, dueAtUs),
    }
  }

  /** Jobs of a tenant of which too many wait are dead: their cause is not held up by them. */
  async #failOverflow(queryable: Queryable, stored: readonly StoredJob<Input>[]): Promise<void> {
    const waiting = stored.filter(({ state }) => state === 'waiting')
    if (waiting.length === 0) return
    const byTenant = Map.groupBy(waiting, ({ job }) => job.tenant)
    const full = await this.#waiting.add(queryable, byTenant)
    for (const one of waiting) {
      if (!full.has(one.job.tenant)) continue
      one.state = 'dead'
      one.failure = this.#options.queue.overflow
    }
  }

  #publishDead(stored: readonly StoredJob<Input>[]): void {
    const dead = stored.filter(({ state }) => state === 'dead')
    const { changes, database } = this.#options
    for (const id of new Set(dead.map(({ job }) => job.businessId))) {
      changes.publish(database, id, 'failures')
    }
  }

  #makeStatements(
    jobs: readonly NewJob<Input>[],
    stored: readonly StoredJob<Input>[],
  ): readonly Statement[] {
    const { queue, clock } = this.#options
    if (jobs.length === 0) return []
    const rows = stored.map((one) => this.#toRow(one))
    const counts = this.#makeCounts(jobs, rows)
    if (rows.length === 0) return counts
    const insert = insertStatement(queue.name, rows, makeLease(this.#options), clock.nowUs())
    const running = listKeys(
      stored.filter(({ state }) => state === 'running').map(({ job }) => job),
    )
    // A claim does not see them before their commit.
    const locks = running.length > 0 ? [lockStatement(queue.name, running)] : []
    return [...locks, insert, ...counts]
  }

  #makeCounts(jobs: readonly NewJob<Input>[], rows: readonly JobRow[]): readonly Statement[] {
    const { eventlog } = this.#options
    const choosePart = ({ tenant, part }: NewJob<Input>) =>
      part ?? eventlog.partitionFor(tenant, '')
    const withPart = (kind: string) =>
      jobs.filter(({ first }) => first?.kind === kind).map((job) => ({ part: choosePart(job) }))
    return countStatements(this.#options, {
      taken: jobs.map((job) => ({ part: choosePart(job) })),
      done: withPart('done'),
      settled: withPart('cancelled'),
      failed: [...withPart('cancelled'), ...rows.filter(({ state }) => state === 'dead')],
    })
  }

  #toRow({ job, state, failure }: StoredJob<Input>): JobRow {
    const { tenant, id, businessId, part, key, dueAtUs } = job
    return {
      tenant,
      id,
      businessId,
      part,
      key,
      state,
      dueAtUs,
      input: this.#options.codec.encode(job.input),
      attempts: state === 'running' ? 1 : job.attempts,
      failure: failure && boundedFailure(failure),
    }
  }
}

/** Returns whether a job may run as soon as it is stored, whatever else its tenant has. */
function isReady(job: Job<unknown>, state: JobState): boolean {
  return job.key === null && isDue(job, state)
}

/** Returns whether it may run as soon as it is stored, unless its key has others. */
function isDue({ dueAtUs, createdAtUs }: Job<unknown>, state: JobState): boolean {
  return state === 'waiting' && dueAtUs <= createdAtUs
}

function listKeys(jobs: readonly Job<unknown>[]): JobKey[] {
  return jobs.flatMap(({ tenant, key }) => (key === null ? [] : [{ tenant, key }]))
}

function keyName({ tenant, key }: JobKey): string {
  return `${tenant}\0${key}`
}

function dueAfter(first: object | undefined, dueAtUs: number): number {
  if (first === undefined) return dueAtUs
  if ('atUs' in first && typeof first.atUs === 'number') return first.atUs
  if ('untilUs' in first && typeof first.untilUs === 'number') return first.untilUs
  return dueAtUs
}
