import type { JobFailure, JobOutcome } from '../../jobs/index.ts'
import type { RetryPolicy } from '../registry/script.ts'
import type { HostEnd } from '../runtime/host.ts'
import type { ScriptError } from '../runtime/value.ts'

const usPerSecond = 1_000_000

/** Returns true if nothing of the call ran because of a limit that passes. */
export function isTransient(end: HostEnd): boolean {
  return end.kind === 'stopped' && !end.started && transientLimits.has(end.limit)
}

/** A script that was cut off by the stop of the platform is to run again, as after a power cut. */
export function endedByClosing(end: HostEnd): boolean {
  return end.kind === 'stopped' && end.limit === 'worker'
}

/**
 * Returns the outcome of a delivery. One that never started is retried without a limit: its script
 * did nothing. One that failed is retried only if its script has a retry policy, since scripts may
 * do a part of their work before they fail.
 */
export function outcomeOf(
  end: HostEnd,
  retry: RetryPolicy | undefined,
  { attempts, nowUs, againAtUs }: AttemptContext,
): JobOutcome {
  if (end.kind === 'returned') return { kind: 'done' }
  const failure = failureOf(isTransient(end) ? 'start' : 'handler', end.error)
  if (failure.step === 'start') return { kind: 'snooze', untilUs: againAtUs(), failure }
  if (retry === undefined || attempts >= retry.retries) return { kind: 'dead', failure }
  return { kind: 'retry', failure, atUs: nowUs + retry.seconds * usPerSecond }
}

export type AttemptContext = {
  /** Number of earlier attempts. */
  readonly attempts: number
  readonly nowUs: number
  /** Due time of a delivery that could not start. */
  readonly againAtUs: () => number
}

/** An error of a script, as its job stores it. */
export function failureOf(step: string, { type, error, status }: ScriptError): JobFailure {
  return { step, reason: error, detail: { type, error, status } }
}

/** Limits that depend on load, not on the call. */
const transientLimits: ReadonlySet<string> = new Set(['queue', 'quota', 'worker', 'time'])
