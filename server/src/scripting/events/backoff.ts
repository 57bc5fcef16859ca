import { limits } from '../../kernel/index.ts'

/** Exponential backoff of solutions whose deliveries could not start. */
export type Backoffs = {
  /** Doubles the delay each time; the same time for all that fail to start meanwhile. */
  dueAtUs(solutionId: string, nowUs: number): number
  /** A delivery of the solution started. */
  reset(solutionId: string): void
}

const usPerMs = 1_000

/** In memory: the cause lies in this process. */
export function createBackoffs(): Backoffs {
  const delays = new Map<string, { readonly ms: number; readonly untilUs: number }>()
  return {
    dueAtUs(solutionId, nowUs) {
      const known = delays.get(solutionId)
      if (known !== undefined && nowUs < known.untilUs) return known.untilUs
      const longer = known === undefined ? limits.deliveryAgainMs : known.ms * 2
      const ms = Math.min(limits.deliveryAgainMsMax, longer)
      const untilUs = nowUs + ms * usPerMs
      if (delays.size >= limits.scriptMachinesMax) delays.clear()
      delays.set(solutionId, { ms, untilUs })
      return untilUs
    },
    reset: (solutionId) => delays.delete(solutionId),
  }
}
