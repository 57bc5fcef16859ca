import {
  type Database,
  int8Array,
  type Transaction,
  textArray,
} from '../../../foundation/database/index.ts'

export type Sighting = {
  readonly businessId: string
  readonly connectorId: string
  readonly identity: string
  readonly ip: string
  /** Microseconds. */
  readonly at: number
}

/** Microseconds between which a device that is online was seen last. */
type OnlineBetween = { readonly from: number; readonly to: number }

/**
 * Writes down who was seen, where that is news and the identity still exists. Devices that are seen
 * for the first time are marked before: identity first, as everywhere, in one order; and only a
 * marked one gets its row, so that a list finds each in one of its two parts. A row with a time
 * after `online.to` is of a clock that ran ahead: anything is newer.
 * @returns the businesses that have devices which were not online before.
 */
export async function writeSightings(
  database: Database,
  sightings: readonly Sighting[],
  online: OnlineBetween,
): Promise<ReadonlySet<string>> {
  const ids = await database.transaction(async (transaction) => {
    await markSeen(transaction, sightings)
    return upsertSightings(transaction, sightings, online)
  })
  const isNow = new Set(ids)
  const those = sightings.filter(({ connectorId }) => isNow.has(connectorId))
  return new Set(those.map(({ businessId }) => businessId))
}

async function markSeen(transaction: Transaction, sightings: readonly Sighting[]): Promise<void> {
  await transaction.run(
    `with fresh as materialized (
       select i.connector_id, i.identity
       from unnest($1::text[], $2::text[]) as n (connector_id, identity)
         join provisioning_identity i
           on i.connector_id = n.connector_id and i.identity = n.identity
       where not i.seen
       order by i.connector_id, i.identity
       for no key update of i)
     update provisioning_identity as i set seen = true
     from fresh where i.connector_id = fresh.connector_id and i.identity = fresh.identity`,
    [
      textArray(sightings.map((one) => one.connectorId)),
      textArray(sightings.map((one) => one.identity)),
    ],
  )
}

/** @returns the connectors that have devices which were not online before. */
async function upsertSightings(
  transaction: Transaction,
  sightings: readonly Sighting[],
  online: OnlineBetween,
): Promise<string[]> {
  const rows = await transaction.rows<{ id: string }>(
    `with noted as materialized (
       select n.connector_id, n.identity, n.lastip, n.lastseen, p.lastseen as before
       from unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
              as n (connector_id, identity, lastip, lastseen)
         join provisioning_identity i
           on i.connector_id = n.connector_id and i.identity = n.identity and i.seen
         left join provisioning_presence p
           on p.connector_id = n.connector_id and p.identity = n.identity),
     written as (
       insert into provisioning_presence (connector_id, identity, lastip, lastseen)
       select connector_id, identity, lastip, lastseen from noted order by connector_id, identity
       on conflict (connector_id, identity) do update set
         lastip = excluded.lastip, lastseen = excluded.lastseen
       where provisioning_presence.lastseen < excluded.lastseen
         or provisioning_presence.lastseen > $6::bigint)
     select distinct connector_id as id from noted
     where before is null or before not between $5::bigint and $6::bigint`,
    [
      textArray(sightings.map((one) => one.connectorId)),
      textArray(sightings.map((one) => one.identity)),
      textArray(sightings.map((one) => one.ip)),
      int8Array(sightings.map((one) => one.at)),
      online.from,
      online.to,
    ],
  )
  return rows.map(({ id }) => id)
}

/** A credential that crossed a plain connection, by the hash that is stored of it. */
export type PlainUse = {
  readonly connectorId: string
  readonly identity: string
  readonly secretHash: string
}

/** Marks the identities whose present credential is one of these. */
export async function markPlain(database: Database, crossings: readonly PlainUse[]): Promise<void> {
  await database.run(
    `update provisioning_identity as i set devmode = true
     from unnest($1::text[], $2::text[], $3::text[]) as n (connector_id, identity, secret_hash)
     where i.connector_id = n.connector_id and i.identity = n.identity
       and i.credential = n.secret_hash and not i.devmode`,
    [
      textArray(crossings.map((one) => one.connectorId)),
      textArray(crossings.map((one) => one.identity)),
      textArray(crossings.map((one) => one.secretHash)),
    ],
  )
}
