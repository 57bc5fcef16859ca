import { int8Array, type Queryable } from '../../database/index.ts'

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
