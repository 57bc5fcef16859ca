import type { Queryable, Statement, Transaction } from '../../database/index.ts'
import type { Failure } from '../entry.ts'

/** The consumer's place, made at 0 where it is new. */
export async function readCursor(
  database: Queryable,
  consumer: string,
  part: number,
): Promise<number> {
  await database.run(
    `insert into eventlog_cursor (consumer, part) values ($1, $2::smallint)
     on conflict (consumer, part) do nothing`,
    [consumer, part],
  )
  const row = await database.one<{ position: number }>(
    'select position from eventlog_cursor where consumer = $1 and part = $2::smallint',
    [consumer, part],
  )
  return row?.position ?? 0
}

/** The guarded step of a cursor: false where another process was there first. */
export async function moveCursor(
  transaction: Transaction,
  consumer: string,
  part: number,
  from: number,
  to: number,
): Promise<boolean> {
  const moved = await transaction.run(
    `update eventlog_cursor set position = $4::bigint
     where consumer = $1 and part = $2::smallint and position = $3::bigint`,
    [consumer, part, from, to],
  )
  return moved === 1
}

/** Returns the position that each of the consumers has reached in a partition; 0 if none began. */
export async function readLowestPosition(
  database: Queryable,
  part: number,
  consumers: readonly string[],
): Promise<number> {
  const row = await database.one<{ position: number | null }>(
    `select min(position) as position from eventlog_cursor
     where part = $1::smallint and consumer = any($2::text[])`,
    [part, consumers],
  )
  return row?.position ?? 0
}

/** The statements that set down what failed. */
export function failureStatements(
  consumer: string,
  nowUs: number,
  failures: readonly Failure[],
): Statement[] {
  const text = `
    insert into eventlog_failure
      (consumer, part, seq, at, business_id, connector_id, identity, reason)
    values ($1, $2::smallint, $3::bigint, $4::bigint, $5, $6, $7, $8)`
  return failures.map(({ entry, reason }) => {
    const { part, seq, businessId, connectorId, identity } = entry
    return {
      text,
      values: [consumer, part, seq, nowUs, businessId, connectorId, identity, reason],
    }
  })
}
