import { type Transaction, textArray } from '../../database/index.ts'
import type { JobRef } from '../job.ts'
import type { JobState } from './enqueue.ts'

/** Deletes jobs in these states. @returns those that there were, with their parts. */
export function deletePending(
  transaction: Transaction,
  queue: string,
  refs: readonly JobRef[],
  states: readonly JobState[],
): Promise<(JobRef & { readonly part: number })[]> {
  return transaction.rows(
    `delete from jobs_job j using unnest($2::text[], $3::text[]) as c (tenant, id)
     where j.queue = $1 and j.tenant = c.tenant and j.id = c.id
       and j.state = any($4::text[])
     returning j.tenant, j.id, j.part`,
    [queue, ...keysOf(refs), textArray(states)],
  )
}

/** Sets when jobs that wait are due. @returns those that there were. */
export function setDue(
  transaction: Transaction,
  queue: string,
  refs: readonly JobRef[],
  { dueAtUs, nowUs }: { readonly dueAtUs: number; readonly nowUs: number },
): Promise<JobRef[]> {
  return transaction.rows(
    `update jobs_job j set due_at = $4::bigint, updated_at = $5::bigint
     from unnest($2::text[], $3::text[]) as c (tenant, id)
     where j.queue = $1 and j.tenant = c.tenant and j.id = c.id and j.state = 'waiting'
     returning j.tenant, j.id`,
    [queue, ...keysOf(refs), dueAtUs, nowUs],
  )
}

/** The tenants and the ids of jobs, as two columns. */
export function keysOf(refs: readonly JobRef[]): [Buffer, Buffer] {
  return [textArray(refs.map(({ tenant }) => tenant)), textArray(refs.map(({ id }) => id))]
}
