import type { Queryable, Transaction } from '../../database/index.ts'

/** A certificate of a device, with what it is known by. */
export type KeptCertificate = {
  /** SHA-256 of its DER, in hexadecimal digits. */
  readonly fingerprint: string
  readonly certificatePem: string
}

/**
 * Keeps a certificate of an identity; those that are neither its own any more nor the next one of
 * a rotation go. To be called after the identity, or the rotation, was written.
 */
export async function keepCertificate(
  transaction: Transaction,
  connectorId: string,
  identity: string,
  { fingerprint, certificatePem }: KeptCertificate,
): Promise<void> {
  await transaction.run(
    `delete from provisioning_certificate k
     where k.connector_id = $1 and k.identity = $2
       and not exists (
         select from provisioning_identity i
         where i.connector_id = $1 and i.identity = $2
           and k.fingerprint in (i.certificate_given, i.certificate))
       and not exists (
         select from provisioning_rotation r
         where r.connector_id = $1 and r.identity = $2 and r.certificate = k.fingerprint)`,
    [connectorId, identity],
  )
  await transaction.run(
    `insert into provisioning_certificate (connector_id, identity, fingerprint, pem)
     values ($1, $2, $3, $4) on conflict do nothing`,
    [connectorId, identity, fingerprint, certificatePem],
  )
}

/** The one of the credential in force, as PEM; undefined where it is not kept. */
export async function readCertificate(
  database: Queryable,
  connectorId: string,
  identity: string,
): Promise<string | undefined> {
  const row = await database.one<{ pem: string }>(
    `select k.pem
     from provisioning_identity i join provisioning_certificate k
       on k.connector_id = i.connector_id and k.identity = i.identity
         and k.fingerprint = coalesce(i.certificate_given, i.certificate)
     where i.connector_id = $1 and i.identity = $2`,
    [connectorId, identity],
  )
  return row?.pem
}
