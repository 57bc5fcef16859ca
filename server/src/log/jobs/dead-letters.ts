import type { Transaction } from '../../foundation/database/index.ts'
import { Fault, limits } from '../../foundation/kernel/index.ts'
import type { DeadJob, DeadJobKey, DeadJobPage } from './job.ts'
import type { JobQueueOptions } from './queue-options.ts'
import { countStatements } from './settlements.ts'
import {
  correctDead,
  countDead,
  type DeadFilter,
  type DeadScope,
  deleteDead,
  readDead,
  readDeadById,
  readDeadOfBusiness,
  readDeadPage,
  readDeadTenants,
  requeueDead,
} from './store/dead-jobs.ts'

export type DeadJobsQuery = DeadFilter & {
  readonly before?: DeadJobKey | undefined
  /** At most `limits.pageMax`. */
  readonly limit?: number | undefined
}

/** The options of a queue that dead letters need. */
type DeadLettersOptions<Input> = Pick<
  JobQueueOptions<Input, unknown>,
  'database' | 'changes' | 'eventlog' | 'stage' | 'clock' | 'codec'
> & { readonly queue: { readonly name: string; readonly deadMax: number } }

const newest: DeadJobKey = { failedAtUs: Number.MAX_SAFE_INTEGER, id: '' }

/** The dead letters of a queue, for the business that owns them. */
export class DeadLetters<Input> {
  readonly #options: DeadLettersOptions<Input>
  readonly #wake: () => void

  constructor(options: DeadLettersOptions<Input>, wake: () => void) {
    this.#options = options
    this.#wake = wake
  }

  /** Returns them newest first. */
  async list(
    businessId: string,
    tenant: string,
    { before = newest, limit = limits.pageDefault, ...filter }: DeadJobsQuery = {},
  ): Promise<DeadJobPage<Input>> {
    const count = Math.min(limit, limits.pageMax)
    const scope = this.#scope(businessId, tenant)
    const asked = { ...filter, limit: count }
    const rows = await readDeadPage(this.#options.database, scope, before, asked)
    const jobs = rows.map((row) => this.#decoded(row))
    const last = jobs.length === count ? jobs.at(-1) : undefined
    return { jobs, before: last && { failedAtUs: last.failedAtUs, id: last.id } }
  }

  /** The dead jobs of all tenants of a business, newest first. */
  async ofBusiness(
    businessId: string,
    before: DeadJobKey | undefined,
    limit: number,
  ): Promise<DeadJob<Input>[]> {
    const { database, queue } = this.#options
    const scope = { queue: queue.name, businessId }
    const rows = await readDeadOfBusiness(database, scope, before ?? newest, limit)
    return rows.map((row) => this.#decoded(row))
  }

  /** Counts those of all tenants of a business, at most `most`. */
  count(businessId: string, most: number): Promise<number> {
    const { database, queue } = this.#options
    return countDead(database, { queue: queue.name, businessId }, most)
  }

  /**
   * Finds a dead job of any tenant of the business.
   * @throws Fault not_found
   */
  async find(businessId: string, id: string): Promise<DeadJob<Input>> {
    const { database, queue } = this.#options
    const row = await readDeadById(database, { queue: queue.name, businessId }, id)
    if (row === undefined) throw notFound()
    return this.#decoded(row)
  }

  /** The tenants of a business that have any. */
  tenants(businessId: string): Promise<string[]> {
    const { database, queue } = this.#options
    return readDeadTenants(database, { queue: queue.name, businessId })
  }

  /** @throws Fault not_found */
  async get(businessId: string, tenant: string, id: string): Promise<DeadJob<Input>> {
    const row = await readDead(this.#options.database, this.#scope(businessId, tenant), id)
    if (row === undefined) throw notFound()
    return this.#decoded(row)
  }

  /** Replaces the input, and does not run it. @throws Fault not_found */
  async correct(businessId: string, tenant: string, id: string, input: Input): Promise<void> {
    const { database, codec } = this.#options
    const scope = this.#scope(businessId, tenant)
    if (!(await correctDead(database, scope, id, codec.encode(input)))) throw notFound()
    this.#publish(database, businessId)
  }

  /**
   * Requeues one behind all waiting jobs.
   * @param corrected the input in place of the one before. @throws Fault not_found
   */
  async retry(
    businessId: string,
    tenant: string,
    id: string,
    corrected?: { readonly input: Input },
  ): Promise<void> {
    const asked =
      corrected === undefined
        ? { id, count: 1 }
        : { id, count: 1, input: this.#options.codec.encode(corrected.input) }
    if ((await this.#requeue(businessId, tenant, asked)) === 0) throw notFound()
  }

  /** Requeues all of a tenant, in the order in which they failed. @returns how many. */
  async retryAll(businessId: string, tenant: string): Promise<number> {
    let all = 0
    for (;;) {
      const count = await this.#requeue(businessId, tenant, { count: limits.pageMax })
      all += count
      if (count < limits.pageMax || all >= this.#options.queue.deadMax) return all
    }
  }

  /** @throws Fault not_found */
  async discard(businessId: string, tenant: string, id: string): Promise<void> {
    if ((await this.#discard(businessId, tenant, id)) === 0) throw notFound()
  }

  /** @returns how many. */
  discardAll(businessId: string, tenant: string): Promise<number> {
    return this.#discard(businessId, tenant)
  }

  #publish(on: Pick<Transaction, 'afterCommit'>, businessId: string): void {
    this.#options.changes.publish(on, businessId, 'failures')
  }

  #discard(businessId: string, tenant: string, id?: string): Promise<number> {
    const scope = this.#scope(businessId, tenant)
    return this.#options.database.transaction(async (transaction) => {
      const settled = await deleteDead(transaction, scope, id)
      await this.#count(transaction, { settled })
      this.#publish(transaction, businessId)
      return settled.length
    })
  }

  async #count(
    transaction: Transaction,
    counted: Parameters<typeof countStatements>[1],
  ): Promise<void> {
    for (const { text, values } of countStatements(this.#options, counted)) {
      await transaction.run(text, values)
    }
  }

  async #requeue(
    businessId: string,
    tenant: string,
    asked: Parameters<typeof requeueDead>[2],
  ): Promise<number> {
    const { database, clock } = this.#options
    const scope = this.#scope(businessId, tenant)
    const count = await database.transaction(async (transaction) => {
      const parts = await requeueDead(transaction, scope, asked, clock.nowUs())
      // The ledger counted them as failed: it counts the requeued jobs as new.
      await this.#count(transaction, { taken: parts, settled: parts })
      this.#publish(transaction, businessId)
      return parts.length
    })
    this.#wake()
    return count
  }

  #scope(businessId: string, tenant: string): DeadScope {
    return { queue: this.#options.queue.name, businessId, tenant }
  }

  #decoded(row: DeadJob<string>): DeadJob<Input> {
    const { tenant, id, businessId, key, failure, attempts, createdAtUs, failedAtUs } = row
    const input = this.#options.codec.decode(row.input)
    return { tenant, id, businessId, key, input, failure, attempts, createdAtUs, failedAtUs }
  }
}

function notFound(): Fault {
  return new Fault('not_found', 'No failed job has this id.')
}
