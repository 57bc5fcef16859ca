import {
  type BusinessRows,
  int8Array,
  isOfPart,
  partValue,
  type Queryable,
  rowsByIndex,
  textArray,
} from '../../../foundation/database/index.ts'
import { type PeriodPart, parseJsonObject } from '../../../foundation/kernel/index.ts'
import type { LineKey, NewStoredLine, StoredFilter, StoredLine } from '../line.ts'

export async function insertLines(
  queryable: Queryable,
  owner: string,
  lines: readonly NewStoredLine[],
): Promise<void> {
  await queryable.run(
    `insert into activity_line (owner, owner_id, at, business_id, kind, severity, subject, code,
       text, count, details)
     select $1, owner_id, at, business_id, kind, severity, subject, code, text, count::integer,
       details
     from unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[],
       $8::text[], $9::text[], $10::bigint[], $11::text[])
       as n (owner_id, at, business_id, kind, severity, subject, code, text, count, details)`,
    [
      owner,
      textArray(lines.map((line) => line.ownerId)),
      int8Array(lines.map((line) => line.at)),
      textArray(lines.map((line) => line.businessId)),
      textArray(lines.map((line) => line.kind)),
      textArray(lines.map((line) => line.severity)),
      textArray(lines.map((line) => line.subject)),
      textArray(lines.map((line) => line.code)),
      textArray(lines.map((line) => line.text)),
      int8Array(lines.map((line) => line.count)),
      textArray(lines.map((line) => JSON.stringify(line.details))),
    ],
  )
}

/** The owner of lines. */
export type LogOwner = {
  readonly owner: string
  readonly businessId: string
  readonly ownerId: string
}

/** Between two keys, neither included, newest first. */
export type LineRange = {
  readonly newerThan: LineKey
  readonly olderThan: LineKey
  readonly limit: number
}

type Row = Omit<StoredLine, 'details'> & { readonly details: string }

/** @param part the `part` of the keys of all lines of the table. */
export async function readLines(
  queryable: Queryable,
  { owner, businessId, ownerId }: LogOwner,
  { subject, kinds, severities, text }: StoredFilter,
  { newerThan, olderThan, limit }: LineRange,
  part: number,
): Promise<StoredLine[]> {
  const rows = await queryable.rows<Row>(
    `select at, $4::integer as part, id as seq, kind, severity, subject, code, text, count, details
     from activity_line
     where owner = $1 and owner_id = $2 and business_id = $3
       and at between $5::bigint and $8::bigint
       and (at, $4::integer, id) > ($5::bigint, $6::integer, $7::bigint)
       and (at, $4::integer, id) < ($8::bigint, $9::integer, $10::bigint)
       and ($11::text is null or subject = $11::text)
       and ($12::text[] is null or kind = any($12::text[]))
       and ($13::text[] is null or severity = any($13::text[]))
       and ($14::text is null or strpos(lower(text), $14::text) > 0 or code = $14::text)
     order by at desc, id desc limit $15::integer`,
    [
      owner,
      ownerId,
      businessId,
      part,
      newerThan.at,
      newerThan.part,
      newerThan.seq,
      olderThan.at,
      olderThan.part,
      olderThan.seq,
      subject ?? null,
      kinds ?? null,
      severities ?? null,
      text ?? null,
      limit,
    ],
  )
  return rows.map(fromRow)
}

/** Returns the newest lines but the first `offset` ones. */
export async function readNewest(
  queryable: Queryable,
  { owner, businessId, ownerId }: LogOwner,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  part: number,
): Promise<StoredLine[]> {
  const rows = await queryable.rows<Row>(
    `select at, $4::integer as part, id as seq, kind, severity, subject, code, text, count, details
     from activity_line
     where owner = $1 and owner_id = $2 and business_id = $3
     order by at desc, id desc limit $5 offset $6`,
    [owner, ownerId, businessId, part, limit, offset],
  )
  return rows.map(fromRow)
}

function fromRow({ details, ...line }: Row): StoredLine {
  return { ...line, details: parseJsonObject(details) ?? {} }
}

/**
 * Returns the time down to which the newest `rows` lines before a time reach; 0 if there are fewer.
 * In the order of the index and with a limit, this reads no more rows, whatever the planner assumes
 * of the table.
 */
export async function readLineHorizon(
  queryable: Queryable,
  owner: string,
  ownerId: string,
  beforeUs: number,
  rows: number,
): Promise<number> {
  const row = await queryable.one<{ at: number }>(
    `select case when count(*) < $4::integer then 0 else min(at) end as at from
       (select at from activity_line where owner = $1 and owner_id = $2 and at <= $3::bigint
        order by at desc limit $4::integer) as newest`,
    [owner, ownerId, beforeUs, rows],
  )
  return row?.at ?? 0
}

/** Returns whether the log has lines at a time or later. */
export async function hasLineAfter(
  queryable: Queryable,
  owner: string,
  ownerId: string,
  atUs: number,
): Promise<boolean> {
  const row = await queryable.one<{ any: boolean }>(
    `select exists (select from activity_line
       where owner = $1 and owner_id = $2 and at >= $3::bigint) as any`,
    [owner, ownerId, atUs],
  )
  return row?.any ?? false
}

/**
 * Removes at most `count` lines that are older, of one business or of all but some.
 * @returns how many were removed.
 */
export function deleteOldLines(
  queryable: Queryable,
  owner: string,
  part: PeriodPart,
  beforeUs: number,
  count: number,
): Promise<number> {
  return queryable.run(
    `delete from activity_line where (owner, owner_id, at, id) in
       (select owner, owner_id, at, id from activity_line
        where owner = $1 and at < $2::bigint and ${isOfPart(part, 'business_id', 4)}
        order by at limit $3::integer)`,
    [owner, beforeUs, count, partValue(part)],
  )
}

// Lines that another transaction is removing are left to it: no writer waits for them.
const deleteSurplus = `
delete from activity_line where (owner, owner_id, at, id) in (
  select owner, owner_id, at, id from activity_line
  where owner = $1 and owner_id = $2 and (at, id) <= (
    select at, id from activity_line where owner = $1 and owner_id = $2
    order by at desc, id desc limit 1 offset $3)
  order by at, id limit $4 for update skip locked)`

/** Removes what exceeds the newest `kept` lines of one log, `count` lines at most. */
export async function deleteSurplusLines(
  queryable: Queryable,
  owner: string,
  ownerId: string,
  kept: number,
  count: number,
): Promise<void> {
  await queryable.run(deleteSurplus, [owner, ownerId, kept, count])
}

/** Removes the log of an owner that is gone. */
export async function deleteLog(
  queryable: Queryable,
  { owner, businessId, ownerId }: LogOwner,
): Promise<void> {
  await queryable.run(
    'delete from activity_line where owner = $1 and owner_id = $2 and business_id = $3',
    [owner, ownerId, businessId],
  )
}

/** Every line of a business. */
export const lineRows: BusinessRows = rowsByIndex('activity_line')
