import type { FailureKey, Json } from '../../foundation/kernel/index.ts'

/** Why an attempt failed. */
export type JobFailure = {
  /** The stage of the work at which it failed, as one word of the queue's own. */
  readonly step: string
  /** A sentence for the operator. */
  readonly reason: string
  /** The error as the queue's module shows it. */
  readonly detail?: Json | undefined
}

/**
 * The outcome of an attempt, and who acts next.
 * - `done`: the job is deleted and counted.
 * - `retry`: an attempt that failed. The job waits until `atUs`, or as its queue's policy says, and
 *   all of its key wait with it; past the most attempts it is dead.
 * - `snooze`: it could not begin, for a cause that passes. It waits until `untilUs`; that was no
 *   attempt.
 * - `dead`: a dead letter, which a person corrects, retries or discards.
 * - `cancelled`: there is no reason for it any more. It is deleted, and counts as failed.
 * - `released`: it was not begun, and is due as before.
 */
export type JobOutcome<Result = undefined, Input = never> =
  | { readonly kind: 'done'; readonly result?: Result | undefined }
  | {
      readonly kind: 'retry'
      readonly failure: JobFailure
      readonly atUs?: number | undefined
      readonly result?: Result | undefined
      /** The input of the next attempt; left out: the same. */
      readonly input?: Input | undefined
    }
  | { readonly kind: 'snooze'; readonly untilUs: number; readonly failure?: JobFailure | undefined }
  | {
      readonly kind: 'dead'
      readonly failure: JobFailure
      readonly result?: Result | undefined
      /** The input of the dead letter in place of the job's; left out: the same. */
      readonly input?: Input | undefined
    }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'released' }

/** The key of a job within its queue. */
export type JobRef = { readonly tenant: string; readonly id: string }

/** Jobs that run one after the other. */
export type JobKey = { readonly tenant: string; readonly key: string }

/** A key with jobs that wait or run. */
export type PendingKey = JobKey & {
  /** True if one of them is due later, or runs for long already. */
  readonly isLong: boolean
}

/** A job as its handler gets it. */
export type Job<Input> = JobRef & {
  readonly businessId: string
  /** The partition in which the ledger counts it. */
  readonly part: number
  readonly key: string | null
  readonly input: Input
  /** Number of earlier attempts. */
  readonly attempts: number
  readonly dueAtUs: number
  readonly createdAtUs: number
}

/** A job to be stored. */
export type NewJob<Input> = {
  readonly businessId: string
  /** Shares the queue fairly with the others. */
  readonly tenant: string
  readonly input: Input
  /** Left out: a new one. */
  readonly id?: string | undefined
  /** Jobs of one tenant and key run one after the other; left out: in any order. */
  readonly key?: string | null | undefined
  /** The part in which the ledger counts it; left out: the part of its tenant. */
  readonly part?: number | undefined
  /** Left out: at once. */
  readonly dueAtUs?: number | undefined
  /**
   * `running`: the caller runs it itself, from the commit on, and settles it. Else the outcome of a
   * first attempt that the caller has made: one that is done is only counted.
   */
  readonly first?: { readonly kind: 'running' } | JobOutcome<unknown> | undefined
}

/** A job with its outcome, as `QueueOptions.settled` gets it. */
export type EndedJob<Input, Result> = {
  readonly job: Job<Input>
  readonly outcome: JobOutcome<Result, Input>
}

/** A job that failed for good. */
export type DeadJob<Input> = JobRef & {
  readonly businessId: string
  readonly key: string | null
  readonly input: Input
  readonly failure: JobFailure
  readonly attempts: number
  readonly createdAtUs: number
  readonly failedAtUs: number
}

/** The cursor of a list of dead jobs. */
export type DeadJobKey = FailureKey

export type DeadJobPage<Input> = {
  /** Newest first. */
  readonly jobs: readonly DeadJob<Input>[]
  /** Undefined: there are no more. */
  readonly before: DeadJobKey | undefined
}

/** Exponential backoff of a queue's attempts. */
export type JobRetry = {
  /** Attempts in all; the last one that fails makes a dead letter. */
  readonly attemptsMax: number
  /** The pause after the first attempt; it doubles after each further one, up to the most. */
  readonly firstMs: number
  readonly maxMs: number
}
