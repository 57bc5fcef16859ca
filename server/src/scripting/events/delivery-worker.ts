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

/** Takes waiting deliveries and runs them, a few of each solution at a time. */
export class DeliveryWorker {
  readonly #needs: DeliveryWorkerNeeds
  /** Deliveries of each solution that this process has. */
  readonly #taken = new Map<string, number>()
  readonly #running = new Set<Promise<void>>()
  readonly #pauses = createBackoffs()
  #stopped = false
  #walking: Promise<void> = Promise.resolve()
  #awake = false
  #resume = () => {}
  #renewing: NodeJS.Timeout | undefined

  constructor(needs: DeliveryWorkerNeeds) {
    this.#needs = needs
  }

  start(): void {
    this.#renewing = setInterval(() => this.#renew(), limits.deliveryRenewMs).unref()
    this.#walking = this.#walk()
  }

  /** There may be something new. */
  wake(): void {
    this.#awake = true
    this.#resume()
  }

  /** Begins nothing more; waits a moment for what runs. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#resume()
    await this.#walking
    const moment = pause(limits.scriptCloseMs, undefined, { ref: false })
    await Promise.race([Promise.all(this.#running), moment])
  }

  /** To be called after the host was closed: what did not end is free for others, to run again. */
  async close(): Promise<void> {
    const { database, owner, settler, logger } = this.#needs
    clearInterval(this.#renewing)
    // The next of a key waits until an end is written: where that cannot be, it is given up now.
    await settler.close()
    await Promise.all(this.#running)
    await settler.close()
    await releaseLeases(database, owner).catch((error) => {
      logger.warn({ err: error }, 'leases of deliveries are left to run out')
    })
  }

  async #walk(): Promise<void> {
    await this.#needs.recovered()
    while (!this.#stopped) {
      this.#awake = false
      await this.#pass().catch((error) => {
        this.#needs.logger.warn({ err: error }, 'deliveries could not be looked at')
      })
      if (!this.#stopped && !this.#awake) await this.#rest()
    }
  }

  /** One look at every solution that has something waiting. */
  async #pass(): Promise<void> {
    const count = limits.deliverySolutionsMax
    let after = ''
    for (;;) {
      const solutions = await readBacklogged(this.#needs.database, after, count)
      for (const solutionId of solutions) if (!this.#stopped) await this.#takeOf(solutionId)
      after = solutions.at(-1) ?? ''
      if (solutions.length < count || this.#stopped) return
    }
  }

  async #takeOf(solutionId: string): Promise<void> {
    const { database, owner, clock, logger } = this.#needs
    const had = this.#taken.get(solutionId) ?? 0
    if (had >= limits.deliveryRunsMax) return
    const lease = leaseOf(owner, clock.nowUs())
    const deliveries = await database.transaction((transaction) =>
      claimDeliveries(transaction, solutionId, lease, limits.deliveryClaimMax - had),
    )
    if (deliveries === undefined) return this.#cancelOrphans(solutionId)
    if (deliveries.length === 0) return
    this.#taken.set(solutionId, (this.#taken.get(solutionId) ?? 0) + deliveries.length)
    const ended = this.#runAll(deliveries)
      .catch((error) => {
        logger.error({ err: error, solution: solutionId }, 'deliveries could not be run')
      })
      .finally(() => this.#running.delete(ended))
    this.#running.add(ended)
  }

  /** What was kept for a solution while it was removed can never run: it ends here, counted. */
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
    let held = false
    for (const delivery of chain) {
      const begins: boolean = !held && !this.#stopped
      const outcome: Outcome = begins ? await this.#runOne(delivery) : { kind: 'released' }
      held ||= outcome.kind === 'later'
      const { solutionId } = delivery.call
      const settled = this.#needs.settler
        .settle({ solutionId, id: delivery.id, outcome })
        .then(() => this.#forget(solutionId))
      // The next of a key begins when the end of this one is kept.
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
      if (!isTransient(end)) this.#pauses.reset(call.solutionId)
      const againAtUs = () => this.#pauses.dueAtUs(call.solutionId, nowUs)
      return outcomeOf(end, retry, { tries, nowUs, againAtUs })
    } catch (error) {
      // Such as a database that is away while the program is read.
      logger.warn({ err: error, solution: call.solutionId }, 'a delivery could not be run')
      const dueAtUs = clock.nowUs() + againUs
      return { kind: 'later', dueAtUs, error: away, began: false }
    }
  }

  #forget(solutionId: string): void {
    const left = (this.#taken.get(solutionId) ?? 1) - 1
    if (left > 0) this.#taken.set(solutionId, left)
    else this.#taken.delete(solutionId)
    // While the last of these run, the next are taken; at the end also what waited for one of them.
    if (left === limits.deliveryRunsMax - 1 || left === 0) this.wake()
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
    const { database, owner, clock, logger } = this.#needs
    renewLeases(database, leaseOf(owner, clock.nowUs())).catch((error) => {
      logger.warn({ err: error }, 'the leases of deliveries could not be renewed')
    })
  }
}

const usPerMs = 1_000
const againUs = limits.deliveryAgainMs * usPerMs
const away = scriptError(503, 'The handler could not be run. It is tried again.')

/** A script that was cut off by the stop of the platform is to run again, as after a power cut. */
export function endedByClosing(end: HostEnd): boolean {
  return end.kind === 'stopped' && end.limit === 'worker'
}

/** What a process takes now is its own for `limits.deliveryLeaseMs`. */
export function leaseOf(owner: string, nowUs: number): Lease {
  return { owner, nowUs, forUs: limits.deliveryLeaseMs * usPerMs }
}
