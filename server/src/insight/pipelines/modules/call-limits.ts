import { Fault, LruMap, limits, Semaphore, type Share } from '../../../foundation/kernel/index.ts'
import { pipelineLimits } from '../limits.ts'
import type { ExternalModule } from '../types.ts'

/** Calls of insight modules that wait. Past it a call is refused. */
const moduleCallsWaitingMax = 2_000

/**
 * Limits the calls of modules in flight and waiting. A module that hangs leaves room for the other
 * modules of its business, and a business whose modules hang for other businesses. Runs do not
 * wait for what people request.
 */
export type CallLimits = {
  /**
   * Does a run that calls these modules while it has a place of each. It waits for them while
   * others of the same share end. If none does for `moduleWaitMs`, this run and the next ones are
   * refused, until one ends: a module that hangs has few who wait for it.
   * @throws Fault overloaded
   */
  run<Result>(
    businessId: string,
    modules: Iterable<Pick<ExternalModule, 'id'>>,
    run: () => Promise<Result>,
  ): Promise<Result>
  /**
   * The same for one that does not wait for long: it is refused if its share stalls, or if it has
   * no place when the signal is aborted.
   * @throws Fault overloaded
   */
  runSoon<Result>(
    businessId: string,
    modules: Iterable<Pick<ExternalModule, 'id'>>,
    run: () => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result>
  /** Makes a call that a person's request needs. @throws Fault overloaded */
  request<Result>(businessId: string, url: string, call: () => Promise<Result>): Promise<Result>
}

export function createCallLimits(): CallLimits {
  const semaphore = new Semaphore({
    max: limits.moduleCallsMax,
    waitingMax: moduleCallsWaitingMax,
    refusal,
  })
  /** The keys of full shares of which none ended while another waited. */
  const stalled = new Set<string>()
  /** Number of runs that ended, by the key of a share. */
  const ended = new LruMap<string, number>(pipelineLimits.moduleHealthsMax)

  /** @returns a signal that is aborted when a full share stalls; undefined if none is full. */
  function watch(shares: readonly Share[]) {
    if (!shares.some((share) => semaphore.isFull(share))) return undefined
    const watched = new AbortController()
    let before = shares.map(({ key }) => ended.get(key))
    // An interval, and no poll loop: nothing in a comparison is awaited.
    const timer = setInterval(() => {
      const now = shares.map(({ key }) => ended.get(key))
      const stuck = shares.filter((share, at) => semaphore.isFull(share) && now[at] === before[at])
      for (const { key } of stuck) stalled.add(key)
      if (stuck.length > 0) watched.abort(refusal())
      before = now
    }, pipelineLimits.moduleWaitMs).unref()
    return { signal: watched.signal, end: () => clearInterval(timer) }
  }

  const counted = <Result>(shares: readonly Share[], run: () => Promise<Result>) =>
    run().finally(() => {
      for (const { key } of shares) {
        stalled.delete(key)
        ended.set(key, (ended.get(key) ?? 0) + 1)
      }
    })

  /** @throws Fault overloaded */
  function openShares(...of: Parameters<typeof runShares>): readonly Share[] {
    const shares = runShares(...of)
    if (shares.some(({ key }) => stalled.has(key))) throw refusal()
    return shares
  }

  return {
    async run(businessId, modules, run) {
      const shares = openShares(businessId, modules)
      const watched = watch(shares)
      const work = () => {
        watched?.end()
        return counted(shares, run)
      }
      try {
        return await semaphore.run(shares, work, watched?.signal)
      } finally {
        watched?.end()
      }
    },
    async runSoon(businessId, modules, run, signal) {
      const shares = openShares(businessId, modules)
      return semaphore.run(shares, () => counted(shares, run), signal)
    },
    request: (businessId, url, call) => semaphore.run(requestShares(businessId, url), call),
  }
}

function refusal(): Fault {
  return new Fault('overloaded', 'Too many calls of insight modules are waiting. Try again.', {
    retryAfterS: limits.retryAfterS,
  })
}

function runShares(businessId: string, modules: Iterable<Pick<ExternalModule, 'id'>>): Share[] {
  const ofModules = [...modules].map(({ id }) => {
    return { key: `run ${businessId} ${id}`, max: pipelineLimits.moduleCallsOfModuleMax }
  })
  return [{ key: `run ${businessId}`, max: pipelineLimits.moduleCallsOfBusinessMax }, ...ofModules]
}

/** A module that is not added yet has no id, so a request counts for the URL that it calls. */
function requestShares(businessId: string, url: string): Share[] {
  return [
    {
      key: `request ${businessId}`,
      max: limits.moduleRequestsOfBusinessMax,
      waitingMax: limits.moduleRequestsWaitingMax,
    },
    { key: `request ${businessId} ${url}`, max: limits.moduleRequestsOfUrlMax },
  ]
}
