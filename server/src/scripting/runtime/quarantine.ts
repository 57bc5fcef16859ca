import { limits } from '../../kernel/index.ts'

/** How much CPU solutions use, which of them are kept apart, and for how long they are refused. */
export type Quarantine = {
  /** A step of one of its calls has held a thread for so long. @returns whether it has spun. */
  used(solutionId: string, cpuMs: number): boolean
  /** It holds a thread for long. */
  spun(solutionId: string): void
  /** It cost a worker. */
  costAWorker(solutionId: string): void
  has(solutionId: string): boolean
  rests(solutionId: string): boolean
  /** CPU of one step of its calls, as it was of late. */
  costOf(solutionId: string): number
}

type Term = {
  untilMs: number
  /** How long it was; the next one is twice as long, where it begins within that time. */
  lengthMs: number
  strikes: number
  restUntilMs: number
}

/** `usedMs`: what it has used, less its share of the time that has passed. */
type Use = { usedMs: number; atMs: number; averageMs: number }

const percent = 100
/** Each step counts for an eighth of the average. */
const newest = 0.125

/**
 * A solution that spins takes its worker from the others that have it. So it moves into the workers
 * for such solutions, for a time that begins anew each time; one that even cost a worker rests
 * before its next call, twice as long each time. Nothing of it is kept over a restart: a solution
 * that spins is found out again within `limits.scriptSpunMs`.
 */
export function createQuarantine(elapsedMs: () => number): Quarantine {
  const terms = new Map<string, Term>()
  const uses = new Map<string, Use>()

  function termOf(solutionId: string): Term | undefined {
    const term = terms.get(solutionId)
    return term === undefined || elapsedMs() >= term.untilMs ? undefined : term
  }

  function extend(solutionId: string): Term {
    const nowMs = elapsedMs()
    for (const [id, { untilMs, lengthMs }] of terms) {
      if (nowMs >= untilMs + lengthMs) terms.delete(id)
    }
    const before = terms.get(solutionId)
    const lengthMs = lengthOf(before, nowMs)
    const term = { strikes: 0, restUntilMs: 0, ...before, lengthMs, untilMs: nowMs + lengthMs }
    terms.set(solutionId, term)
    return term
  }

  function useOf(solutionId: string, nowMs: number): Use {
    const known = uses.get(solutionId)
    if (known !== undefined) return known
    if (uses.size >= limits.scriptMachinesMax) {
      for (const [id, use] of uses) if (leftOf(use, nowMs) === 0) uses.delete(id)
    }
    const use = { usedMs: 0, atMs: nowMs, averageMs: 0 }
    uses.set(solutionId, use)
    return use
  }

  return {
    used(solutionId, cpuMs) {
      const nowMs = elapsedMs()
      const use = useOf(solutionId, nowMs)
      use.usedMs = leftOf(use, nowMs) + cpuMs
      use.atMs = nowMs
      use.averageMs += (cpuMs - use.averageMs) * newest
      const hasSpun = cpuMs >= limits.scriptSpunMs || use.usedMs >= limits.scriptBurstMs
      if (hasSpun) extend(solutionId)
      return hasSpun
    },
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
    costOf: (solutionId) => uses.get(solutionId)?.averageMs ?? 0,
  }
}

function lengthOf(before: Term | undefined, nowMs: number): number {
  if (before === undefined) return limits.scriptApartMs
  if (nowMs < before.untilMs) return before.lengthMs
  return Math.min(limits.scriptApartMsMax, 2 * before.lengthMs)
}

function leftOf({ usedMs, atMs }: Use, nowMs: number): number {
  return Math.max(0, usedMs - ((nowMs - atMs) * limits.scriptSharePercent) / percent)
}
