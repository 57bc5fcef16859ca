import { connectionLost, lostRace } from '../../../foundation/database/index.ts'
import {
  createBatcher,
  Fault,
  limits,
  type Outcome as Settled,
} from '../../../foundation/kernel/index.ts'
import { provisioningLimits } from '../limits.ts'
import type { Activation } from './activation.ts'
import type { ActivationOutcome } from './batch.ts'

/** Activations in one transaction. */
const activationBatchMax = 100

/** The steps by which the batcher provisions. */
export type BatcherSteps = {
  /** Leaves out rows that another transaction has locked. */
  readonly all: (batch: readonly Activation[]) => Promise<readonly ActivationOutcome[]>
  /** Waits for a locked row, for a bounded time. */
  readonly locked: (activation: Activation) => Promise<ActivationOutcome>
}

/**
 * Group commit of activations. An activation whose row is locked is retried once by itself, so that
 * the others go on.
 */
export class ActivationBatcher {
  readonly #steps: BatcherSteps
  readonly #batcher = createBatcher<Activation, 'provisioned' | 'again'>({
    batchMax: activationBatchMax,
    waitingMax: provisioningLimits.activationsWaitingMax,
    run: (batch) => this.#settle(batch),
  })
  readonly #underWay = new Set<Promise<void>>()
  #retries = 0

  constructor(steps: BatcherSteps) {
    this.#steps = steps
  }

  /** @throws Fault the refusal of the activation, or the error of the database. */
  provision(activation: Activation): Promise<void> {
    const provisioned = this.#provision(activation).finally(() =>
      this.#underWay.delete(provisioned),
    )
    this.#underWay.add(provisioned)
    return provisioned
  }

  /** Waits for the activations under way. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#underWay)
  }

  async #provision(activation: Activation): Promise<void> {
    const outcome = await this.#batcher.add(activation)
    if (outcome === 'provisioned') return
    if (this.#retries >= provisioningLimits.activationsBlockedMax) throw overloaded()
    this.#retries += 1
    try {
      await this.#retryAlone(activation)
    } finally {
      this.#retries -= 1
    }
  }

  /** Settles a batch, or its halves if the database rejects it: a bad one fails alone. */
  async #settle(
    batch: readonly Activation[],
  ): Promise<readonly Settled<'provisioned' | 'again'>[]> {
    try {
      return (await this.#steps.all(batch)).map((outcome) =>
        outcome instanceof Fault ? { error: outcome } : { value: outcome },
      )
    } catch (error) {
      // With a lost connection the commit is uncertain: no second try.
      if (batch.length === 1 || connectionLost(error) || lostRace(error)) {
        return batch.map(() => ({ error: toRefusal(error) }))
      }
      const middle = batch.length >> 1
      const first = await this.#settle(batch.slice(0, middle))
      return first.concat(await this.#settle(batch.slice(middle)))
    }
  }

  async #retryAlone(activation: Activation): Promise<void> {
    const outcome = await this.#steps.locked(activation).catch((error) => {
      throw toRefusal(error)
    })
    if (outcome !== 'provisioned') throw outcome === 'again' ? overloaded() : outcome
  }
}

/** A device retries if the database is unavailable; any other failure is internal. */
function toRefusal(error: unknown): unknown {
  if (!connectionLost(error) && !lostRace(error)) return error
  const options = { cause: error, retryAfterS: limits.retryAfterS }
  return new Fault('log_unavailable', undefined, options)
}

function overloaded(): Fault {
  return new Fault('overloaded', undefined, { retryAfterS: limits.retryAfterS })
}
