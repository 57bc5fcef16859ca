import { limits } from '../kernel/index.ts'

/** Solutions that are kept apart from the others, and for how long they are refused. */
export type Apart = {
  /** Its script ran until a limit stopped it. */
  spun(solutionId: string): void
  /** It cost a worker. */
  costAWorker(solutionId: string): void
  has(solutionId: string): boolean
  rests(solutionId: string): boolean
}

type Term = { untilMs: number; strikes: number; restUntilMs: number }

/**
 * A solution that spins takes its worker from the others that have it. So it moves into one worker
 * for all such solutions, for a time that begins anew each time; one that even cost a worker rests
 * before its next call, twice as long each time. Nothing of it is kept over a restart.
 */
export function createApart(elapsedMs: () => number): Apart {
  const terms = new Map<string, Term>()

  function termOf(solutionId: string): Term | undefined {
    const term = terms.get(solutionId)
    if (term === undefined || elapsedMs() < term.untilMs) return term
    terms.delete(solutionId)
    return undefined
  }

  function extend(solutionId: string): Term {
    for (const other of terms.keys()) termOf(other)
    const term = termOf(solutionId) ?? { untilMs: 0, strikes: 0, restUntilMs: 0 }
    term.untilMs = elapsedMs() + limits.scriptApartMs
    terms.set(solutionId, term)
    return term
  }

  return {
    spun: (solutionId) => void extend(solutionId),
    costAWorker(solutionId) {
      const term = extend(solutionId)
      const restMs = Math.min(limits.scriptRestMsMax, limits.scriptRestMs * 2 ** term.strikes)
      term.strikes += 1
      term.restUntilMs = elapsedMs() + restMs
      // The rest counts only from its end, or a long one would be forgotten at once.
      term.untilMs += restMs
    },
    has: (solutionId) => terms.size > 0 && termOf(solutionId) !== undefined,
    rests(solutionId) {
      if (terms.size === 0) return false
      const term = termOf(solutionId)
      return term !== undefined && elapsedMs() < term.restUntilMs
    },
  }
}
