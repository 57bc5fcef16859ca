import { scriptingLimits } from '../../limits.ts'

/**
 * The time for which a solution that crashed a worker thread is refused; the time doubles with each
 * further crash.
 */
const scriptCrashBackoffMs = 1_000
/** The longest such time. */
const scriptCrashBackoffMsMax = 60_000

type QuarantineTerm = {
  untilMs: number
  /** Length of the term; the next one is twice as long if it begins within that time. */
  lengthMs: number
  crashes: number
  suspendedUntilMs: number
}

/** `usedMs`: CPU used, less the solution's share of the time that has passed. */
type CpuUse = { usedMs: number; atMs: number; averageMs: number }

const percent = 100
/** Each step counts for an eighth of the average. */
const newest = 0.125

/**
 * The CPU of solutions, those in quarantine, and suspensions after crashes. A solution that spins
 * takes its worker from the others that have it. So it moves into the workers for such solutions,
 * for a term that begins anew each time; one that even crashed a worker is suspended before its
 * next call, twice as long each time. Nothing of it is kept over a restart: a solution that spins
 * is found again within `scriptingLimits.scriptQuarantineCpuMs`.
 */
export class Quarantine {
  readonly #elapsedMs: () => number
  readonly #terms = new Map<string, QuarantineTerm>()
  /** In the order of their last steps. */
  readonly #uses = new Map<string, CpuUse>()

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs
  }

  /** A step of one of its calls has held a thread for so long. @returns whether it has spun. */
  recordCpu(solutionId: string, cpuMs: number): boolean {
    const nowMs = this.#elapsedMs()
    const use = this.#useFor(solutionId, nowMs)
    use.usedMs = leftMs(use, nowMs) + cpuMs
    use.atMs = nowMs
    use.averageMs += (cpuMs - use.averageMs) * newest
    const hasSpun =
      cpuMs >= scriptingLimits.scriptQuarantineCpuMs || use.usedMs >= scriptingLimits.scriptBurstMs
    if (hasSpun) this.extend(solutionId)
    return hasSpun
  }

  /** Starts or extends the quarantine of a solution that blocks a thread. */
  extend(solutionId: string): void {
    this.#extend(solutionId)
  }

  /** Suspends a solution that crashed its worker. */
  recordCrash(solutionId: string): void {
    const term = this.#extend(solutionId)
    const suspendedMs = Math.min(scriptCrashBackoffMsMax, scriptCrashBackoffMs * 2 ** term.crashes)
    term.crashes += 1
    term.suspendedUntilMs = this.#elapsedMs() + suspendedMs
    // The term continues after the suspension, or a long one would be removed at once.
    term.untilMs += suspendedMs
  }

  has(solutionId: string): boolean {
    return this.#terms.size > 0 && this.#findTerm(solutionId) !== undefined
  }

  isSuspended(solutionId: string): boolean {
    if (this.#terms.size === 0) return false
    const term = this.#findTerm(solutionId)
    return term !== undefined && this.#elapsedMs() < term.suspendedUntilMs
  }

  /** Returns the moving average of the CPU of one step of its calls, in milliseconds. */
  averageCpuMs(solutionId: string): number {
    return this.#uses.get(solutionId)?.averageMs ?? 0
  }

  #findTerm(solutionId: string): QuarantineTerm | undefined {
    const term = this.#terms.get(solutionId)
    return term === undefined || this.#elapsedMs() >= term.untilMs ? undefined : term
  }

  #extend(solutionId: string): QuarantineTerm {
    const nowMs = this.#elapsedMs()
    for (const [id, { untilMs, lengthMs }] of this.#terms) {
      if (nowMs >= untilMs + lengthMs) this.#terms.delete(id)
    }
    const before = this.#terms.get(solutionId)
    const lengthMs = nextLengthMs(before, nowMs)
    const { crashes = 0, suspendedUntilMs = 0 } = before ?? {}
    const term = { crashes, suspendedUntilMs, lengthMs, untilMs: nowMs + lengthMs }
    this.#terms.set(solutionId, term)
    return term
  }

  #useFor(solutionId: string, nowMs: number): CpuUse {
    const use = this.#uses.get(solutionId) ?? { usedMs: 0, atMs: nowMs, averageMs: 0 }
    this.#uses.delete(solutionId)
    if (this.#uses.size >= scriptingLimits.scriptMachinesMax) this.#forgetIdle(nowMs)
    this.#uses.set(solutionId, use)
    return use
  }

  /** Forgets the solution whose last step is longest ago, of those that have used no more CPU. */
  #forgetIdle(nowMs: number): void {
    for (const [solutionId, use] of this.#uses) {
      if (leftMs(use, nowMs) > 0) continue
      this.#uses.delete(solutionId)
      return
    }
  }
}

function nextLengthMs(before: QuarantineTerm | undefined, nowMs: number): number {
  if (before === undefined) return scriptingLimits.scriptQuarantineMs
  if (nowMs < before.untilMs) return before.lengthMs
  return Math.min(scriptingLimits.scriptQuarantineMsMax, 2 * before.lengthMs)
}

function leftMs({ usedMs, atMs }: CpuUse, nowMs: number): number {
  return Math.max(0, usedMs - ((nowMs - atMs) * scriptingLimits.scriptSharePercent) / percent)
}
