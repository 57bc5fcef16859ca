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
    `insert into scripting_turn (part, owner, until, epoch)
     values ($1::smallint, $2, ${leaseClock} + $3::bigint, 1)
     on conflict (part) do update set owner = excluded.owner, until = excluded.until,
       epoch = scripting_turn.epoch
         + case when scripting_turn.owner = excluded.owner then 0 else 1 end
     where scripting_turn.owner = excluded.owner or scripting_turn.until < ${leaseClock}
       or scripting_turn.until > ${leaseClock} + $4::bigint
     returning epoch`,
    [part, owner, forUs, presentUntil(forUs)],
  )
  return row?.epoch
}

/** Releases all partition leases of a process. */
export async function releasePartitionLeases(queryable: Queryable, owner: string): Promise<void> {
  await queryable.run('update scripting_turn set until = 0 where owner = $1', [owner])
}

/** Releases all leases of partitions and deliveries; only if no other process runs. */
export async function releaseAllLeases(queryable: Queryable): Promise<void> {
  await queryable.run('update scripting_turn set until = 0 where until <> 0')
  await queryable.run(
    'update scripting_delivery set lease = null, leased_until = 0 where lease is not null',
  )
}
