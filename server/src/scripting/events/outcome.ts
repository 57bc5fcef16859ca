import type { RetryPolicy } from '../registry/script.ts'
import type { HostEnd } from '../runtime/host.ts'
import type { Outcome } from './delivery.ts'

const usPerSecond = 1_000_000

/** Whether nothing of the call ran, and another time it may. */
export function isTransient(end: HostEnd): boolean {
  return end.kind === 'stopped' && !end.started && transientLimits.has(end.limit)
}

/**
 * What becomes of a delivery. One that was never begun is tried again for as long as it takes: its
 * script did nothing. One that failed is tried again only where its script says so, since scripts
 * may do a part of their work before they fail.
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
  /** How often it was begun before. */
  readonly tries: number
  readonly nowUs: number
  /** When one of its solution that could not begin is to be tried again. */
  readonly againAtUs: () => number
}

/** Limits that say something of the moment, and nothing of the call. */
const transientLimits: ReadonlySet<string> = new Set(['queue', 'worker', 'time'])
