import { limits } from '../../../kernel/index.ts'

/** Limits the concurrent calls of a solution; more calls wait in a bounded queue. */
export type Semaphore<Call extends SemaphoreCall> = {
  /** `run` it now, `wait`, or there is no room. */
  acquire(call: Call): 'run' | 'wait' | 'full'
  /** A call that ran has ended. @returns the one whose turn it is now. */
  release(call: Call): Call | undefined
  /** A call that waits has ended. */
  cancel(call: Call): void
}

/** `turnsMax`: how many calls of its solution may run at once. */
type SemaphoreCall = {
  readonly solutionId: string
  readonly depth: number
  readonly concurrencyMax: number
}

type Slots<Call> = { running: number; waiting: Call[] }

/**
 * Each depth of interface calls has its own turns: a call that waits for a deeper one of the same
 * solution must not hold the place that the deeper one needs.
 */
export function createSemaphore<Call extends SemaphoreCall>(): Semaphore<Call> {
  const turns = new Map<string, Slots<Call>>()
  const keyOf = (call: Call) => `${call.solutionId}/${call.depth}`

  return {
    acquire(call) {
      const key = keyOf(call)
      const slots = turns.get(key)
      if (slots === undefined) {
        turns.set(key, { running: 1, waiting: [] })
        return 'run'
      }
      if (slots.running < call.concurrencyMax) {
        slots.running += 1
        return 'run'
      }
      if (slots.waiting.length >= limits.scriptQueuedMax) return 'full'
      slots.waiting.push(call)
      return 'wait'
    },
    release(call) {
      const key = keyOf(call)
      const turn = turns.get(key)
      const following = turn?.waiting.shift()
      if (turn !== undefined && following === undefined) {
        turn.running -= 1
        if (turn.running === 0) turns.delete(key)
      }
      return following
    },
    cancel(call) {
      const turn = turns.get(keyOf(call))
      const at = turn?.waiting.indexOf(call) ?? -1
      if (at >= 0) turn?.waiting.splice(at, 1)
    },
  }
}
