import { connectionLost, lostRace } from '../../database/index.ts'
import { Fault, limits } from '../../kernel/index.ts'
import type { Activation } from './activation.ts'
import type { Outcome } from './batch.ts'

type Waiting = {
  readonly activation: Activation
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

/** The steps by which the batcher provisions. */
export type BatcherSteps = {
  /** Leaves out rows that another transaction has locked. */
  readonly all: (batch: readonly Activation[]) => Promise<readonly Outcome[]>
  /** Waits for a locked row, for a bounded time. */
  readonly locked: (activation: Activation) => Promise<Outcome>
}

/**
 * Group commit of activations, without a timer: an activation that finds the batcher idle
 * is committed at once; those that come during a transaction wait, and share the next one. Each
 * gets a result of its own. One whose row is locked is retried once by itself, so that the others
 * go on.
 */
export class ActivationBatcher {
  readonly #steps: BatcherSteps
  readonly #retries = new Set<Promise<void>>()
  #waiting: Waiting[] = []
  #draining: Promise<void> | undefined

  constructor(steps: BatcherSteps) {
    this.#steps = steps
  }

  /** @throws Fault the refusal of the activation, or the error of the database. */
  provision(activation: Activation): Promise<void> {
    if (this.#waiting.length >= limits.activationsWaitingMax) return Promise.reject(overloaded())
    return new Promise((resolve, reject) => {
      this.#waiting.push({ activation, resolve, reject })
      this.#draining ??= this.#drain()
    })
  }

  /** Waits for the activations under way. */
  async close(): Promise<void> {
    await this.#draining
    await Promise.all(this.#retries)
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#settle(this.#waiting.splice(0, limits.activationBatchMax))
    }
    this.#draining = undefined
  }

  /** Settles a batch, or its halves if the database rejects it: a bad one fails alone. */
  async #settle(batch: readonly Waiting[]): Promise<void> {
    try {
      this.#answer(batch, await this.#steps.all(batch.map((one) => one.activation)))
    } catch (error) {
      // With a lost connection the commit is uncertain: no second try.
      if (batch.length === 1 || connectionLost(error) || lostRace(error)) {
        for (const one of batch) one.reject(refusalOf(error))
        return
      }
      const middle = batch.length >> 1
      await this.#settle(batch.slice(0, middle))
      await this.#settle(batch.slice(middle))
    }
  }

  #answer(batch: readonly Waiting[], outcomes: readonly Outcome[]): void {
    for (const [at, one] of batch.entries()) {
      const outcome = outcomes[at]
      if (outcome === 'provisioned') one.resolve()
      else if (outcome instanceof Fault) one.reject(outcome)
      else if (this.#retries.size >= limits.activationsBlockedMax) one.reject(overloaded())
      else this.#retryAlone(one)
    }
  }

  #retryAlone({ activation, resolve, reject }: Waiting): void {
    const tried = this.#steps
      .locked(activation)
      .then((outcome) => {
        if (outcome === 'provisioned') resolve()
        else reject(outcome === 'again' ? overloaded() : outcome)
      })
      .catch((error) => reject(refusalOf(error)))
      .finally(() => this.#retries.delete(tried))
    this.#retries.add(tried)
  }
}

/** A device retries if the database is unavailable; any other failure is internal. */
function refusalOf(error: unknown): unknown {
  if (!connectionLost(error) && !lostRace(error)) return error
  const options = { cause: error, retryAfterS: limits.retryAfterS }
  return new Fault('log_unavailable', undefined, options)
}

function overloaded(): Fault {
  return new Fault('overloaded', undefined, { retryAfterS: limits.retryAfterS })
}
