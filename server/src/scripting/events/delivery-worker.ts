import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../database/index.ts'
import type { EventLog } from '../../eventlog/index.ts'
import { type Clock, type Logger, limits } from '../../kernel/index.ts'
import type { RetryPolicy } from '../registry/script.ts'
import type { HostEnd } from '../runtime/host.ts'
import { scriptError } from '../runtime/script-error.ts'
import type { HandlerCall } from '../scripting.ts'
import {
  claimDeliveries,
  deleteOrphans,
  type Lease,
  readBacklogged,
  releaseLeases,
  renewLeases,
} from '../store/deliveries.ts'
import { createBackoffs } from './backoff.ts'
import type { ClaimedDelivery, Outcome } from './delivery.ts'
import { isTransient, outcomeOf } from './outcome.ts'
import { countParts, type Settler } from './settle.ts'

export type DeliveryWorkerNeeds = {
  readonly database: Database
  readonly eventlog: Pick<EventLog, 'countStage'>
  readonly clock: Clock
  readonly logger: Logger
  readonly owner: string
  readonly settler: Settler
  readonly run: (call: HandlerCall) => Promise<HostEnd>
  readonly retryOf: (call: HandlerCall) => Promise<RetryPolicy | undefined>
  readonly recovered: () => Promise<void>
}

/** Claims waiting deliveries and runs them, a few of each solution at a time. */
export class DeliveryWorker {
  readonly #needs: DeliveryWorkerNeeds
  /** Number of deliveries of each solution that this process has leased. */
  readonly #claimed = new Map<string, number>()
  readonly #running = new Set<Promise<void>>()
  readonly #backoffs = createBackoffs()
  #stopped = false
  #polling: Promise<void> = Promise.resolve()
  #notified = false
  #resume = () => {}
  #renewing: NodeJS.Timeout | undefined

  constructor(needs: DeliveryWorkerNeeds) {
    this.#needs = needs
  }

  start(): void {
    this.#renewing = setInterval(() => this.#renew(), limits.deliveryRenewMs).unref()
    this.#polling = this.#poll()
  }

  /** There may be new deliveries. */
  wake(): void {
    this.#notified = true
    this.#resume()
  }

  /** Starts nothing more; waits at most `limits.scriptCloseMs` for running ones. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#resume()
    await this.#polling
    const moment = pause(limits.scriptCloseMs, undefined, { ref: false })
    await Promise.race([Promise.all(this.#running), moment])
  }

  /** Releases the leases of unfinished deliveries; to be called after the host was closed. */
  async close(): Promise<void> {
    const { database, owner, settler, logger } = this.#needs
    clearInterval(this.#renewing)
    // The next of a key waits until an outcome is written; if that fails, it is dropped now.
    await settler.close()
    await Promise.all(this.#running)
    await settler.close()
    await releaseLeases(database, owner).catch((error) => {
      logger.warn({ err: error }, 'failed to release delivery leases; they will expire')
    })
  }

  async #poll(): Promise<void> {
    await this.#needs.recovered()
    while (!this.#stopped) {
      this.#notified = false
      await this.#pollOnce().catch((error) => {
        this.#needs.logger.warn({ err: error }, 'delivery poll failed; retrying')
      })
      if (!this.#stopped && !this.#notified) await this.#wait()
    }
  }

