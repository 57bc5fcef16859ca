import type { Queryable } from '../../../foundation/database/index.ts'

export type AuthorityRow = {
  /** PEM */
  readonly certificate: string
  readonly sealedKey: string
  /** Microseconds. */
  readonly createdAt: number
}

/** False where the connector has one already: it stays. */
export async function insertAuthority(
  database: Queryable,
  connectorId: string,
  { certificate, sealedKey, createdAt }: AuthorityRow,
): Promise<boolean> {
  const inserted = await database.one<{ connector_id: string }>(
    `insert into provisioning_authority (connector_id, certificate, sealed_key, created_at)
     values ($1, $2, $3, $4::bigint) on conflict (connector_id) do nothing
     returning connector_id`,
    [connectorId, certificate, sealedKey, createdAt],
  )
  return inserted !== undefined
}

export async function readAuthority(
  database: Queryable,
  connectorId: string,
): Promise<AuthorityRow | undefined> {
  return database.one<AuthorityRow>(
    `select certificate, sealed_key as "sealedKey", created_at as "createdAt"
     from provisioning_authority where connector_id = $1`,
    [connectorId],
  )
}

/** Certificates of all connectors of a business, by the ids of these. */
export function readBusinessAuthorities(
  database: Queryable,
  businessId: string,
): Promise<{ readonly id: string; readonly certificate: string }[]> {
  return database.rows(
    `select c.id, a.certificate from provisioning_connector c
     join provisioning_authority a on a.connector_id = c.id where c.business_id = $1`,
    [businessId],
  )
}
