import { type Database, int8Array, type Queryable, textArray } from '../../database/index.ts'
import type { ShownKind } from '../entry.ts'
import type { LineKey, NoteKind, Severity } from '../line.ts'

/** A note as it is kept. */
export type StoredNote = {
  readonly businessId: string
  readonly connectorId: string
  readonly at: number
  readonly kind: NoteKind
  readonly severity: Severity
  readonly identity: string | null
  readonly ip: string
  readonly protocol: string
  readonly code: string | null
  readonly message: string
  readonly count: number
}

export async function insertNotes(database: Database, notes: readonly StoredNote[]) {
  await database.run(
    `insert into eventlog_line (connector_id, at, business_id, identity, kind, severity, ip,
       protocol, code, message, count)
     select connector_id, at, business_id, identity, kind, severity, ip, protocol, code, message,
       count::integer
     from unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[],
       $7::text[], $8::text[], $9::text[], $10::text[], $11::bigint[])
       as n (connector_id, at, business_id, identity, kind, severity, ip, protocol, code, message,
         count)`,
    [
      textArray(notes.map((note) => note.connectorId)),
      int8Array(notes.map((note) => note.at)),
      textArray(notes.map((note) => note.businessId)),
      textArray(notes.map((note) => note.identity)),
      textArray(notes.map((note) => note.kind)),
      textArray(notes.map((note) => note.severity)),
      textArray(notes.map((note) => note.ip)),
      textArray(notes.map((note) => note.protocol)),
      textArray(notes.map((note) => note.code)),
      textArray(notes.map((note) => note.message)),
      int8Array(notes.map((note) => note.count)),
    ],
  )
}

/** Which lines: of one connector, between two keys (neither included), newest first. */
export type LineQuery = {
  readonly businessId: string
  readonly connectorId: string
  readonly newerThan: LineKey
  readonly olderThan: LineKey
  readonly identity: string | undefined
  /** Lower case; part of what a line says. */
  readonly text: string | undefined
  readonly limit: number
}

export type EntryLineRow = {
  at: number
  part: number
  seq: number
  identity: string
  kind: ShownKind
  bytes: number
  /** Null where it is longer than was asked for; then `ip` and `protocol` stand alone. */
  body: string | null
  ip: string | null
  protocol: string | null
}

/** The text is looked for in the entry's JSON, where it stands as JSON writes it. */
export function readEntryLines(
  database: Queryable,
  query: LineQuery & { readonly kinds: readonly ShownKind[]; readonly bodyBytesMax: number },
): Promise<EntryLineRow[]> {
  const text = query.text === undefined ? null : JSON.stringify(query.text).slice(1, -1)
  return database.rows<EntryLineRow>(
    `select at, part, seq, identity, kind, octet_length(body) as bytes,
       case when octet_length(body) <= $11::integer then body end as body,
       case when octet_length(body) > $11::integer then body::json ->> 'ip' end as ip,
       case when octet_length(body) > $11::integer then body::json ->> 'protocol' end as protocol
     from eventlog_entry
     where connector_id = $1 and business_id = $2
       and at between $3::bigint and $6::bigint
       and (at, part::integer, seq) > ($3::bigint, $4::integer, $5::bigint)
       and (at, part::integer, seq) < ($6::bigint, $7::integer, $8::bigint)
       and kind = any($9::text[])
       and ($10::text is null or identity = $10::text)
       and ($12::text is null or strpos(lower(body), $12::text) > 0)
     order by at desc, part desc, seq desc limit $13::integer`,
    [...range(query), query.kinds, query.identity ?? null, query.bodyBytesMax, text, query.limit],
  )
}

export type NoteRow = Omit<StoredNote, 'businessId' | 'connectorId'> & { part: number; seq: number }

export function readNotes(
  database: Queryable,
  query: LineQuery & {
    readonly kinds: readonly NoteKind[]
    readonly severities: readonly Severity[]
    readonly part: number
  },
): Promise<NoteRow[]> {
  return database.rows<NoteRow>(
    `select at, $12::integer as part, id as seq, identity, kind, severity, ip, protocol, code,
       message, count
     from eventlog_line
     where connector_id = $1 and business_id = $2
       and at between $3::bigint and $6::bigint
       and (at, $12::integer, id) > ($3::bigint, $4::integer, $5::bigint)
       and (at, $12::integer, id) < ($6::bigint, $7::integer, $8::bigint)
       and kind = any($9::text[])
       and ($10::text is null or identity = $10::text)
       and severity = any($11::text[])
       and ($13::text is null or strpos(lower(message), $13::text) > 0 or code = $13::text)
     order by at desc, id desc limit $14::integer`,
    [
      ...range(query),
      query.kinds,
      query.identity ?? null,
      query.severities,
      query.part,
      query.text ?? null,
      query.limit,
    ],
  )
}

function range({ connectorId, businessId, newerThan, olderThan }: LineQuery): unknown[] {
  const { at, part, seq } = newerThan
  return [connectorId, businessId, at, part, seq, olderThan.at, olderThan.part, olderThan.seq]
}

/**
 * The time down to which the newest `rows` entries, or notes, before a time reach; 0 where there
 * are fewer of both. A question stops there, so that each takes a bounded time. In the order of
 * the index and with a limit, this reads no more rows, whatever the planner knows of the table.
 */
export async function readHorizon(
  database: Queryable,
  connectorId: string,
  beforeUs: number,
  rows: number,
): Promise<number> {
  const row = await database.one<{ at: number }>(
    `select greatest(
       (select case when count(*) < $3::integer then 0 else min(at) end from
         (select at from eventlog_entry where connector_id = $1 and at <= $2::bigint
          order by at desc limit $3::integer) as entries),
       (select case when count(*) < $3::integer then 0 else min(at) end from
         (select at from eventlog_line where connector_id = $1 and at <= $2::bigint
          order by at desc limit $3::integer) as notes)) as at`,
    [connectorId, beforeUs, rows],
  )
  return row?.at ?? 0
}

/** Whether the connector's log has entries or notes at a time or later. */
export async function hasLinesAfter(
  database: Queryable,
  connectorId: string,
  atUs: number,
): Promise<boolean> {
  const row = await database.one<{ any: boolean }>(
    `select exists (select from eventlog_entry where connector_id = $1 and at >= $2::bigint)
       or exists (select from eventlog_line where connector_id = $1 and at >= $2::bigint) as any`,
    [connectorId, atUs],
  )
  return row?.any ?? false
}

/** Removes at most `count` notes that are older. @returns how many were removed. */
export function removeOldNotes(
  database: Database,
  beforeUs: number,
  count: number,
): Promise<number> {
  return database.run(
    `delete from eventlog_line where (connector_id, at, id) in
       (select connector_id, at, id from eventlog_line
        where at < $1::bigint order by at limit $2::integer)`,
    [beforeUs, count],
  )
}
