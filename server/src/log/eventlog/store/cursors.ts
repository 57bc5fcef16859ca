import {
  int8Array,
  type Queryable,
  type Statement,
  type Transaction,
} from '../../../foundation/database/index.ts'
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

/** A step of a cursor in a partition. */
export type CursorStep = { readonly part: number; readonly from: number; readonly to: number }

/**
 * The guarded steps of a consumer's cursors. @returns how many moved: fewer where another process
 * was there first.
 */
export async function moveCursors(
  transaction: Transaction,
  consumer: string,
  steps: readonly CursorStep[],
): Promise<number> {
  const [first, ...more] = steps
  if (first !== undefined && more.length === 0) {
    return transaction.run(
      `update eventlog_cursor set position = $4::bigint
       where consumer = $1 and part = $2::smallint and position = $3::bigint`,
      [consumer, first.part, first.from, first.to],
    )
  }
  return transaction.run(
    `update eventlog_cursor c set position = s.to_seq
     from unnest($2::bigint[], $3::bigint[], $4::bigint[]) as s (part, from_seq, to_seq)
     where c.consumer = $1 and c.part = s.part::smallint and c.position = s.from_seq`,
    [
      consumer,
      int8Array(steps.map(({ part }) => part)),
      int8Array(steps.map(({ from }) => from)),
      int8Array(steps.map(({ to }) => to)),
    ],
  )
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
