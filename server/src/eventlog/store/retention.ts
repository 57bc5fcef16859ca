import type { Database } from '../../database/index.ts'

/**
 * Removes at most `count` entries that are older than `beforeUs` and that each of the consumers
 * has passed: those before the first one that is to stay, in the order of the log. One that a
 * clock which ran ahead has stamped goes with the next old one; one that a clock which was behind
 * has stamped takes none with it that is younger.
 * @returns how many were removed.
 */
export function removeOld(
  database: Database,
  part: number,
  beforeUs: number,
  consumers: readonly string[],
  count: number,
  presentUntilUs: number,
): Promise<number> {
  return database.transaction(async (transaction) => {
    const row = await transaction.one<{ up_to: number | null }>(
      `select max(seq) filter (where at < $2::bigint and not stays) as up_to from (
         select seq, at, bool_or(at >= $2::bigint) over (order by seq) as stays
         from eventlog_entry
         where part = $1::smallint and at <= $5::bigint and seq <= (
           select coalesce(min(position), 0) from eventlog_cursor
           where part = $1::smallint and consumer = any($3::text[]))
         order by seq limit $4::int) as oldest`,
      [part, beforeUs, consumers, count, presentUntilUs],
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
