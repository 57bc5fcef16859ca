import { textArray } from '../../foundation/database/index.ts'
import { limits, newId, PollLoop, parseOwnJson } from '../../foundation/kernel/index.ts'
import { jobLimits } from './limits.ts'
import { JobQueue } from './queue.ts'
import type { InputCodec, JobsOptions, QueueOptions } from './queue-options.ts'
import { countRemoval, countStatements } from './settlements.ts'
import { readNextDue } from './store/claim.ts'
import { deleteIdleTenants, deleteOfBusiness } from './store/dead-jobs.ts'
import { countByPart, countJobs, countWaiting, type JobCount } from './store/enqueue.ts'
import { releaseLeases, releaseOtherLeases } from './store/lease.ts'
import type { QueueWorker } from './worker.ts'

/** The part of a queue that does not depend on its inputs. */
type AnyQueue = {
  readonly stage: string
  readonly worker: Pick<QueueWorker<unknown, unknown>, 'start' | 'stop' | 'close'>
  closeAdditions(): Promise<void>
  wake(): void
  sweep(): Promise<void>
}

const usPerMs = 1_000

/**
 * Durable work of all queues. The end of a job, and who acts next:
 * - `waiting`: a process claims it when it is due, unless an earlier one of its key runs or waits
 *   for a later time.
 * - `running`: leased to one process, which renews the lease and settles the job. If it cannot, the
 *   lease runs out, and the job waits again.
 * - done: its row is deleted and counted, in one transaction with its effect.
 * - `dead`: it failed for good. A person corrects, retries or discards it.
 */
export class Jobs {
  readonly #options: JobsOptions
  readonly #owner: string
  readonly #queues = new Map<string, AnyQueue>()
  readonly #polls: PollLoop
  /** A loop for each queue, which renews its leases. */
  readonly #upkeep: PollLoop[] = []
  #started: Promise<void> | undefined
  #stopListening = () => {}

  constructor(options: JobsOptions) {
    this.#options = options
    this.#owner = newId(options.random)
    const { logger } = options
    this.#polls = new PollLoop({
      look: (dueIn) => this.#wakeDue(dueIn),
      failed: (error) => logger.warn({ err: error }, 'job poll failed; retrying'),
      pollMs: jobLimits.jobPollMs,
    })
  }

  /** Registers a queue; to be called before `start`. */
  queue<Input, Result = undefined>(queue: QueueOptions<Input, Result>): JobQueue<Input, Result> {
    const { eventlog, logger } = this.#options
    const { name, stage = name, codec = jsonCodec as InputCodec<Input> } = queue
    if (this.#queues.has(name)) throw new Error(`there are two queues ${name}`)
    const own = { queue, stage, codec, owner: this.#owner }
    const made = new JobQueue<Input, Result>({ ...this.#options, ...own })
    this.#queues.set(name, made)
    const upkeep = new PollLoop({
      look: () => made.worker.maintain(),
      failed: (error) => logger.warn({ err: error }, 'failed to renew the leases of jobs'),
      pollMs: jobLimits.jobRenewMs,
    })
    this.#upkeep.push(upkeep)
    eventlog.ledger.addStage({
      stage,
      pending: (queryable) => countByPart(queryable, name, 'pending'),
      kept: { of: 'failed', count: (queryable) => countByPart(queryable, name, 'dead') },
    })
    return made
  }

  /** Counts the jobs of all queues by state. */
  counts(): Promise<JobCount[]> {
    return countJobs(this.#options.database)
  }

  /** Counts the jobs of these tenants that wait at a stage, at most `most`. */
  async countWaiting(stage: string, tenants: readonly string[], most: number): Promise<number> {
    const [name] = [...this.#queues].find(([, queue]) => queue.stage === stage) ?? []
    if (name === undefined || tenants.length === 0) return 0
    const counts = await countWaiting(this.#options.database, name, tenants, most)
    return Math.min(
      most,
      counts.reduce((sum, { waiting }) => sum + waiting, 0),
    )
  }

  /** Begins to run jobs. */
  start(): void {
    if (this.#queues.size === 0) return
    for (const { worker } of this.#queues.values()) worker.start()
    if (this.#started !== undefined) return
    for (const upkeep of this.#upkeep) upkeep.startLater()
    this.#stopListening = this.#options.database.hints.listen('jobs', (names) => {
      for (const [name, queue] of this.#queues) if (names?.has(name) ?? true) queue.wake()
    })
    this.#started = this.#recover().then(() => this.#polls.run())
  }

  /** Begins nothing more; waits at most `limits.jobCloseMs` for jobs that run. */
  async stop(): Promise<void> {
    this.#stopListening()
    const stopped = [...this.#queues.values()].map(({ worker }) => worker.stop())
    await this.#polls.stop()
    await this.#started
    await Promise.all(stopped)
  }

  /** Writes the last outcomes and releases the leases. Call it when no job can run. */
  async close(): Promise<void> {
    const { database, logger } = this.#options
    await this.stop()
    await Promise.all(this.#upkeep.map((upkeep) => upkeep.stop()))
    await Promise.all([...this.#queues.values()].map((queue) => queue.closeAdditions()))
    await Promise.all([...this.#queues.values()].map(({ worker }) => worker.close()))
    await releaseLeases(database, [...this.#queues.keys()], this.#owner).catch((error) => {
      logger.warn({ err: error }, 'failed to release the leases of jobs; they will expire')
    })
  }

  /**
   * Deletes all jobs of a business that is deleted, some in each transaction; those that were not
   * done count as failed. Yields the number of each step.
   */
  async *removeBusiness(businessId: string): AsyncGenerator<number> {
    const { database, eventlog } = this.#options
    const { businessRemovalBatchMax: most } = limits
    for (;;) {
      const removed = await database.transaction(async (transaction) => {
        const rows = await deleteOfBusiness(transaction, businessId, most)
        for (const [queue, own] of Map.groupBy(rows, (row) => row.queue)) {
          const stage = this.#queues.get(queue)?.stage ?? queue
          const statements = countStatements({ eventlog, stage }, countRemoval(own))
          for (const { text, values } of statements) await transaction.run(text, values)
        }
        return rows.length
      })
      yield removed
      if (removed < most) break
    }
    for (const queue of this.#queues.keys()) await deleteIdleTenants(database, queue)
  }

  /** Removes dead jobs that are too old or too many. */
  async sweep(): Promise<void> {
    for (const queue of this.#queues.values()) await queue.sweep()
  }

  /** Wakes the queues that have due jobs. */
  async #wakeDue(dueIn: (ms: number) => void): Promise<void> {
    const { database, clock } = this.#options
    const next = await readNextDue(database, textArray([...this.#queues.keys()]))
    const nowUs = clock.nowUs()
    for (const { queue, due_at: dueAtUs } of next) {
      if (dueAtUs <= nowUs) this.#queues.get(queue)?.wake()
      else dueIn(Math.ceil((dueAtUs - nowUs) / usPerMs))
    }
  }

  /** The embedded engine has one process: jobs that an earlier one left have no owner. */
  async #recover(): Promise<void> {
    const { database, logger } = this.#options
    if (database.engine !== 'embedded') return
    await releaseOtherLeases(database, this.#owner).catch((error) => {
      logger.warn({ err: error }, 'failed to release the jobs of an earlier process')
    })
  }
}

const jsonCodec: InputCodec<unknown> = { encode: JSON.stringify, decode: parseOwnJson }
