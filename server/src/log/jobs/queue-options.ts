import type { Database, Statement, Transaction } from '../../foundation/database/index.ts'
import type { Clock, Logger, Random } from '../../foundation/kernel/index.ts'
import type { Changes } from '../changes/index.ts'
import type { EventLog } from '../eventlog/index.ts'
import type { EndedJob, Job, JobFailure, JobOutcome, JobRetry } from './job.ts'

/** Turns a queue's inputs into the texts that are stored, and back. */
export type InputCodec<Input> = {
  encode(input: Input): string
  decode(text: string): Input
}

/**
 * The outcome of the first `count` jobs as one: if it is `done`, or has an `input` for all of them,
 * the jobs behind the first are done. Otherwise they were not begun.
 */
export type RunTogether<Result, Input> = {
  readonly count: number
  readonly outcome: JobOutcome<Result, Input>
}

/** A kind of durable work. */
export type QueueOptions<Input, Result = undefined> = {
  /** Stored with each job: it may never change. */
  readonly name: string
  /** The stage in which the ledger counts it; left out: the name. */
  readonly stage?: string
  /**
   * Runs a job. An error that it throws is a `retry` at step `run`.
   * @param signal is aborted when the process closes; a job that it ends must be `released`.
   */
  run(job: Job<Input>, signal: AbortSignal): Promise<JobOutcome<Result, Input>>
  /**
   * Runs jobs of one key that wait one behind the other: the first, or several of them as one.
   * Left out: each runs by itself.
   */
  runTogether?(
    jobs: readonly Job<Input>[],
    signal: AbortSignal,
  ): Promise<RunTogether<Result, Input>>
  /**
   * Writes the effects of outcomes, once a batch, in the transaction that settles the jobs that
   * this process still leases. An error fails the jobs, each by itself, at step `settle`.
   * @returns statements that only count, which are run last.
   */
  settled?(
    transaction: Transaction,
    ended: readonly EndedJob<Input, Result>[],
  ): Promise<readonly Statement[] | undefined>
  /** Backoff of a `retry` without a time; left out: it is dead. */
  readonly retry?: JobRetry
  /** Jobs of all tenants that this process has claimed; left out: as many as tenants may have. */
  readonly claimedMax?: number
  /** Jobs of one tenant that run at once in a process, and that it claims at once. */
  readonly tenantRunsMax: number
  readonly tenantClaimMax: number
  /** The most waiting jobs of one tenant; further ones are dead, by `overflow`. */
  readonly waitingMax: number
  readonly overflow: JobFailure
  /** Dead jobs: how many a tenant keeps, and for how long. */
  readonly deadMax: number
  readonly deadHours: number
  /** Left out: JSON. */
  readonly codec?: InputCodec<Input>
}

/** The dependencies of the jobs module. */
export type JobsOptions = {
  readonly database: Database
  readonly eventlog: Pick<EventLog, 'countStatement' | 'partitionFor' | 'ledger'>
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  /** Publishes that jobs have died, and that somebody has dealt with dead ones. */
  readonly changes: Pick<Changes, 'publish'>
}

/** The options of a queue's parts. */
export type JobQueueOptions<Input, Result> = JobsOptions & {
  readonly queue: QueueOptions<Input, Result>
  readonly stage: string
  readonly codec: InputCodec<Input>
  /** The owner of this process's leases. */
  readonly owner: string
}
