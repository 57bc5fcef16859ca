import type { Database } from '../../../foundation/database/index.ts'
import {
  type Batcher,
  type Clock,
  createBatcher,
  DelayedFlush,
  Fault,
  type Logger,
  LruMap,
  limits,
} from '../../../foundation/kernel/index.ts'
import {
  type CountRequest,
  type Principal,
  parseUserId,
  type RequestRates,
  ratesFor,
} from '../permissions.ts'
import {
  createWindowStore,
  type StoredWindow,
  type WindowStore,
  type WindowUse,
} from '../store/windows.ts'

/** The window in which the requests of a caller are counted; it begins with the first. */
const graphqlWindowMs = 10_000
/** The delay with which the times of requests are added to their windows. */
const graphqlWindowFlushMs = 100
/** Callers whose requests one statement counts. */
const graphqlWindowsBatchMax = 500
/** Requests that wait to be counted; past it 503. */
const graphqlWindowsWaitingMax = 10_000

/** The share of a caller in its window while a request of it runs. */
export type RateUse = {
  readonly limits: RateLimit
  /** Returns the use of the caller, with this request if it took so long and cost so much. */
  usage(ms: number, cost: number): { readonly requests: number; readonly timeMs: number } & Cost
  /** To be called once when the request ends; `cost` is 0 for other APIs than the graph API. */
  end(ms: number, cost?: number): void
}

type Cost = { readonly cost: number }

type RateLimit = { readonly requestsMax: number; readonly msMax: number }

/** Counts the requests of callers and their times, over all processes of the instance. */
export type Rates = {
  /**
   * Counts a request; undefined for the operator, who is not limited.
   * Faults: rate_requests_exceeded, rate_time_exceeded.
   */
  begin(principal: Principal): Promise<RateUse | undefined>
  close(): Promise<void>
}

export type RatesOptions = {
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
}

/** The use of requests: microseconds, and costs of the graph API. */
type Used = Cost & { readonly usedUs: number }

const nothing: Used = { usedUs: 0, cost: 0 }

const sum = (one: Used, other: Used): Used => {
  return { usedUs: one.usedUs + other.usedUs, cost: one.cost + other.cost }
}

/** The window of a caller as this process knows it. */
type Window = {
  startedMs: number
  /** Requests that all processes have counted. */
  requests: number
  used: Used
  /** Requests that are counted already and that this process may still begin. */
  left: number
}

const usPerMs = 1_000
/** A process counts this part of the limit at once, and one request at least. */
const leasesPerWindow = 1_000

export function createRates(options: RatesOptions): Rates {
  return new SharedRates(options)
}

/**
 * Counts a request of the management API: of a person with those of the graph API, of a program by
 * itself, since the limits of an API token are those of the graph API.
 */
export function createRequestCount(rates: Rates): CountRequest {
  return async (by) => {
    const isProgram = by.rates !== undefined && parseUserId(by.subject) === undefined
    return rates.begin(isProgram ? { ...by, rates: ratesFor(`management ${by.subject}`) } : by)
  }
}

/**
 * A request is counted in the database before it runs, so that two processes never permit more than
 * the limit together. If the limit is in the thousands, a process counts a thousandth of it in
 * advance and then asks the database only for each so many. The times of requests are added with
 * the next count, or a moment later.
 */
class SharedRates implements Rates {
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #store: WindowStore
  readonly #windows = new LruMap<string, Window>(limits.accountCacheMax)
  readonly #counts: Batcher<Asked, Window>
  /** The use that is not stored yet. */
  #unwritten = new Map<string, Used>()
  readonly #flush: DelayedFlush
  #sweptMs: number

