import type { Queryable } from '../../database/index.ts'
import { presentUntil } from '../../kernel/index.ts'

/** A lease: its owner and its duration, in microseconds. */
type PartitionLease = { readonly owner: string; readonly forUs: number }

/** The database's clock: those of processes may differ by more than a lease lasts. */
const leaseClock = '(extract(epoch from statement_timestamp()) * 1000000)::bigint'

/**
 * Acquires or renews the lease of a partition. One that lasts longer than leases do was written by
 * a clock that ran ahead.
 * @returns undefined if another process has it; else its epoch, which changes with the owner.
 */
export async function acquirePartitionLease(
  queryable: Queryable,
  part: number,
  { owner, forUs }: PartitionLease,
): Promise<number | undefined> {
  const row = await queryable.one<{ epoch: number }>(
    `insert into scripting_partition_lease as l (part, owner, leased_until, epoch)
     values ($1::smallint, $2, ${leaseClock} + $3::bigint, 1)
     on conflict (part) do update set owner = excluded.owner, leased_until = excluded.leased_until,
       epoch = l.epoch + case when l.owner = excluded.owner then 0 else 1 end
     where l.owner = excluded.owner or l.leased_until < ${leaseClock}
       or l.leased_until > ${leaseClock} + $4::bigint
     returning epoch`,
    [part, owner, forUs, presentUntil(forUs)],
  )
  return row?.epoch
}

/** Releases all partition leases of a process. */
export async function releasePartitionLeases(queryable: Queryable, owner: string): Promise<void> {
  await queryable.run('update scripting_partition_lease set leased_until = 0 where owner = $1', [
    owner,
  ])
}

/** Releases the leases of all processes; only if no other process runs. */
export async function releaseAllPartitionLeases(queryable: Queryable): Promise<void> {
  await queryable.run(
    'update scripting_partition_lease set leased_until = 0 where leased_until <> 0',
  )
}
