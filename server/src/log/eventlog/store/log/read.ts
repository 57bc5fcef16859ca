import { int8Array, type Queryable, textArray } from '../../../../foundation/database/index.ts'
import type { Entry, LoggedEntry, Position } from '../../entry.ts'
import type { CountedRange, EntryRange, SetEntry } from '../../log-store/log-store.ts'

/** Entries of a partition that are looked at to count the events which wait for a solution. */
const logRangeCountedMax = 20_000

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
  after: number,
  count: number,
): Promise<LoggedEntry[]> {
  const rows = await database.rows<EntryRow>(
    `select part, seq, at, business_id, connector_id, identity, kind, body
     from eventlog_entry where part = $1::smallint and seq > $2::bigint order by seq limit $3::int`,
    [part, after, count],
  )
  // The body of a row is of its kind.
  return rows.map((row) => new StoredEntry(row) as LoggedEntry)
}

/** Reads the entries of these positions that are there. */
export async function readEntriesAt(
  database: Queryable,
  positions: readonly Position[],
): Promise<LoggedEntry[]> {
  const rows = await database.rows<EntryRow>(
    `select e.part, e.seq, e.at, e.business_id, e.connector_id, e.identity, e.kind, e.body
     from unnest($1::bigint[], $2::bigint[]) as wanted (part, seq)
     join eventlog_entry e on e.part = wanted.part::smallint and e.seq = wanted.seq`,
    [int8Array(positions.map(({ part }) => part)), int8Array(positions.map(({ seq }) => seq))],
  )
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

/** Returns how many partitions the log of a database has: 0 to one less. */
export async function readPartitionCount(database: Queryable): Promise<number> {
  const row = await database.one<{ count: number }>(
    'select count(*) as count from eventlog_partition',
  )
  return row?.count ?? 0
}

export async function readHeads(database: Queryable): Promise<Map<number, number>> {
  const rows = await database.rows<{ part: number; next: number }>(
    'select part, next from eventlog_partition order by part',
  )
  return new Map(rows.map((row) => [row.part, row.next - 1]))
}

export function findSets(
  database: Queryable,
  positions: ReadonlyMap<number, number>,
  count: number,
): Promise<SetEntry[]> {
  return database.rows<SetEntry>(
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

export async function countRanges(
  database: Queryable,
  businessId: string,
  ranges: readonly EntryRange[],
): Promise<CountedRange[]> {
  return database.rows<CountedRange>(
    `select r.key, count(*) as count, min(e.at) as "oldestAt"
     from unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[])
       as r (key, part, after, until)
     join eventlog_entry e on e.part = r.part::smallint and e.seq > r.after
       and e.seq <= least(r.until, r.after + $6::bigint)
     where e.business_id = $1 group by r.key`,
    [
      businessId,
      textArray(ranges.map(({ key }) => key)),
      int8Array(ranges.map(({ part }) => part)),
      int8Array(ranges.map(({ after }) => after)),
      int8Array(ranges.map(({ until }) => until)),
      logRangeCountedMax,
    ],
  )
}
