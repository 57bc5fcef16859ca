import type { JobFailure, JobOutcome, JobRetry } from './job.ts'

/** Characters of the step and of the reason that are stored with a job that failed, each. */
const jobReasonCharsMax = 1_000

const usPerMs = 1_000

/** The outcome of an attempt, where a `retry` has its time, `atUs`. */
export type ResolvedOutcome<Result, Input = never> =
  | Exclude<JobOutcome<Result, Input>, { readonly kind: 'retry' }>
  | {
      readonly kind: 'retry'
      readonly failure: JobFailure
      readonly atUs: number
      readonly result?: Result | undefined
      readonly input?: Input | undefined
    }

/** Applies a queue's retry policy to the outcome of an attempt. */
export function resolveOutcome<Result, Input = never>(
  outcome: JobOutcome<Result, Input>,
  retry: JobRetry | undefined,
  { attempts, nowUs }: { readonly attempts: number; readonly nowUs: number },
): ResolvedOutcome<Result, Input> {
  if (outcome.kind !== 'retry') return outcome
  const { failure, result, input } = outcome
  const isLast = retry === undefined ? outcome.atUs === undefined : attempts >= retry.attemptsMax
  if (isLast) return { kind: 'dead', failure, result, input }
  const atUs = outcome.atUs ?? nowUs + backoffMs(retry, attempts) * usPerMs
  return { kind: 'retry', failure, atUs, result, input }
}

function backoffMs(retry: JobRetry | undefined, attempts: number): number {
  if (retry === undefined) return 0
  return Math.min(retry.maxMs, retry.firstMs * 2 ** (attempts - 1))
}

/** Cuts a failure's texts to what is stored; PostgreSQL takes no NUL in a text. */
export function boundedFailure({ step, reason, detail }: JobFailure): JobFailure {
  const bounded = (text: string) => text.replaceAll('\0', '').slice(0, jobReasonCharsMax)
  return { step: bounded(step), reason: bounded(reason), detail }
}
