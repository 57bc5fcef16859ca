import type { RetryPolicy } from '../registry/script.ts'
import type { HostEnd } from '../runtime/host.ts'
import type { Outcome } from './delivery.ts'

const usPerSecond = 1_000_000

/** Tells if nothing of the call ran because of a limit that passes. */
export function isTransient(end: HostEnd): boolean {
  return end.kind === 'stopped' && !end.started && transientLimits.has(end.limit)
}

/**
 * Returns the outcome of a delivery. One that never started is retried without a limit: its script
 * did nothing. One that failed is retried only if its script has a retry policy, since scripts may
 * do a part of their work before they fail.
 */
export function outcomeOf(
  end: HostEnd,
  retry: RetryPolicy | undefined,
  { tries, nowUs, againAtUs }: AttemptContext,
): Outcome {
  if (end.kind === 'returned') return { kind: 'done' }
  const { error } = end
  if (isTransient(end)) return { kind: 'later', dueAtUs: againAtUs(), error, began: false }
  if (retry === undefined || tries >= retry.retries) return { kind: 'dead', error }
  return { kind: 'later', dueAtUs: nowUs + retry.seconds * usPerSecond, error, began: true }
}

export type AttemptContext = {
  /** Number of earlier attempts. */
  readonly tries: number
  readonly nowUs: number
  /** Due time of a delivery that could not start. */
  readonly againAtUs: () => number
}

/** Limits that depend on load, not on the call. */
const transientLimits: ReadonlySet<string> = new Set(['queue', 'worker', 'time'])
