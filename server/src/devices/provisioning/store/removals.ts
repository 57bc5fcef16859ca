import type { Queryable, Transaction } from '../../../foundation/database/index.ts'

/** A connector that was deleted, of which there is still something to clear away. */
export type Removal = {
  readonly connectorId: string
  readonly businessId: string
  readonly identities: number
  /** Microseconds. */
  readonly removedAt: number
}

/** Holds the count of a connector's identities until the end of the transaction. */
export async function lockPopulation(
  transaction: Transaction,
  connectorId: string,
): Promise<number> {
  const row = await transaction.one<{ identities: number }>(
    'select identities from provisioning_population where connector_id = $1 for update',
    [connectorId],
  )
  return row?.identities ?? 0
}

/** Deletes what makes it a connector; the rest is cleared away later. */
export async function beginRemoval(
  transaction: Transaction,
  { connectorId, businessId, identities, removedAt }: Removal,
): Promise<void> {
  const key = [connectorId]
  await transaction.run('delete from provisioning_connector where id = $1', key)
  await transaction.run('delete from provisioning_authority where connector_id = $1', key)
  await transaction.run('delete from provisioning_crl where connector_id = $1', key)
  await transaction.run('delete from provisioning_population where connector_id = $1', key)
  await transaction.run(
    `insert into provisioning_removal (connector_id, business_id, identities, removed_at)
     values ($1, $2, $3::bigint, $4::bigint)`,
    [connectorId, businessId, identities, removedAt],
  )
}

/** The longest waiting first. */
export async function listRemovals(database: Queryable, rowsMax: number): Promise<Removal[]> {
  return database.rows<Removal>(
    `select connector_id as "connectorId", business_id as "businessId", identities,
       removed_at as "removedAt"
     from provisioning_removal order by removed_at limit $1::bigint`,
    [rowsMax],
  )
}

/** Holds a removal; false where another process does, or has ended it. */
export async function lockRemoval(transaction: Transaction, connectorId: string): Promise<boolean> {
  const row = await transaction.one(
    `select connector_id from provisioning_removal
     where connector_id = $1 for update skip locked`,
    [connectorId],
  )
  return row !== undefined
}

const someIdentities = `delete from provisioning_identity i
  where i.connector_id = $1 and i.identity in (
    select k.identity from provisioning_identity k
    where k.connector_id = $1 order by k.identity limit $2::bigint)`

const someValues = `delete from provisioning_value v
  where v.connector_id = $1 and (v.identity, v.alias) in (
    select k.identity, k.alias from provisioning_value k
    where k.connector_id = $1 order by k.identity, k.alias limit $2::bigint)`

/** Clears away at most so many rows. @returns how many: 0 where nothing is left. */
export async function clearSome(
  transaction: Transaction,
  connectorId: string,
  rowsMax: number,
): Promise<number> {
  const cleared = await transaction.run(someIdentities, [connectorId, rowsMax])
  return cleared > 0 ? cleared : transaction.run(someValues, [connectorId, rowsMax])
}

/** Takes the contents away; the sweep of contents removes their bytes. */
export async function endContents(
  transaction: Transaction,
  connectorId: string,
  nowUs: number,
): Promise<void> {
  await transaction.run('delete from provisioning_content where connector_id = $1', [connectorId])
  await transaction.run(
    `update provisioning_content_generation set ends_at = $2::bigint
     where connector_id = $1 and (ends_at is null or ends_at > $2::bigint)`,
    [connectorId, nowUs],
  )
}

export async function endRemoval(transaction: Transaction, connectorId: string): Promise<void> {
  await transaction.run('delete from provisioning_removal where connector_id = $1', [connectorId])
}
