import type { Queryable } from '../../foundation/database/index.ts'
import { createOnce, elapsedMs, LruMap, limits } from '../../foundation/kernel/index.ts'
import { countWaiting } from './store/enqueue.ts'

/** Tenants of which a process stores this count. */
const jobCountsMax = 10_000

type Count = { waiting: number; readonly readMs: number }

/**
 * The number of waiting jobs of each tenant, counted at most every `limits.jobCountMs`: a count
 * reads all of them. In between, what this process stores is added, so a count may be too high,
 * and, if other processes store jobs, too low by what they store meanwhile.
 */
export class WaitingCounts {
  readonly #queue: string
  readonly #countMax: number
  readonly #counts = new LruMap<string, Count>(jobCountsMax)
  readonly #once = createOnce<void>()

  constructor(queue: string, countMax: number) {
    this.#queue = queue
    this.#countMax = countMax
  }

  /** Adds jobs that are to be stored. @returns the tenants that have too many already. */
  async add(
    queryable: Queryable,
    jobs: ReadonlyMap<string, readonly unknown[]>,
  ): Promise<ReadonlySet<string>> {
    const unsure = [...jobs.keys()].filter((tenant) => this.#isUnsure(tenant, jobs))
    await this.#read(queryable, unsure)
    const full = new Set<string>()
    for (const [tenant, own] of jobs) {
      const count = this.#counts.get(tenant)
      if (count === undefined) continue
      if (count.waiting >= this.#countMax) full.add(tenant)
      else count.waiting += own.length
    }
    return full
  }

  /** Returns how many wait. */
  async of(queryable: Queryable, tenant: string): Promise<number> {
    const ageMs = elapsedMs() - (this.#counts.get(tenant)?.readMs ?? Number.NEGATIVE_INFINITY)
    if (ageMs >= limits.jobCountMs) {
      // Callers who ask together share one count.
      await this.#once(tenant, () => this.#read(queryable, [tenant]))
    }
    return this.#counts.get(tenant)?.waiting ?? 0
  }

  #isUnsure(tenant: string, jobs: ReadonlyMap<string, readonly unknown[]>): boolean {
    const count = this.#counts.get(tenant)
    if (count === undefined) return true
    const ageMs = elapsedMs() - count.readMs
    if (count.waiting + (jobs.get(tenant)?.length ?? 0) > this.#countMax) return ageMs > 0
    return ageMs >= limits.jobCountMs
  }

  async #read(queryable: Queryable, tenants: readonly string[]): Promise<void> {
    if (tenants.length === 0) return
    const readMs = elapsedMs()
    const counted = await countWaiting(queryable, this.#queue, tenants, this.#countMax)
    for (const { tenant, waiting } of counted) this.#counts.set(tenant, { waiting, readMs })
  }
}
