import {
  int8Array,
  type Queryable,
  type Statement,
  type Transaction,
  textArray,
} from '../../database/index.ts'

/** The news of one resource of one device; null where one of the two did not change. */
export type ValueChange = {
  readonly connectorId: string
  readonly identity: string
  readonly alias: string
  readonly reported: Stamped | null
  readonly set: Stamped | null
}

export type Stamped = { readonly value: string; readonly at: number }

/**
 * Only a value that is not older replaces what is there. The join drops the news of an identity
 * that was removed meanwhile. Sorted, so that two transactions never wait for each other.
 */
const upsertValues = `
  insert into provisioning_value as v
    (connector_id, identity, alias, reported, reported_at, set_value, set_at)
  select n.connector_id, n.identity, n.alias, n.reported, n.reported_at, n.set_value, n.set_at
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[],
              $7::bigint[])
         as n (connector_id, identity, alias, reported, reported_at, set_value, set_at)
    join provisioning_identity i
      on i.connector_id = n.connector_id and i.identity = n.identity
  order by n.connector_id, n.identity, n.alias
  on conflict (connector_id, identity, alias) do update set
    reported = case when excluded.reported_at >= coalesce(v.reported_at, 0)
      then excluded.reported else v.reported end,
    reported_at = case when excluded.reported_at >= coalesce(v.reported_at, 0)
      then excluded.reported_at else v.reported_at end,
    set_value = case when excluded.set_at >= coalesce(v.set_at, 0)
      then excluded.set_value else v.set_value end,
    set_at = case when excluded.set_at >= coalesce(v.set_at, 0)
      then excluded.set_at else v.set_at end
  where excluded.reported_at >= coalesce(v.reported_at, 0)
     or excluded.set_at >= coalesce(v.set_at, 0)`

/** One change a resource: a statement may touch a row once. */
export function valueStatement(changes: readonly ValueChange[]): Statement {
  return {
    text: upsertValues,
    values: [
      textArray(changes.map((change) => change.connectorId)),
      textArray(changes.map((change) => change.identity)),
      textArray(changes.map((change) => change.alias)),
      textArray(changes.map((change) => change.reported?.value ?? null)),
      int8Array(changes.map((change) => change.reported?.at ?? null)),
      textArray(changes.map((change) => change.set?.value ?? null)),
      int8Array(changes.map((change) => change.set?.at ?? null)),
    ],
  }
}

export type ValueRow = {
  readonly identity: string
  readonly alias: string
  readonly reported: string | null
  readonly set_value: string | null
  readonly at: number
  /** Whether the answer has reached its limit here; then the values are left out. */
  readonly over: boolean
}

/**
 * The values of some devices in the order in which they are named, until `bytesMax` is reached:
 * the row that goes over it is the last one, marked and empty.
 */
export async function readValues(
  database: Queryable,
  connectorId: string,
  identities: readonly string[],
  bytesMax: number,
): Promise<ValueRow[]> {
  return database.rows<ValueRow>(
    `select s.identity, s.alias, s.at, s.upto > $3::bigint as over,
       case when s.upto <= $3::bigint then s.reported end as reported,
       case when s.upto <= $3::bigint then s.set_value end as set_value
     from (
       select v.identity, v.alias, v.reported, v.set_value,
         greatest(v.reported_at, v.set_at) as at, b.bytes,
         sum(b.bytes) over (order by n.place, v.alias) as upto
       from unnest($2::text[]) with ordinality as n (identity, place)
         join provisioning_value v on v.connector_id = $1 and v.identity = n.identity,
         lateral (select octet_length(v.alias) + coalesce(octet_length(v.reported), 0)
           + coalesce(octet_length(v.set_value), 0) as bytes) b
     ) s
     where s.upto - s.bytes <= $3::bigint
     order by s.upto`,
    [connectorId, textArray(identities), bytesMax],
  )
}

/** Some values of one device; a device asks for them. */
export async function readAliases(
  database: Queryable,
  connectorId: string,
  identity: string,
  aliases: readonly string[],
  bytesMax: number,
): Promise<ValueRow[]> {
  return database.rows<ValueRow>(
    `select s.identity, s.alias, s.at, s.total > $4::bigint as over,
       case when s.total <= $4::bigint then s.reported end as reported,
       case when s.total <= $4::bigint then s.set_value end as set_value
     from (
       select identity, alias, reported, set_value, greatest(reported_at, set_at) as at,
         sum(coalesce(octet_length(reported), 0) + coalesce(octet_length(set_value), 0)) over ()
           as total
       from provisioning_value
       where connector_id = $1 and identity = $2 and alias = any($3::text[])
     ) s`,
    [connectorId, identity, textArray(aliases), bytesMax],
  )
}

/** The stamps of those values that were set and not reported back, the oldest first. */
export async function readPending(
  database: Queryable,
  connectorId: string,
  identity: string,
  aliases: readonly string[],
): Promise<{ readonly alias: string; readonly at: number }[]> {
  return database.rows(
    `select alias, greatest(reported_at, set_at) as at from provisioning_value
     where connector_id = $1 and identity = $2 and alias = any($3::text[])
       and set_value is not null and set_value is distinct from reported
     order by at, alias`,
    [connectorId, identity, textArray(aliases)],
  )
}

export async function deleteValues(
  transaction: Transaction,
  connectorId: string,
  identity: string,
): Promise<void> {
  await transaction.run(
    'delete from provisioning_value where connector_id = $1 and identity = $2',
    [connectorId, identity],
  )
}
