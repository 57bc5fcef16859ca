import { type Batches, limits, newId } from '../../kernel/index.ts'
import { audienceOf } from './audience.ts'
import type { Settlement, TakenJob } from './job.ts'
import { countJobs, type Needs } from './needs.ts'
import { createSettler } from './settle.ts'
import { setupOf } from './setup.ts'
import { type Lease, readBacklogged, releaseLeases, renewLeases, takeJobs } from './store/jobs.ts'
import { expand, readMessages, takeExpanding } from './store/notifications.ts'
import { tryJob } from './try-job.ts'

const usPerMs = 1_000

/** Makes jobs of what was accepted, takes them and gives them to their providers. */
export class Courier {
  readonly #needs: Needs
  readonly #owner: string
  readonly #settler: Batches<Settlement, void>
  readonly #running = new Map<string, number>()
  readonly #under = new Set<Promise<void>>()
  readonly #closing = new AbortController()
  #total = 0
  #awake = false
  #resume = () => {}
  #walking: Promise<void> | undefined
  #renewing: NodeJS.Timeout | undefined

  constructor(needs: Needs) {
    this.#needs = needs
    this.#owner = newId(needs.random)
    this.#settler = createSettler(needs, this.#owner)
  }

  start(): void {
    this.#renewing ??= setInterval(() => this.#renew(), limits.deliveryRenewMs).unref()
    this.#walking ??= this.#walk()
  }

  /** There may be something new. */
  wake(): void {
    this.#awake = true
    this.#resume()
  }

  /** Begins nothing more, and ends what is under way: that is tried again, as after a fall. */
  async stop(): Promise<void> {
    const { database, logger } = this.#needs
    this.#closing.abort()
    this.#resume()
    await this.#walking
    await Promise.all(this.#under)
    clearInterval(this.#renewing)
    if (this.#walking === undefined) return
    await releaseLeases(database, this.#owner).catch((error) => {
      logger.warn({ err: error }, 'leases of notifications are left to run out')
    })
  }

  async #walk(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      this.#awake = false
      await this.#pass().catch((error) => {
        this.#needs.logger.warn({ err: error }, 'notifications could not be looked at')
      })
      if (!this.#closing.signal.aborted && !this.#awake) await this.#rest()
    }
  }

  /** A part of what is to be expanded, and then a look at every solution that has jobs. */
  async #pass(): Promise<void> {
    if (await this.#expandSome()) this.#awake = true
    const count = limits.deliverySolutionsMax
    let after = ''
    for (;;) {
      const solutions = await readBacklogged(this.#needs.database, after, count)
      for (const solutionId of solutions) await this.#takeOf(solutionId)
      after = solutions.at(-1) ?? ''
      if (solutions.length < count || this.#closing.signal.aborted) return
    }
  }

  /** @returns whether there was anything. */
  #expandSome(): Promise<boolean> {
    const { database, ledger, clock } = this.#needs
    return database.transaction(async (transaction) => {
      const next = await takeExpanding(transaction)
      if (next === undefined) return false
      const { solutionId, part } = next
      const audience = audienceOf(solutionId, next)
      const most = limits.notificationExpandMax
      const { count } = await expand(transaction, audience, next, clock.nowUs(), most)
      await countJobs(ledger, transaction, part, { taken: count })
      return true
    })
  }

  async #takeOf(solutionId: string): Promise<void> {
    const had = this.#running.get(solutionId) ?? 0
    const room = Math.min(
      limits.notificationRunsOfSolutionMax - had,
      limits.notificationRunsMax - this.#total,
    )
    if (room <= 0 || this.#closing.signal.aborted) return
    const jobs = await takeJobs(this.#needs.database, solutionId, this.#lease(), room)
    if (jobs.length === 0) return
    this.#count(solutionId, jobs.length)
    const ended = this.#runAll(solutionId, jobs).finally(() => this.#under.delete(ended))
    this.#under.add(ended)
  }

  async #runAll(solutionId: string, jobs: readonly TakenJob[]): Promise<void> {
    const { database } = this.#needs
    const sids = [...new Set(jobs.map(({ notificationSid }) => notificationSid))]
    const closing = this.#closing.signal
    const known = await this.#insist(async () => ({
      messages: await readMessages(database, solutionId, sids),
      setup: await setupOf(this.#needs, solutionId),
    }))
    if (known !== undefined) {
      const { setup, messages } = known
      const one = async (job: TakenJob) => {
        const message = messages.get(job.notificationSid)
        const settlement = await tryJob(this.#needs, { job, message, setup, closing })
        await this.#insist(() => this.#settler.add(settlement))
      }
      await Promise.all(jobs.map(one))
    }
    this.#count(solutionId, -jobs.length)
    this.wake()
  }

  /** What this process has nobody else looks at: it goes on until it is done, or the end. */
  async #insist<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        this.#needs.logger.warn({ err: error }, 'notifications wait for the database')
        if (this.#closing.signal.aborted) return undefined
        await new Promise((resolve) => setTimeout(resolve, limits.deliveryPollMs))
      }
    }
  }

  #count(solutionId: string, more: number): void {
    const count = (this.#running.get(solutionId) ?? 0) + more
    if (count > 0) this.#running.set(solutionId, count)
    else this.#running.delete(solutionId)
    this.#total += more
  }

  #rest(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, limits.deliveryPollMs).unref()
      this.#resume = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #renew(): void {
    const { database, logger } = this.#needs
    renewLeases(database, this.#lease()).catch((error) => {
      logger.warn({ err: error }, 'the leases of notifications could not be renewed')
    })
  }

  #lease(): Lease {
    const nowUs = this.#needs.clock.nowUs()
    return { owner: this.#owner, nowUs, untilUs: nowUs + limits.deliveryLeaseMs * usPerMs }
  }
}
