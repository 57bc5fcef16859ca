import { int8Array, type Statement, textArray } from '../../../../foundation/database/index.ts'
import type { Parts } from '../../encoded-entry.ts'
import { toHour } from '../counts.ts'

/**
 * Takes numbers under the row locks of the partitions: whoever holds one commits before the next
 * one. The locks are taken in the order of the partitions, so no two appends wait for each other.
 * The statements that need the numbers are done with them, in one statement for all partitions.
 */
const appendText = `
  with wanted as (
    select w.part, w.entries from unnest($1::bigint[], $2::bigint[]) as w (part, entries)
  ), locked as materialized (
    select part from eventlog_partition where part = any($1::bigint[]) order by part for update
  ), numbers as (
    update eventlog_partition p set next = p.next + w.entries
    from locked l join wanted w on w.part = l.part
    where p.part = l.part
    returning p.part, w.entries, p.next - w.entries as base
  ), kept as (
    insert into eventlog_entry (part, seq, at, business_id, connector_id, identity, kind, body)
    select n.part, n.base + e.place,
           e.at, e.business_id, e.connector_id, e.identity, e.kind, e.body
    from unnest($3::bigint[], $4::bigint[], $5::bigint[],
                $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
           as e (part, place, at, business_id, connector_id, identity, kind, body)
      join numbers n on n.part = e.part
  ), counted as (
    insert into eventlog_ledger (stage, part, hour, taken, done, failed)
    select 'log', part, $11::bigint, entries, entries, 0 from numbers order by part
    on conflict (stage, part, hour) do update set
      taken = eventlog_ledger.taken + excluded.taken,
      done = eventlog_ledger.done + excluded.done
  )
  select part, base from numbers`

/** The statement that appends a batch; it returns `base`, the first number, of each partition. */
export function appendStatement(parts: Parts, nowUs: number): Statement {
  const rows = parts.flatMap(([part, those]) =>
    those.map((one, place) => ({ ...one, part, place })),
  )
  return {
    text: appendText,
    values: [
      int8Array(parts.map(([part]) => part)),
      int8Array(parts.map(([, those]) => those.length)),
      int8Array(rows.map(({ part }) => part)),
      int8Array(rows.map(({ place }) => place)),
      int8Array(rows.map(({ entry }) => entry.at)),
      textArray(rows.map(({ entry }) => entry.businessId)),
      textArray(rows.map(({ entry }) => entry.connectorId)),
      textArray(rows.map(({ entry }) => entry.identity)),
      textArray(rows.map(({ entry }) => entry.kind)),
      textArray(rows.map(({ body }) => body)),
      toHour(nowUs),
    ],
  }
}

export type BaseRow = { readonly part: number; readonly base: number }

/** Returns the first number that the statement gave in each partition. */
export function toBases(
  rows: readonly Readonly<Record<string, unknown>>[],
): ReadonlyMap<number, number> {
  return new Map(rows.map(({ part, base }) => [Number(part), Number(base)]))
}
