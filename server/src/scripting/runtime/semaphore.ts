import { limits } from '../../kernel/index.ts'

/** How many calls of one solution run, and those that wait for one to end. */
export type Semaphore<Call extends Queued> = {
  /** `run` it now, `wait`, or there is no room. */
  take(call: Call): 'run' | 'wait' | 'full'
  /** A call that ran has ended. @returns the one whose turn it is now. */
  next(call: Call): Call | undefined
  /** A call that waits has ended. */
  leave(call: Call): void
}

/** `turnsMax`: how many calls of its solution may run at once. */
type Queued = { readonly solutionId: string; readonly depth: number; readonly turnsMax: number }

type Turn<Call> = { running: number; waiting: Call[] }

/**
 * Each depth of interface calls has its own turns: a call that waits for a deeper one of the same
 * solution must not hold the place that the deeper one needs.
 */
export function createSemaphore<Call extends Queued>(): Semaphore<Call> {
  const turns = new Map<string, Turn<Call>>()
  const keyOf = (call: Call) => `${call.solutionId}/${call.depth}`

  return {
    take(call) {
      const key = keyOf(call)
      const turn = turns.get(key)
      if (turn === undefined) {
        turns.set(key, { running: 1, waiting: [] })
        return 'run'
      }
      if (turn.running < call.turnsMax) {
        turn.running += 1
        return 'run'
      }
      if (turn.waiting.length >= limits.scriptQueuedMax) return 'full'
      turn.waiting.push(call)
      return 'wait'
    },
    next(call) {
      const key = keyOf(call)
      const turn = turns.get(key)
      const following = turn?.waiting.shift()
      if (turn !== undefined && following === undefined) {
        turn.running -= 1
        if (turn.running === 0) turns.delete(key)
      }
      return following
    },
    leave(call) {
      const turn = turns.get(keyOf(call))
      const at = turn?.waiting.indexOf(call) ?? -1
      if (at >= 0) turn?.waiting.splice(at, 1)
    },
  }
}
