import { databaseClock, type Queryable, textArray } from '../../../foundation/database/index.ts'
import { presentUntil } from '../../../foundation/kernel/index.ts'

/** A lease of a process, in microseconds. */
export type JobLease = { readonly owner: string; readonly forUs: number }

/** Extends the leases that a process has in a queue, but of jobs that are being settled. */
export async function renewLeases(
  queryable: Queryable,
  queue: string,
  { owner, forUs }: JobLease,
): Promise<void> {
  await queryable.run(
    `with leased as materialized (
       select tenant, id from jobs_job
       where queue = $1 and state = 'running' and owner = $2 for no key update skip locked)
     update jobs_job j set leased_until = ${databaseClock} + $3::bigint
     from leased l where j.queue = $1 and j.tenant = l.tenant and j.id = l.id`,
    [queue, owner, forUs],
  )
}

/**
 * Lets jobs wait again whose leases have run out, or last longer than any lease: by a clock of the
 * database that was set back. @returns whether there were some.
 */
export async function releaseExpired(
  queryable: Queryable,
  queue: string,
  forUs: number,
): Promise<boolean> {
  const count = await queryable.run(
    `update jobs_job set state = 'waiting', owner = null, leased_until = 0
     where queue = $1 and state = 'running'
       and (leased_until <= ${databaseClock} or leased_until > ${databaseClock} + $2::bigint)`,
    [queue, presentUntil(forUs)],
  )
  return count > 0
}

/** Releases all leases of a process; to be called at its end. */
export async function releaseLeases(
  queryable: Queryable,
  queues: readonly string[],
  owner: string,
): Promise<void> {
  await queryable.run(
    `update jobs_job set state = 'waiting', owner = null, leased_until = 0
     where queue = any($1::text[]) and state = 'running' and owner = $2`,
    [textArray(queues), owner],
  )
}

/** Releases the leases of all other processes; only if none of them runs. */
export async function releaseOtherLeases(queryable: Queryable, owner: string): Promise<void> {
  await queryable.run(
    `update jobs_job set state = 'waiting', owner = null, leased_until = 0
     where state = 'running' and owner <> $1`,
    [owner],
  )
}

/**
 * Lets jobs that a clock ahead of time has stamped keep their delay from now on; else they would
 * wait until that time. They are among those that are due last. @returns whether there were some.
 */
export async function rescheduleFuture(
  queryable: Queryable,
  queue: string,
  nowUs: number,
  count: number,
): Promise<boolean> {
  const rows = await queryable.rows<{ tenant: string; id: string }>(
    `select tenant, id from (
       select tenant, id, updated_at from jobs_job
       where queue = $1 and state = 'waiting' and due_at > $2::bigint
       order by due_at desc limit $3::integer) as last
     where updated_at > $2::bigint`,
    [queue, presentUntil(nowUs), count],
  )
  if (rows.length === 0) return false
  await queryable.run(
    `update jobs_job j
     set due_at = $4::bigint + greatest(0, j.due_at - j.updated_at), updated_at = $4::bigint
     from unnest($2::text[], $3::text[]) as s (tenant, id)
     where j.queue = $1 and j.tenant = s.tenant and j.id = s.id and j.state = 'waiting'
       and j.updated_at > $5::bigint`,
    [
      queue,
      textArray(rows.map(({ tenant }) => tenant)),
      textArray(rows.map(({ id }) => id)),
      nowUs,
      presentUntil(nowUs),
    ],
  )
  return true
}
