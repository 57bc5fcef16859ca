import type { Principal, TokenRates } from '../../accounts/index.ts'
import type { Database } from '../../database/index.ts'
import {
  type Batcher,
  type Clock,
  createBatcher,
  DelayedFlush,
  Fault,
  type Logger,
  LruMap,
  limits,
} from '../../kernel/index.ts'
import { createStore, type StoredWindow, type WindowStore, type WindowUse } from '../store.ts'

/** The share of a token in its window while a request of it runs. */
export type RateUse = {
  readonly limits: RateLimit
  /** What the token has used, this request included, if it took so many milliseconds. */
  usage(ms: number): { readonly requests: number; readonly timeMs: number }
  /** To be called once when the request ends. */
  end(ms: number): void
}

type RateLimit = { readonly requestsMax: number; readonly msMax: number }

/** Counts the requests of API tokens and their times, over all processes of the instance. */
export type Rates = {
  /**
   * Counts a request; undefined for a session of a person, which is not limited so.
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

/** The window of a token as this process knows it. */
type Window = {
  startedMs: number
  /** Requests that all processes have counted. */
  requests: number
  usedUs: number
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
 * A request is counted in the database before it runs, so that two processes never permit more than
 * the limit together. Where the limit is in the thousands, a process counts a thousandth of it in
 * advance and then asks the database only for each so many. The times of requests are added with
 * the next count, or a moment later.
 */
class SharedRates implements Rates {
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #store: WindowStore
  readonly #windows = new LruMap<string, Window>(limits.accountCacheMax)
  readonly #counts: Batcher<Asked, Window>
  /** Times that the database does not have yet, in microseconds. */
  #times = new Map<string, number>()
  readonly #flush: DelayedFlush
  #sweptMs: number

  constructor({ database, clock, logger }: RatesOptions) {
    this.#clock = clock
    this.#logger = logger
    this.#store = createStore(database)
    this.#sweptMs = clock.elapsedMs()
    this.#flush = new DelayedFlush(() => this.#write(), limits.graphqlWindowFlushMs)
    this.#counts = createBatcher({
      batchMax: limits.graphqlWindowsBatchMax,
      waitingMax: limits.graphqlWindowsWaitingMax,
      run: (asked) => this.#count(asked),
    })
  }

  async begin({ rates }: Principal): Promise<RateUse | undefined> {
    if (rates === undefined) return undefined
    const { tokenId } = rates
    const limit = limitOf(rates)
    const window = this.#open(tokenId) ?? (await this.#counts.add({ tokenId, limit }))
    const retryAfterS = this.#secondsLeft(window)
    if (window.left <= 0) throw new Fault('rate_requests_exceeded', undefined, { retryAfterS })
    if (this.#usedUs(tokenId, window) > limit.msMax * usPerMs) {
      throw new Fault('rate_time_exceeded', undefined, { retryAfterS })
    }
    window.left -= 1
    const requests = window.requests - window.left
    return {
      limits: limit,
      usage: (ms) => ({
        requests,
        timeMs: Math.round(this.#usedUs(tokenId, window) / usPerMs + ms),
      }),
      end: (ms) => this.#addTime(tokenId, window, ms),
    }
  }

  async close(): Promise<void> {
    await this.#counts.idle()
    await this.#flush.close()
  }

  /** A window in which requests are left that were counted in advance. */
  #open(tokenId: string): Window | undefined {
    const window = this.#windows.get(tokenId)
    return window !== undefined && window.left > 0 && this.#isOpen(window) ? window : undefined
  }

  #isOpen({ startedMs }: Window): boolean {
    return Math.abs(this.#clock.nowMs() - startedMs) < limits.graphqlWindowMs
  }

  #secondsLeft({ startedMs }: Window): number {
    const leftMs = startedMs + limits.graphqlWindowMs - this.#clock.nowMs()
    return Math.max(1, Math.ceil(leftMs / usPerMs))
  }

  #usedUs(tokenId: string, window: Window): number {
    return window.usedUs + (this.#times.get(tokenId) ?? 0)
  }

  /** A time counts in the window in which its request began, as long as that one is open. */
  #addTime(tokenId: string, window: Window, ms: number): void {
    if (!this.#isOpen(window) || this.#windows.get(tokenId) !== window) return
    this.#times.set(tokenId, (this.#times.get(tokenId) ?? 0) + Math.round(ms * usPerMs))
    this.#flush.schedule()
  }

  /** Requests of one token in a batch are counted together, and granted in their order. */
  async #count(asked: readonly Asked[]) {
    const wanted = new Map<string, Wanted>()
    for (const { tokenId, limit } of asked) {
      const requests = (wanted.get(tokenId)?.requests ?? 0) + leaseOf(limit)
      wanted.set(tokenId, { requests, limit, usedUs: this.#times.get(tokenId) ?? 0 })
    }
    const nowMs = this.#clock.nowMs()
    this.#times = new Map([...this.#times].filter(([tokenId]) => !wanted.has(tokenId)))
    const uses = [...wanted].map(([tokenId, { requests, usedUs }]) => {
      return { tokenId, requests, usedUs }
    })
    for (const stored of await this.#store.count(uses, nowMs, limits.graphqlWindowMs)) {
      const one = wanted.get(stored.tokenId)
      if (one !== undefined) this.#keep(stored, one)
    }
    return asked.map(({ tokenId }) => {
      const value = this.#windows.get(tokenId)
      return value === undefined ? { error: new Fault('internal') } : { value }
    })
  }

  #keep({ tokenId, startedMs, ...stored }: StoredWindow, { limit, ...added }: Wanted): void {
    const before = this.#windows.get(tokenId)
    const known = before?.startedMs === startedMs ? before : undefined
    const room = Math.max(0, limit.requestsMax - (stored.requests - added.requests))
    const window = {
      startedMs,
      requests: Math.min(stored.requests, limit.requestsMax),
      // Times that this process is just storing may be missing in the table yet.
      usedUs: known ? Math.max(stored.usedUs, known.usedUs + added.usedUs) : stored.usedUs,
      left: (known?.left ?? 0) + Math.min(added.requests, room),
    }
    if (known === undefined) this.#windows.set(tokenId, window)
    else Object.assign(known, window)
  }

  async #write(): Promise<void> {
    const times = [...this.#times]
    this.#times = new Map()
    const uses: WindowUse[] = []
    for (const [tokenId, usedUs] of times) {
      uses.push({ tokenId, requests: 0, usedUs })
      const window = this.#windows.get(tokenId)
      if (window !== undefined) window.usedUs += usedUs
    }
    const nowMs = this.#clock.nowMs()
    try {
      if (uses.length > 0) {
        await this.#store.addTimes(uses, nowMs, limits.graphqlWindowMs)
      }
      if (this.#clock.elapsedMs() - this.#sweptMs < limits.retentionEveryMs) return
      this.#sweptMs = this.#clock.elapsedMs()
      await this.#store.removeUntil(nowMs - limits.graphqlWindowMs)
    } catch (error) {
      this.#logger.warn({ err: error }, 'the times of GraphQL requests could not be stored')
    }
  }
}

/** A request of a token that has none left. */
type Asked = { readonly tokenId: string; readonly limit: RateLimit }

/** What is counted for a token: requests that begin, and times of others that ended. */
type Wanted = { readonly requests: number; readonly usedUs: number; readonly limit: RateLimit }

function limitOf({ requestsMax, msMax }: TokenRates): RateLimit {
  return {
    requestsMax: requestsMax ?? limits.graphqlWindowRequests,
    msMax: msMax ?? limits.graphqlWindowRequestsMs,
  }
}

function leaseOf({ requestsMax }: RateLimit): number {
  return Math.max(1, Math.floor(requestsMax / leasesPerWindow))
}