  constructor({ database, clock, logger }: RatesOptions) {
    this.#clock = clock
    this.#logger = logger
    this.#store = createWindowStore(database)
    this.#sweptMs = clock.elapsedMs()
    this.#flush = new DelayedFlush(() => this.#write(), graphqlWindowFlushMs)
    this.#counts = createBatcher({
      batchMax: graphqlWindowsBatchMax,
      waitingMax: graphqlWindowsWaitingMax,
      run: (asked) => this.#count(asked),
    })
  }

  async begin({ rates }: Principal): Promise<RateUse | undefined> {
    if (rates === undefined) return undefined
    const { holder } = rates
    const limit = toRateLimit(rates)
    const window = this.#open(holder) ?? (await this.#counts.add({ holder, limit }))
    const retryAfterS = this.#secondsLeft(window)
    if (window.left <= 0) throw new Fault('rate_requests_exceeded', undefined, { retryAfterS })
    if (this.#used(holder, window).usedUs > limit.msMax * usPerMs) {
      throw new Fault('rate_time_exceeded', undefined, { retryAfterS })
    }
    window.left -= 1
    const requests = window.requests - window.left
    return {
      limits: limit,
      usage: (ms, own) => {
        const { usedUs, cost } = this.#used(holder, window)
        return { requests, timeMs: Math.round(usedUs / usPerMs + ms), cost: cost + own }
      },
      end: (ms, cost = 0) => {
        this.#add(holder, window, { usedUs: Math.round(ms * usPerMs), cost })
      },
    }
  }

  async close(): Promise<void> {
    await this.#counts.idle()
    await this.#flush.close()
  }

  /** A window in which requests are left that were counted in advance. */
  #open(holder: string): Window | undefined {
    const window = this.#windows.get(holder)
    return window !== undefined && window.left > 0 && this.#isOpen(window) ? window : undefined
  }

  #isOpen({ startedMs }: Window): boolean {
    return Math.abs(this.#clock.nowMs() - startedMs) < graphqlWindowMs
  }

  #secondsLeft({ startedMs }: Window): number {
    const leftMs = startedMs + graphqlWindowMs - this.#clock.nowMs()
    return Math.max(1, Math.ceil(leftMs / usPerMs))
  }

  #used(holder: string, { used }: Window): Used {
    return sum(used, this.#unwritten.get(holder) ?? nothing)
  }

  /** A request counts in the window in which it began, as long as that one is open. */
  #add(holder: string, window: Window, used: Used): void {
    if (!this.#isOpen(window) || this.#windows.get(holder) !== window) return
    this.#unwritten.set(holder, sum(this.#unwritten.get(holder) ?? nothing, used))
    this.#flush.schedule()
  }

  /** Requests of one token in a batch are counted together, and granted in their order. */
  async #count(asked: readonly Asked[]) {
    const wanted = new Map<string, Wanted>()
    for (const { holder, limit } of asked) {
      const requests = (wanted.get(holder)?.requests ?? 0) + leaseSize(limit)
      wanted.set(holder, { requests, limit, used: this.#unwritten.get(holder) ?? nothing })
    }
    const nowMs = this.#clock.nowMs()
    this.#unwritten = new Map([...this.#unwritten].filter(([holder]) => !wanted.has(holder)))
    const uses = [...wanted].map(([holder, { requests, used }]) => ({ holder, requests, ...used }))
    for (const stored of await this.#store.count(uses, nowMs, graphqlWindowMs)) {
      const one = wanted.get(stored.holder)
      if (one !== undefined) this.#keep(stored, one)
    }
    return asked.map(({ holder }) => {
      const value = this.#windows.get(holder)
      return value === undefined ? { error: new Fault('internal') } : { value }
    })
  }

  #keep({ holder, startedMs, ...stored }: StoredWindow, { limit, ...added }: Wanted): void {
    const before = this.#windows.get(holder)
    const known = before?.startedMs === startedMs ? before : undefined
    const room = Math.max(0, limit.requestsMax - (stored.requests - added.requests))
    const window = {
      startedMs,
      requests: Math.min(stored.requests, limit.requestsMax),
      // The table may not have the use yet that this process is storing.
      used: known ? most(stored, sum(known.used, added.used)) : most(stored, nothing),
      left: (known?.left ?? 0) + Math.min(added.requests, room),
    }
    if (known === undefined) this.#windows.set(holder, window)
    else Object.assign(known, window)
  }

  async #write(): Promise<void> {
    const unwritten = [...this.#unwritten]
    this.#unwritten = new Map()
    const uses: WindowUse[] = []
    for (const [holder, used] of unwritten) {
      uses.push({ holder, requests: 0, ...used })
      const window = this.#windows.get(holder)
      if (window !== undefined) window.used = sum(window.used, used)
    }
    const nowMs = this.#clock.nowMs()
    try {
      if (uses.length > 0) {
        await this.#store.addUsed(uses, nowMs, graphqlWindowMs)
      }
      if (this.#clock.elapsedMs() - this.#sweptMs < limits.retentionEveryMs) return
      this.#sweptMs = this.#clock.elapsedMs()
      await this.#store.removeUntil(nowMs - graphqlWindowMs)
    } catch (error) {
      this.#logger.warn({ err: error }, 'the times of requests could not be stored')
    }
  }
}

/** A request of a caller that has none left. */
type Asked = { readonly holder: string; readonly limit: RateLimit }

/** The additions for a caller: requests that begin, and the use of those that have ended. */
type Wanted = { readonly requests: number; readonly used: Used; readonly limit: RateLimit }

function most(one: Used, other: Used): Used {
  return { usedUs: Math.max(one.usedUs, other.usedUs), cost: Math.max(one.cost, other.cost) }
}

function toRateLimit({ requestsMax, msMax }: RequestRates): RateLimit {
  return {
    requestsMax: requestsMax ?? limits.graphqlWindowRequests,
    msMax: msMax ?? limits.graphqlWindowRequestsMs,
  }
}

function leaseSize({ requestsMax }: RateLimit): number {
  return Math.max(1, Math.floor(requestsMax / leasesPerWindow))
}
