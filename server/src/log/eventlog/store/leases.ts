import { databaseClock, int8Array, type Queryable } from '../../../foundation/database/index.ts'
import { presentUntil } from '../../../foundation/kernel/index.ts'

/** A process and how long its leases last, in microseconds. */
export type Lessee = { readonly owner: string; readonly forUs: number }

const now = databaseClock

/** A partition as a process sees it. */
export type LeaseRow = {
  readonly part: number
  /** The epoch of the lease of this process, which was renewed; null if it has none. */
  readonly epoch: number | null
  /** True if no process has it. */
  readonly free: boolean
  /** The number of processes that read the log, this one included. */
  readonly workers: number
}

/** Renews the leases of a process and its place among the others: one statement for all of it. */
export function renewLeases(queryable: Queryable, { owner, forUs }: Lessee): Promise<LeaseRow[]> {
  return queryable.rows<LeaseRow>(
    `with seen as (
       insert into eventlog_worker (id, seen_until) values ($1, ${now} + $2::bigint)
       on conflict (id) do update set seen_until = excluded.seen_until
     ), renewed as (
       update eventlog_lease set leased_until = ${now} + $2::bigint
       where owner = $1 and leased_until >= ${now}
       returning part, epoch
     )
     select p.part, r.epoch,
       coalesce(l.leased_until < ${now} or l.leased_until > ${now} + $3::bigint, true) as free,
       (select count(*) from eventlog_worker
        where id <> $1 and seen_until between ${now} and ${now} + $3::bigint) + 1 as workers
     from eventlog_partition p
       left join eventlog_lease l on l.part = p.part
       left join renewed r on r.part = p.part
     order by p.part`,
    [owner, forUs, presentUntil(forUs)],
  )
}

/**
 * Takes partitions that no process has. A lease that lasts longer than leases do was written by a
 * clock that ran ahead.
 * @returns those that it got, each with its epoch, which changes with the owner.
 */
export function takeLeases(
  queryable: Queryable,
  { owner, forUs }: Lessee,
  parts: readonly number[],
): Promise<{ part: number; epoch: number }[]> {
  return queryable.rows(
    `insert into eventlog_lease as l (part, owner, leased_until, epoch)
     select part::smallint, $1, ${now} + $2::bigint, 1
     from unnest($3::bigint[]) as wanted (part) order by part
     on conflict (part) do update set owner = excluded.owner, leased_until = excluded.leased_until,
       epoch = l.epoch + 1
     where l.leased_until < ${now} or l.leased_until > ${now} + $4::bigint
     returning part, epoch`,
    [owner, forUs, int8Array(parts), presentUntil(forUs)],
  )
}

export async function giveBackLeases(
  queryable: Queryable,
  owner: string,
  parts: readonly number[],
): Promise<void> {
  await queryable.run(
    `update eventlog_lease set leased_until = 0
     where owner = $1 and part = any($2::bigint[])`,
    [owner, int8Array(parts)],
  )
}

/** Gives back all leases of a process that ends. */
export async function removeWorker(queryable: Queryable, owner: string): Promise<void> {
  await queryable.run('update eventlog_lease set leased_until = 0 where owner = $1', [owner])
  await queryable.run('delete from eventlog_worker where id = $1', [owner])
}

/** Removes processes that ended long ago without giving back anything. */
export async function removeOldWorkers(queryable: Queryable): Promise<void> {
  await queryable.run(`delete from eventlog_worker where seen_until < ${now} - 3600000000`)
}

/** Ends the leases of all processes; only if no other process runs. */
export async function endAllLeases(queryable: Queryable): Promise<void> {
  await queryable.run('update eventlog_lease set leased_until = 0 where leased_until <> 0')
  await queryable.run('delete from eventlog_worker')
}