  /** Claims deliveries of every solution that has a backlog. */
  async #pollOnce(): Promise<void> {
    const count = limits.deliverySolutionsMax
    let after = ''
    for (;;) {
      const solutions = await readBacklogged(this.#needs.database, after, count)
      for (const solutionId of solutions) if (!this.#stopped) await this.#claimOf(solutionId)
      after = solutions.at(-1) ?? ''
      if (solutions.length < count || this.#stopped) return
    }
  }

  async #claimOf(solutionId: string): Promise<void> {
    const { database, owner, clock, logger } = this.#needs
    const had = this.#claimed.get(solutionId) ?? 0
    if (had >= limits.deliveryRunsMax) return
    const lease = leaseOf(owner, clock.nowUs())
    const deliveries = await database.transaction((transaction) =>
      claimDeliveries(transaction, solutionId, lease, limits.deliveryClaimMax - had),
    )
    if (deliveries === undefined) return this.#cancelOrphans(solutionId)
    if (deliveries.length === 0) return
    this.#claimed.set(solutionId, (this.#claimed.get(solutionId) ?? 0) + deliveries.length)
    const ended = this.#runAll(deliveries)
      .catch((error) => {
        logger.error({ err: error, solution: solutionId }, 'deliveries could not be run')
      })
      .finally(() => this.#running.delete(ended))
    this.#running.add(ended)
  }

  /** Deliveries of a solution that was removed meanwhile cannot run: they count as failed. */
  async #cancelOrphans(solutionId: string): Promise<void> {
    const { database, logger } = this.#needs
    const count = await database.transaction(async (transaction) => {
      const orphans = await deleteOrphans(transaction, solutionId)
      await countParts(this.#needs, transaction, { failed: orphans })
      return orphans.length
    })
    const what = { solution: solutionId, deliveries: count }
    if (count > 0) logger.warn(what, 'deliveries were cancelled: their solution is gone')
  }

  /** Those of a key one after the other; of the others, and of keys, several at once. */
  async #runAll(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    const chains = [...Map.groupBy(deliveries, ({ key, id }) => key ?? `\0${id}`).values()]
    const next = async () => {
      for (let chain = chains.shift(); chain !== undefined; chain = chains.shift()) {
        await this.#runChain(chain)
      }
    }
    await Promise.all(Array.from({ length: limits.deliveryRunsMax }, next))
  }

  async #runChain(chain: readonly ClaimedDelivery[]): Promise<void> {
    let isBlocked = false
    for (const delivery of chain) {
      const begins: boolean = !isBlocked && !this.#stopped
      const outcome: Outcome = begins ? await this.#runOne(delivery) : { kind: 'released' }
      isBlocked ||= outcome.kind === 'later'
      const { solutionId } = delivery.call
      const settled = this.#needs.settler
        .settle({ solutionId, id: delivery.id, outcome })
        .then(() => this.#forget(solutionId))
      // The next of a key starts when the outcome of this one is stored.
      if (delivery.key !== null) await settled
    }
  }

  async #runOne({ call, tries }: ClaimedDelivery): Promise<Outcome> {
    const { run, retryOf, clock, logger } = this.#needs
    try {
      const end = await run(call)
      if (this.#stopped && endedByClosing(end)) return { kind: 'released' }
      const retry = end.kind === 'returned' ? undefined : await retryOf(call)
      const nowUs = clock.nowUs()
      if (!isTransient(end)) this.#backoffs.reset(call.solutionId)
      const againAtUs = () => this.#backoffs.dueAtUs(call.solutionId, nowUs)
      return outcomeOf(end, retry, { tries, nowUs, againAtUs })
    } catch (error) {
      // For example the database is unavailable while the program is read.
      logger.warn({ err: error, solution: call.solutionId }, 'a delivery could not be run')
      const dueAtUs = clock.nowUs() + againUs
      return { kind: 'later', dueAtUs, error: unavailable, began: false }
    }
  }

  #forget(solutionId: string): void {
    const left = (this.#claimed.get(solutionId) ?? 1) - 1
    if (left > 0) this.#claimed.set(solutionId, left)
    else this.#claimed.delete(solutionId)
    // The next are claimed while the last of these run, and once more at the end.
    if (left === limits.deliveryRunsMax - 1 || left === 0) this.wake()
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, limits.deliveryPollMs).unref()
      this.#resume = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #renew(): void {
    const { database, owner, clock, logger } = this.#needs
    renewLeases(database, leaseOf(owner, clock.nowUs())).catch((error) => {
      logger.warn({ err: error }, 'failed to renew delivery leases')
    })
  }
}

const usPerMs = 1_000
const againUs = limits.deliveryAgainMs * usPerMs
const unavailable = scriptError(503, 'The handler could not be run. It is tried again.')

/** A script that was cut off by the stop of the platform is to run again, as after a power cut. */
export function endedByClosing(end: HostEnd): boolean {
  return end.kind === 'stopped' && end.limit === 'worker'
}

/** A lease of this process for `limits.deliveryLeaseMs`. */
export function leaseOf(owner: string, nowUs: number): Lease {
  return { owner, nowUs, forUs: limits.deliveryLeaseMs * usPerMs }
}
