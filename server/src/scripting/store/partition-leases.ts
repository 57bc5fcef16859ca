import type { Queryable } from '../../database/index.ts'
import { presentUntil } from '../../kernel/index.ts'
import { type Lease, leaseClock } from './deliveries.ts'

/**
 * Acquires or renews the lease of a partition. One that lasts longer than leases do was written by
 * a clock that ran ahead.
 * @returns undefined if another process has it; else its epoch, which changes with the owner.
 */
export async function acquirePartitionLease(
  queryable: Queryable,
  part: number,
  { owner, forUs }: Pick<Lease, 'owner' | 'forUs'>,
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

/** Releases all leases of partitions and deliveries; only if no other process runs. */
export async function releaseAllLeases(queryable: Queryable): Promise<void> {
  await queryable.run(
    'update scripting_partition_lease set leased_until = 0 where leased_until <> 0',
  )
  await queryable.run(
    'update scripting_delivery set lease = null, leased_until = 0 where lease is not null',
  )
}
