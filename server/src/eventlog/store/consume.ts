import { int8Array, type Queryable, type Transaction } from '../../database/index.ts'
import type { Entry, Failure, LoggedEntry } from '../entry.ts'

type EntryRow = {
  part: number
  seq: number
  at: number
  business_id: string
  connector_id: string
  identity: string
  kind: Entry['kind']
  body: string
}

export async function readEntries(
  database: Queryable,
  part: number,
  position: number,
  count: number,
): Promise<LoggedEntry[]> {
  const rows = await database.rows<EntryRow>(
    `select part, seq, at, business_id, connector_id, identity, kind, body
     from eventlog_entry where part = $1::smallint and seq > $2::bigint order by seq limit $3::int`,
    [part, position, count],
  )
  // The body of a row is of its kind.
  return rows.map((row) => new StoredEntry(row) as LoggedEntry)
}

/** Not every consumer reads every body: it is parsed at the first use, and once. */
class StoredEntry {
  readonly part: number
  readonly seq: number
  readonly at: number
  readonly businessId: string
  readonly connectorId: string
  readonly identity: string
  readonly kind: Entry['kind']
  readonly #text: string
  #body: Entry['body'] | undefined

  constructor(row: EntryRow) {
    this.part = row.part
    this.seq = row.seq
    this.at = row.at
    this.businessId = row.business_id
    this.connectorId = row.connector_id
    this.identity = row.identity
    this.kind = row.kind
    this.#text = row.body
  }

  get body(): Entry['body'] {
    this.#body ??= JSON.parse(this.#text) as Entry['body']
    return this.#body
  }
}

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

export async function recordFailures(
  transaction: Transaction,
  consumer: string,
  nowUs: number,
  failures: readonly Failure[],
): Promise<void> {
  for (const { entry, reason } of failures) {
    await transaction.run(
      `insert into eventlog_failure
         (consumer, part, seq, at, business_id, connector_id, identity, reason)
       values ($1, $2::smallint, $3::bigint, $4::bigint, $5, $6, $7, $8)`,
      [
        consumer,
        entry.part,
        entry.seq,
        nowUs,
        entry.businessId,
        entry.connectorId,
        entry.identity,
        reason,
      ],
    )
  }
}

export async function readHeads(database: Queryable): Promise<Map<number, number>> {
  const rows = await database.rows<{ part: number; next: number }>(
    'select part, next from eventlog_partition order by part',
  )
  return new Map(rows.map((row) => [row.part, row.next - 1]))
}

/** The position of an entry that set values, and its device. */
export type SetRow = {
  readonly part: number
  readonly seq: number
  readonly connectorId: string
  readonly identity: string
}

/** Reads the sets after these positions, in order, at most `count` of each partition. */
export function readSetsAfter(
  database: Queryable,
  positions: ReadonlyMap<number, number>,
  count: number,
): Promise<SetRow[]> {
  return database.rows<SetRow>(
    `select e.part, e.seq, e.connector_id as "connectorId", e.identity
     from unnest($1::bigint[], $2::bigint[]) as p (part, seq),
       lateral (
         select part, seq, connector_id, identity from eventlog_entry
         where part = p.part::smallint and seq > p.seq and kind = 'set'
         order by seq limit $3::integer
       ) e
     order by e.part, e.seq`,
    [int8Array([...positions.keys()]), int8Array([...positions.values()]), count],
  )
}
