import { type Clock, LruMap } from '../../../foundation/kernel/index.ts'
import { pipelineLimits } from '../limits.ts'

/**
 * The health of insight modules, in this process's memory. A module is called while it answers.
 * After `moduleFailuresInRowMax` calls in a row without an answer it pauses for `modulePauseMs`:
 * calls fail at once. Then the next call goes out again; its failure makes the module pause again,
 * its answer resets everything. An error response is an answer, and so is one that cannot be used:
 * one link's bad data must not stop the other links of the module.
 */
export type Health = {
  /** Milliseconds since 1970 until which the module rests; undefined where it may be called. */
  restsUntil(moduleId: string): number | undefined
  answered(moduleId: string): void
  failed(moduleId: string, reason: string): void
  state(moduleId: string): { failuresInRow: number; lastFailure: string | null }
  /** Milliseconds since the first of its failures in a row; 0 if the last call was answered. */
  outageMs(moduleId: string): number
  forget(moduleId: string): void
}

type State = {
  failuresInRow: number
  lastFailure: string
  restsUntilMs: number
  /** By `clock.elapsedMs`. */
  sinceMs: number
}

export function createHealth(clock: Clock): Health {
  const states = new LruMap<string, State>(pipelineLimits.moduleHealthsMax)
  return {
    restsUntil(moduleId) {
      const until = states.get(moduleId)?.restsUntilMs ?? 0
      // Longer than it may rest: the clock was set back meanwhile.
      const restMs = until - clock.nowMs()
      return restMs > 0 && restMs <= pipelineLimits.modulePauseMs ? until : undefined
    },
    answered: (moduleId) => void states.delete(moduleId),
    failed(moduleId, reason) {
      const before = states.get(moduleId)
      const failuresInRow = (before?.failuresInRow ?? 0) + 1
      const sinceMs = before?.sinceMs ?? clock.elapsedMs()
      const rests = failuresInRow >= pipelineLimits.moduleFailuresInRowMax
      const restsUntilMs = rests ? clock.nowMs() + pipelineLimits.modulePauseMs : 0
      states.set(moduleId, { failuresInRow, lastFailure: reason, restsUntilMs, sinceMs })
    },
    state(moduleId) {
      const { failuresInRow, lastFailure } = states.get(moduleId) ?? {}
      return { failuresInRow: failuresInRow ?? 0, lastFailure: lastFailure ?? null }
    },
    outageMs(moduleId) {
      const { sinceMs } = states.get(moduleId) ?? {}
      return sinceMs === undefined ? 0 : clock.elapsedMs() - sinceMs
    },
    forget: (moduleId) => void states.delete(moduleId),
  }
}
