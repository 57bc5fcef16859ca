export type { DeadJobsQuery, DeadLetters } from './dead-letters.ts'
export type {
  DeadJob,
  DeadJobKey,
  DeadJobPage,
  EndedJob,
  Job,
  JobFailure,
  JobKey,
  JobOutcome,
  JobRef,
  JobRetry,
  NewJob,
  PendingKey,
} from './job.ts'
export { Jobs } from './jobs.ts'
export type { JobQueue } from './queue.ts'
export type { InputCodec, JobsOptions, QueueOptions, RunTogether } from './queue-options.ts'
export { deadDependants } from './store/dead-jobs.ts'
export type { JobCount } from './store/enqueue.ts'
