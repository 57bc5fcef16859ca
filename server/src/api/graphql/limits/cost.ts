import { limits } from '../../../foundation/kernel/index.ts'
import type { RateUse } from '../../../people/accounts/index.ts'

/** `extensions.cost` of an answer. Times are in milliseconds. */
export type CostReport = {
  readonly usage: Resources
  readonly limits: Resources
  /** The use of the caller in its window. */
  readonly rateUsage: RateResources | null
  readonly rateLimits: RateResources | null
  readonly time: number
  readonly overUsageLimit: false
  readonly overRateLimit: false
}

/** `query` is reserved by the specification. A limit that is null is not enforced. */
type Resources = {
  readonly time: number
  readonly cost: number | null
  readonly query: number | null
}
type RateResources = Resources & { readonly requests: number }

/** The use of a request so far, for its answer. */
export class RequestUse {
  readonly #msMax: number
  readonly #elapsedMs: () => number
  readonly #startMs: number
  #rate: RateUse | undefined
  /** The cost of what was run: its rows, and `graphqlStatementCost` for each statement. */
  cost = 0

  constructor(msMax: number, elapsedMs: () => number) {
    this.#msMax = msMax
    this.#elapsedMs = elapsedMs
    this.#startMs = elapsedMs()
  }

  /** The share of the request's caller. */
  count(rate: RateUse | undefined): void {
    this.#rate = rate
  }

  report(): CostReport {
    const ms = this.#elapsedMs() - this.#startMs
    const time = Math.round(ms)
    const rate = this.#rate
    const used = rate?.usage(ms, this.cost)
    return {
      usage: { time, cost: this.cost, query: 0 },
      limits: { time: this.#msMax, cost: limits.graphqlCostMax, query: null },
      rateUsage: used
        ? { time: used.timeMs, cost: used.cost, query: 0, requests: used.requests }
        : null,
      rateLimits: rate
        ? { time: rate.limits.msMax, cost: null, query: null, requests: rate.limits.requestsMax }
        : null,
      time,
      overUsageLimit: false,
      overRateLimit: false,
    }
  }

  /** The work of the request is over; called again, it does nothing. */
  end(): void {
    this.#rate?.end(this.#elapsedMs() - this.#startMs, this.cost)
    this.#rate = undefined
  }
}
