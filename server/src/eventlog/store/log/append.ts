import { int8Array, type Statement, textArray } from '../../../database/index.ts'
import type { EncodedEntry } from '../../encoded-entry.ts'
import { hourOf } from '../counts.ts'

/**
 * Takes numbers under the partition's row lock: whoever holds it commits before the next one. What
 * hangs on them is done with them, in one statement for each partition of a transaction.
 */
const appendText = `
  with numbers as (
    update eventlog_partition set next = next + $2::bigint
    where part = $1::smallint
    returning next - $2::bigint as base
  ), kept as (
    insert into eventlog_entry (part, seq, at, business_id, connector_id, identity, kind, body)
    select $1::smallint, n.base + e.ord - 1,
           e.at, e.business_id, e.connector_id, e.identity, e.kind, e.body
    from numbers n,
         unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
           with ordinality as e (at, business_id, connector_id, identity, kind, body, ord)
  ), counted as (
    insert into eventlog_ledger (stage, part, hour, taken, done, failed)
    select 'log', $1::smallint, $9::bigint, $2::bigint, $2::bigint, 0 from numbers
    on conflict (stage, part, hour) do update set
      taken = eventlog_ledger.taken + excluded.taken,
      done = eventlog_ledger.done + excluded.done
  )
  select base from numbers`

/** The statement that appends a batch to a partition; it returns `base`, the first number. */
export function appendStatement(
  part: number,
  entries: readonly EncodedEntry[],
  nowUs: number,
): Statement {
  return {
    text: appendText,
    values: [
      part,
      entries.length,
      int8Array(entries.map(({ entry }) => entry.at)),
      textArray(entries.map(({ entry }) => entry.businessId)),
      textArray(entries.map(({ entry }) => entry.connectorId)),
      textArray(entries.map(({ entry }) => entry.identity)),
      textArray(entries.map(({ entry }) => entry.kind)),
      textArray(entries.map(({ body }) => body)),
      hourOf(nowUs),
    ],
  }
}

export type BaseRow = { readonly base: number }

/** Returns the first number that the statement gave. */
export function baseOf(row: Readonly<Record<string, unknown>> | undefined): number {
  return Number(row?.base)
}
