import type { Queryable, Transaction } from '../../../foundation/database/index.ts'

export type LedgerRow = {
  stage: string
  part: number
  taken: number
  done: number
  failed: number
  settled: number
}
export type CursorRow = { consumer: string; part: number; position: number; failures: number }

/** Makes everything that the transaction reads belong to one moment; to be called first. */
export async function readOneSnapshot(transaction: Transaction): Promise<void> {
  await transaction.run('set transaction isolation level repeatable read')
}

export function readHours(
  database: Queryable,
  limit: number,
): Promise<(Omit<LedgerRow, 'part' | 'settled'> & { hour: number })[]> {
  return database.rows(
    `select stage, hour, sum(taken)::bigint as taken, sum(done)::bigint as done,
            sum(failed)::bigint as failed
     from eventlog_ledger group by stage, hour order by hour desc, stage limit $1::int`,
    [limit],
  )
}

export function readLedger(transaction: Transaction): Promise<LedgerRow[]> {
  return transaction.rows<LedgerRow>(
    `select stage, part, sum(taken)::bigint as taken, sum(done)::bigint as done,
            sum(failed)::bigint as failed, sum(settled)::bigint as settled
     from eventlog_ledger group by stage, part order by stage, part`,
  )
}

export function readCursors(transaction: Transaction): Promise<CursorRow[]> {
  return transaction.rows<CursorRow>(
    `select c.consumer, c.part, c.position,
            (select count(*) from eventlog_failure f
             where f.consumer = c.consumer and f.part = c.part) as failures
     from eventlog_cursor c order by c.consumer, c.part`,
  )
}
