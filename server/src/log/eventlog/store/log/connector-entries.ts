import type { Queryable } from '../../../../foundation/database/index.ts'
import type { ConnectorEntriesQuery, ConnectorEntry } from '../../log-store/log-store.ts'

/**
 * The range is to be one of which it is known that it holds few rows: the planner may read all of
 * it. The text is searched in the entry's JSON, as JSON writes it.
 */
export function readConnectorEntries(
  database: Queryable,
  query: ConnectorEntriesQuery,
): Promise<ConnectorEntry[]> {
  const { newerThan, olderThan } = query
  const text = query.text === undefined ? null : JSON.stringify(query.text).slice(1, -1)
  return database.rows<ConnectorEntry>(
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
    [
      query.connectorId,
      query.businessId,
      newerThan.at,
      newerThan.part,
      newerThan.seq,
      olderThan.at,
      olderThan.part,
      olderThan.seq,
      query.kinds,
      query.identity ?? null,
      query.bodyBytesMax,
      text,
      query.limit,
    ],
  )
}

/**
 * Returns the time down to which the newest `rows` entries before a time reach; 0 if there are
 * fewer. In the order of the index and with a limit, this reads no more rows, whatever the planner
 * assumes of the table.
 */
export async function readConnectorHorizon(
  database: Queryable,
  connectorId: string,
  beforeUs: number,
  rows: number,
): Promise<number> {
  const row = await database.one<{ at: number }>(
    `select case when count(*) < $3::integer then 0 else min(at) end as at from
       (select at from eventlog_entry where connector_id = $1 and at <= $2::bigint
        order by at desc limit $3::integer) as newest`,
    [connectorId, beforeUs, rows],
  )
  return row?.at ?? 0
}

/** Returns whether the connector has entries at a time or later. */
export async function hasConnectorEntriesAfter(
  database: Queryable,
  connectorId: string,
  atUs: number,
): Promise<boolean> {
  const row = await database.one<{ any: boolean }>(
    `select exists
       (select from eventlog_entry where connector_id = $1 and at >= $2::bigint) as any`,
    [connectorId, atUs],
  )
  return row?.any ?? false
}
