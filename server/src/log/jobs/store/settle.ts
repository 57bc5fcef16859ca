import { int8Array, type Transaction, textArray } from '../../../foundation/database/index.ts'
import type { JobFailure, JobRef } from '../job.ts'
import { encodeDetail } from './enqueue.ts'

/** Deletes jobs. @returns those that the owner had leased. */
export function deleteEnded(
  transaction: Transaction,
  queue: string,
  owner: string,
  ended: readonly JobRef[],
): Promise<JobRef[]> {
  return transaction.rows(
    `delete from jobs_job j using unnest($3::text[], $4::text[]) as s (tenant, id)
     where j.queue = $1 and j.tenant = s.tenant and j.id = s.id
       and j.state = 'running' and j.owner = $2
     returning j.tenant, j.id`,
    [queue, owner, ...toKeyArrays(ended)],
  )
}

export type FailedJob = JobRef & {
  readonly failure: JobFailure
  /** The text of its new input; left out: it keeps its own. */
  readonly input?: string | undefined
}

/** Makes dead letters of jobs. @returns those that the owner had leased. */
export function deadLetter(
  transaction: Transaction,
  queue: string,
  owner: string,
  dead: readonly FailedJob[],
  nowUs: number,
): Promise<JobRef[]> {
  return transaction.rows(
    `update jobs_job j
     set state = 'dead', owner = null, leased_until = 0, step = s.step, reason = s.reason,
       detail = s.detail, updated_at = $8::bigint, input = coalesce(s.input, j.input)
     from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $9::text[])
       as s (tenant, id, step, reason, detail, input)
     where j.queue = $1 and j.tenant = s.tenant and j.id = s.id
       and j.state = 'running' and j.owner = $2
     returning j.tenant, j.id`,
    [
      queue,
      owner,
      ...toKeyArrays(dead),
      textArray(dead.map(({ failure }) => failure.step)),
      textArray(dead.map(({ failure }) => failure.reason)),
      textArray(dead.map(({ failure }) => encodeDetail(failure))),
      nowUs,
      textArray(dead.map(({ input }) => input ?? null)),
    ],
  )
}

/** A job that waits again. */
export type RequeuedJob = JobRef & {
  readonly dueAtUs: number
  readonly failure: JobFailure | undefined
  readonly isAttempt: boolean
  /** The text of its new input; left out: it keeps its own. */
  readonly input?: string | undefined
}

/**
 * Lets jobs wait again; those without a key behind all that wait, so that one which fails again and
 * again is not claimed before the others. @returns those that the owner had leased.
 */
export function requeue(
  transaction: Transaction,
  queue: string,
  owner: string,
  jobs: readonly RequeuedJob[],
  nowUs: number,
): Promise<JobRef[]> {
  return transaction.rows(
    `update jobs_job j
     set state = 'waiting', owner = null, leased_until = 0, due_at = greatest(j.due_at, s.due_at),
       attempts = j.attempts - s.not_begun::integer, step = coalesce(s.step, j.step),
       reason = case when s.step is null then j.reason else s.reason end,
       detail = case when s.step is null then j.detail else s.detail end,
       updated_at = $10::bigint, input = coalesce(s.input, j.input),
       number = case when j.key is null and s.due_at > 0
                     then nextval('jobs_job_number_seq') else j.number end
     from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[],
       $9::bigint[], $11::text[])
       as s (tenant, id, step, reason, detail, due_at, not_begun, input)
     where j.queue = $1 and j.tenant = s.tenant and j.id = s.id
       and j.state = 'running' and j.owner = $2
     returning j.tenant, j.id`,
    [
      queue,
      owner,
      ...toKeyArrays(jobs),
      textArray(jobs.map(({ failure }) => failure?.step ?? null)),
      textArray(jobs.map(({ failure }) => failure?.reason ?? null)),
      textArray(jobs.map(({ failure }) => encodeDetail(failure))),
      int8Array(jobs.map(({ dueAtUs }) => dueAtUs)),
      int8Array(jobs.map(({ isAttempt }) => (isAttempt ? 0 : 1))),
      nowUs,
      textArray(jobs.map(({ input }) => input ?? null)),
    ],
  )
}

/** The tenants and the ids of jobs, as two columns. */
function toKeyArrays(refs: readonly JobRef[]): [Buffer, Buffer] {
  return [textArray(refs.map(({ tenant }) => tenant)), textArray(refs.map(({ id }) => id))]
}
