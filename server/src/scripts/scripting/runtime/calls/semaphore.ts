import { scriptingLimits } from '../../limits.ts'

/** Limits the concurrent calls of each solution; more calls wait in a bounded queue. */
export type CallSemaphore<Call extends SemaphoreCall> = {
  /** Returns whether to `run` the call now, to `wait`, or that the queue is `full`. */
  acquire(call: Call): 'run' | 'wait' | 'full'
  /** Takes back the slot of a call that ran. @returns the call that has the slot now. */
  release(call: Call): Call | undefined
  /** Removes a call that waits. */
  cancel(call: Call): void
}

/** `concurrencyMax`: the calls of its solution, at its depth, that may run at once. */
type SemaphoreCall = {
  readonly solutionId: string
  readonly depth: number
  readonly concurrencyMax: number
}

type Slots<Call> = { running: number; waiting: Call[] }

/**
 * Each depth of interface calls has its own slots: a call that waits for a deeper one of the same
 * solution must not hold the slot that the deeper one needs.
 */
export function createSemaphore<Call extends SemaphoreCall>(): CallSemaphore<Call> {
  const slotsOf = new Map<string, Slots<Call>>()
  const callKey = (call: Call) => `${call.solutionId}/${call.depth}`

  return {
    acquire(call) {
      const key = callKey(call)
      const slots = slotsOf.get(key)
      if (slots === undefined) {
        slotsOf.set(key, { running: 1, waiting: [] })
        return 'run'
      }
      if (slots.running < call.concurrencyMax) {
        slots.running += 1
        return 'run'
      }
      if (slots.waiting.length >= scriptingLimits.scriptQueuedMax) return 'full'
      slots.waiting.push(call)
      return 'wait'
    },
    release(call) {
      const key = callKey(call)
      const slots = slotsOf.get(key)
      const following = slots?.waiting.shift()
      if (slots !== undefined && following === undefined) {
        slots.running -= 1
        if (slots.running === 0) slotsOf.delete(key)
      }
      return following
    },
    cancel(call) {
      const slots = slotsOf.get(callKey(call))
      const at = slots?.waiting.indexOf(call) ?? -1
      if (at >= 0) slots?.waiting.splice(at, 1)
    },
  }
}
