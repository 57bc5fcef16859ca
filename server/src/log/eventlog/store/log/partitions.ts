import type { Database, Transaction } from '../../../../foundation/database/index.ts'
import type { PartitionState, TrimRange } from '../../log-store/log-store.ts'

export function readPartitions(transaction: Transaction): Promise<PartitionState[]> {
  return transaction.rows<PartitionState>(
    `select p.part, p.next - 1 as head, x.up_to as expired,
            (select count(*) from eventlog_entry e where e.part = p.part) as rows,
            (select min(seq) from eventlog_entry e where e.part = p.part) as lowest
     from eventlog_partition p join eventlog_expired x on x.part = p.part
     order by p.part`,
  )
}

export function trim(
  database: Database,
  part: number,
  { upTo, beforeUs, presentUntilUs, count }: TrimRange,
): Promise<number> {
  return database.transaction(async (transaction) => {
    const row = await transaction.one<{ up_to: number | null }>(
      `select max(seq) filter (where at < $2::bigint and not stays) as up_to from (
         select seq, at, bool_or(at >= $2::bigint) over (order by seq) as stays
         from eventlog_entry
         where part = $1::smallint and at <= $5::bigint and seq <= $3::bigint
         order by seq limit $4::int) as oldest`,
      [part, beforeUs, upTo, count, presentUntilUs],
    )
    if (row?.up_to == null) return 0
    await transaction.run(
      'update eventlog_expired set up_to = $2::bigint where part = $1::smallint',
      [part, row.up_to],
    )
    return transaction.run(
      'delete from eventlog_entry where part = $1::smallint and seq <= $2::bigint',
      [part, row.up_to],
    )
  })
}
