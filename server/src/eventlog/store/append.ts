import { int8Array, type Statement, type Transaction, textArray } from '../../database/index.ts'
import type { Entry } from '../entry.ts'

/** An entry with its body as it is stored: it is made into text once, when it is appended. */
export type EncodedEntry = { readonly entry: Entry; readonly body: string }

export function encodeEntry(entry: Entry): EncodedEntry {
  return { entry, body: JSON.stringify(entry.body) }
}

const usPerHour = 3_600_000_000

function hourOf(atUs: number): number {
  return Math.floor(atUs / usPerHour)
}

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

const countStageText = `
  insert into eventlog_ledger (stage, part, hour, taken, done, failed)
  values ($1, $2::smallint, $3::bigint, $4::bigint, $5::bigint, $6::bigint)
  on conflict (stage, part, hour) do update set
    taken = eventlog_ledger.taken + excluded.taken,
    done = eventlog_ledger.done + excluded.done,
    failed = eventlog_ledger.failed + excluded.failed`

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

export type StageCounts = {
  readonly taken: number
  readonly done: number
  readonly failed: number
}

export async function countStage(
  transaction: Transaction,
  stage: string,
  part: number,
  nowUs: number,
  counts: StageCounts,
): Promise<void> {
  const { taken, done, failed } = counts
  await transaction.run(countStageText, [stage, part, hourOf(nowUs), taken, done, failed])
}

/** Counts of a stage in one partition. */
export type PartCounts = StageCounts & { readonly part: number }

const countPartsText = `
  insert into eventlog_ledger (stage, part, hour, taken, done, failed)
  select $1, p::smallint, $2::bigint, t, d, f
  from unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[]) as counted (p, t, d, f)
  order by p
  on conflict (stage, part, hour) do update set
    taken = eventlog_ledger.taken + excluded.taken,
    done = eventlog_ledger.done + excluded.done,
    failed = eventlog_ledger.failed + excluded.failed`

/** Returns the statement that counts in several partitions, in their order as every writer does. */
export function countPartsStatement(
  stage: string,
  nowUs: number,
  counts: readonly PartCounts[],
): Statement {
  return {
    text: countPartsText,
    values: [
      ...[stage, hourOf(nowUs)],
      int8Array(counts.map(({ part }) => part)),
      int8Array(counts.map(({ taken }) => taken)),
      int8Array(counts.map(({ done }) => done)),
      int8Array(counts.map(({ failed }) => failed)),
    ],
  }
}
