import { type Clock, LruMap } from '../../../foundation/kernel/index.ts'
import { pipelineLimits } from '../limits.ts'

/** A function of a module that is called. */
export type CalledFunction = { readonly moduleId: string; readonly functionId: string }

/**
 * The speed of functions of modules, in this process's memory. A batch of the log waits for the
 * answers of a function only while they are quick. A function that is late is called by jobs until
 * its answers are quick again, for a time at least that grows if it is late often: so it delays
 * batches seldom, and never while it hangs.
 */
export type Speed = {
  answered(called: CalledFunction, ms: number): void
  /** A batch gave up waiting for an answer. */
  late(called: CalledFunction): void
  isQuick(called: CalledFunction): boolean
  /** The milliseconds after which an answer is late: in any case before a batch stops waiting. */
  patienceMs(called: CalledFunction): number
}

type State = {
  /** Smoothed over some ten answers. */
  meanMs: number
  /** By `clock.elapsedMs`. */
  restsUntilMs: number
  /** The number of times that it was late. */
  lates: number
  /** Answers since it was late. */
  answers: number
}

/** Part of the time of a batch that quick answers take at most, on average. */
const quick = 0.8
/** The part of a new answer in the mean. */
const newest = 0.2
/** An answer that took very long counts for so many times of a batch, not for hundreds. */
const timesCounted = 10
/** An answer is late after so many times the mean. */
const timesMean = 5
/** After so many answers it counts no more that a function was late. */
const answersToForget = 200

export function createSpeed(clock: Pick<Clock, 'elapsedMs'>): Speed {
  const states = new LruMap<string, State>(pipelineLimits.moduleHealthsMax)
  const functionKey = ({ moduleId, functionId }: CalledFunction) => `${moduleId} ${functionId}`
  return {
    answered(called, ms) {
      const key = functionKey(called)
      const counted = Math.min(ms, pipelineLimits.moduleInlineMsMax * timesCounted)
      const state = states.get(key)
      if (state === undefined) {
        states.set(key, { meanMs: counted, restsUntilMs: 0, lates: 0, answers: 1 })
        return
      }
      state.meanMs += (counted - state.meanMs) * newest
      state.answers += 1
      if (state.answers >= answersToForget) state.lates = 0
    },
    late(called) {
      const { lates = 0, restsUntilMs: before = 0 } = states.get(functionKey(called)) ?? {}
      const nowMs = clock.elapsedMs()
      // Several batches wait at once.
      if (nowMs < before) return
      const { moduleInlineRestMs, moduleInlineRestMsMax, moduleInlineMsMax } = pipelineLimits
      const restMs = Math.min(moduleInlineRestMsMax, moduleInlineRestMs * 2 ** lates)
      const late = { lates: lates + 1, answers: 0, restsUntilMs: nowMs + restMs }
      states.set(functionKey(called), { meanMs: moduleInlineMsMax, ...late })
    },
    isQuick(called) {
      const state = states.get(functionKey(called))
      if (state === undefined || clock.elapsedMs() < state.restsUntilMs) return false
      return state.meanMs <= pipelineLimits.moduleInlineMsMax * quick
    },
    patienceMs(called) {
      const { meanMs = 0 } = states.get(functionKey(called)) ?? {}
      const longest = pipelineLimits.moduleInlineMsMax * quick
      return Math.min(longest, Math.max(pipelineLimits.moduleInlineMsLeast, meanMs * timesMean))
    },
  }
}

/** Part of the time for calls that a batch should take. */
const fitting = 0.5
const smaller = 0.7
const larger = 1.2

/**
 * The most entries of a batch: as many as have their calls answered in the time for that. With more
 * of them the last calls would not begin in time, and become jobs.
 */
export class BatchSize {
  #most: number = pipelineLimits.functionsBatchMax

  get most(): number {
    return Math.floor(this.#most)
  }

  /** The runs of a batch with modules took so long, or ended without them. */
  took(runs: number, ms: number): void {
    const isLong = ms > pipelineLimits.moduleInlineMsMax * fitting
    if (isLong) this.#most = Math.max(pipelineLimits.functionsBatchLeast, this.#most * smaller)
    else if (runs > 0) this.#most = Math.min(pipelineLimits.functionsBatchMax, this.#most * larger)
  }
}
