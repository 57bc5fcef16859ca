import { limits } from '../../kernel/index.ts'

/** When the deliveries of solutions are tried again that could not begin. */
export type Backoffs = {
  /** Twice as far away as the last time; the same for all that could not begin meanwhile. */
  dueAtUs(solutionId: string, nowUs: number): number
  /** One of the solution's began. */
  reset(solutionId: string): void
}

const usPerMs = 1_000

/** In memory: why a call cannot begin is of this process, and so is for how long. */
export function createBackoffs(): Backoffs {
  const pauses = new Map<string, { readonly ms: number; readonly untilUs: number }>()
  return {
    dueAtUs(solutionId, nowUs) {
      const known = pauses.get(solutionId)
      if (known !== undefined && nowUs < known.untilUs) return known.untilUs
      const longer = known === undefined ? limits.deliveryAgainMs : known.ms * 2
      const ms = Math.min(limits.deliveryAgainMsMax, longer)
      const untilUs = nowUs + ms * usPerMs
      if (pauses.size >= limits.scriptMachinesMax) pauses.clear()
      pauses.set(solutionId, { ms, untilUs })
      return untilUs
    },
    reset: (solutionId) => pauses.delete(solutionId),
  }
}
