import { type Queryable, type Transaction, textArray } from '../../../foundation/database/index.ts'
import type { IdentityKey } from './activations.ts'

/** The limit of the connector `c`. */
const identitiesMax = `(c.settings ->> 'identitiesMax')::integer`

/**
 * Counts identities that were added; of a connector that has no room for all of its own, none. To
 * be called after they were written: where a connector is not returned, they have to go again.
 * A connector that is being deleted is waited for, and then has no room.
 * @param added so many, by connector.
 * @returns the connectors that have room.
 */
export async function countAdded(
  transaction: Transaction,
  added: ReadonlyMap<string, number>,
): Promise<ReadonlySet<string>> {
  const rows = await transaction.rows<{ connector_id: string }>(
    `insert into provisioning_population as p (connector_id, identities)
     select c.id, n.added::bigint
     from unnest($1::text[], $2::text[]) as n (connector_id, added)
       join provisioning_connector c on c.id = n.connector_id
     where n.added::bigint <= ${identitiesMax}
     order by c.id
     for key share of c
     on conflict (connector_id) do update set identities = p.identities + excluded.identities
     where p.identities + excluded.identities <=
       (select ${identitiesMax} from provisioning_connector c where c.id = excluded.connector_id)
     returning connector_id`,
    [textArray([...added.keys()]), textArray([...added.values()].map(String))],
  )
  return new Set(rows.map((row) => row.connector_id))
}

/** Counts identities that were removed. */
export async function countRemoved(
  transaction: Transaction,
  connectorId: string,
  removed: number,
): Promise<void> {
  await transaction.run(
    `update provisioning_population set identities = identities - $2::bigint
     where connector_id = $1`,
    [connectorId, removed],
  )
}

/** Counts the identities of businesses; a row a connector is read. */
export async function readPopulations(
  queryable: Queryable,
  businessIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await queryable.rows<{ id: string; identities: number }>(
    `select c.business_id as id, sum(p.identities)::bigint as identities
     from provisioning_connector c join provisioning_population p on p.connector_id = c.id
     where c.business_id = any($1::text[]) group by 1`,
    [textArray(businessIds)],
  )
  return new Map(rows.map(({ id, identities }) => [id, identities]))
}

/** Counts the identities of a connector. */
export async function readPopulation(database: Queryable, connectorId: string): Promise<number> {
  const row = await database.one<{ identities: number }>(
    'select identities from provisioning_population where connector_id = $1',
    [connectorId],
  )
  return row?.identities ?? 0
}

/** For how many more a connector has room. */
export async function readRoom(database: Queryable, connectorId: string): Promise<number> {
  const row = await database.one<{ room: number }>(
    `select greatest(${identitiesMax} - coalesce(p.identities, 0), 0) as room
     from provisioning_connector c left join provisioning_population p on p.connector_id = c.id
     where c.id = $1`,
    [connectorId],
  )
  return row?.room ?? 0
}

/** An identity that does not exist, and if its connector has room for it. */
export type UnregisteredRow = IdentityKey & { readonly room: boolean }

/** Returns those identities that do not exist; each is looked up by its key. */
export async function readUnregistered(
  database: Queryable,
  identities: readonly IdentityKey[],
): Promise<UnregisteredRow[]> {
  type Row = { connector_id: string; identity: string; room: boolean }
  const rows = await database.rows<Row>(
    `select n.connector_id, n.identity, coalesce(p.identities, 0) < ${identitiesMax} as room
     from unnest($1::text[], $2::text[]) as n (connector_id, identity)
       join provisioning_connector c on c.id = n.connector_id
       left join provisioning_population p on p.connector_id = n.connector_id
       left join lateral (
         select true as there from provisioning_identity k
         where k.connector_id = n.connector_id and k.identity = n.identity limit 1) i on true
     where i.there is null`,
    [
      textArray(identities.map((one) => one.connectorId)),
      textArray(identities.map((one) => one.identity)),
    ],
  )
  return rows.map((row) => ({
    connectorId: row.connector_id,
    identity: row.identity,
    room: row.room,
  }))
}
