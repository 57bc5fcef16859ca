import { limits } from '../../../kernel/index.ts'

/** Tracks the CPU of solutions, those in quarantine, and suspensions after crashes. */
export type Quarantine = {
  /** A step of one of its calls has held a thread for so long. @returns whether it has spun. */
  recordCpu(solutionId: string, cpuMs: number): boolean
  /** Starts or extends the quarantine of a solution that blocks a thread. */
  extend(solutionId: string): void
  /** Suspends a solution that crashed its worker. */
  recordCrash(solutionId: string): void
  has(solutionId: string): boolean
  isSuspended(solutionId: string): boolean
  /** Moving average of the CPU of one step of its calls, in milliseconds. */
  averageCpuMs(solutionId: string): number
}

type QuarantineTerm = {
  untilMs: number
  /** Length of the term; the next one is twice as long if it begins within that time. */
  lengthMs: number
  crashes: number
  suspendedUntilMs: number
}

/** `usedMs`: what it has used, less its share of the time that has passed. */
type CpuUse = { usedMs: number; atMs: number; averageMs: number }

const percent = 100
/** Each step counts for an eighth of the average. */
const newest = 0.125

/**
 * A solution that spins takes its worker from the others that have it. So it moves into the workers
 * for such solutions, for a time that begins anew each time; one that even cost a worker rests
 * before its next call, twice as long each time. Nothing of it is kept over a restart: a solution
 * that spins is found out again within `limits.scriptQuarantineCpuMs`.
 */
export function createQuarantine(elapsedMs: () => number): Quarantine {
  const terms = new Map<string, QuarantineTerm>()
  const uses = new Map<string, CpuUse>()

  function termOf(solutionId: string): QuarantineTerm | undefined {
    const term = terms.get(solutionId)
    return term === undefined || elapsedMs() >= term.untilMs ? undefined : term
  }

  function extend(solutionId: string): QuarantineTerm {
    const nowMs = elapsedMs()
    for (const [id, { untilMs, lengthMs }] of terms) {
      if (nowMs >= untilMs + lengthMs) terms.delete(id)
    }
    const before = terms.get(solutionId)
    const lengthMs = lengthOf(before, nowMs)
    const term = { crashes: 0, suspendedUntilMs: 0, ...before, lengthMs, untilMs: nowMs + lengthMs }
    terms.set(solutionId, term)
    return term
  }

  function useOf(solutionId: string, nowMs: number): CpuUse {
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
    recordCpu(solutionId, cpuMs) {
      const nowMs = elapsedMs()
      const use = useOf(solutionId, nowMs)
      use.usedMs = leftOf(use, nowMs) + cpuMs
      use.atMs = nowMs
      use.averageMs += (cpuMs - use.averageMs) * newest
      const hasSpun = cpuMs >= limits.scriptQuarantineCpuMs || use.usedMs >= limits.scriptBurstMs
      if (hasSpun) extend(solutionId)
      return hasSpun
    },
    extend: (solutionId) => void extend(solutionId),
    recordCrash(solutionId) {
      const term = extend(solutionId)
      const restMs = Math.min(
        limits.scriptCrashBackoffMsMax,
        limits.scriptCrashBackoffMs * 2 ** term.crashes,
      )
      term.crashes += 1
      term.suspendedUntilMs = elapsedMs() + restMs
      // The rest counts only from its end, or a long one would be forgotten at once.
      term.untilMs += restMs
    },
    has: (solutionId) => terms.size > 0 && termOf(solutionId) !== undefined,
    isSuspended(solutionId) {
      if (terms.size === 0) return false
      const term = termOf(solutionId)
      return term !== undefined && elapsedMs() < term.suspendedUntilMs
    },
    averageCpuMs: (solutionId) => uses.get(solutionId)?.averageMs ?? 0,
  }
}

function lengthOf(before: QuarantineTerm | undefined, nowMs: number): number {
  if (before === undefined) return limits.scriptQuarantineMs
  if (nowMs < before.untilMs) return before.lengthMs
  return Math.min(limits.scriptQuarantineMsMax, 2 * before.lengthMs)
}

function leftOf({ usedMs, atMs }: CpuUse, nowMs: number): number {
  return Math.max(0, usedMs - ((nowMs - atMs) * limits.scriptSharePercent) / percent)
}
