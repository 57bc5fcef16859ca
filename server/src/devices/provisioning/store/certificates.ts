import { X509Certificate } from 'node:crypto'
import { type Queryable, type Transaction, textArray } from '../../../foundation/database/index.ts'

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
           and k.fingerprint in (i.certificate_given, i.credential))
       and not exists (
         select from provisioning_rotation r
         where r.connector_id = $1 and r.identity = $2 and r.credential = k.fingerprint)`,
    [connectorId, identity],
  )
  await transaction.run(
    `insert into provisioning_certificate (connector_id, identity, fingerprint, pem)
     values ($1, $2, $3, $4) on conflict do nothing`,
    [connectorId, identity, fingerprint, certificatePem],
  )
  const until = new X509Certificate(certificatePem).validToDate.getTime() * usPerMs
  await keepCertificateEnds(transaction, connectorId, [{ identity, fingerprint, until }])
}

const usPerMs = 1_000

/** The time at which a certificate of an identity ends. */
export type CertificateEnd = {
  readonly identity: string
  readonly fingerprint: string
  /** Microseconds. */
  readonly until: number
}

/**
 * Keeps when certificates end, of identities that are there, and removes those of certificates
 * that these have not any more; to be called as `keepCertificate`.
 */
export async function keepCertificateEnds(
  database: Queryable,
  connectorId: string,
  ends: readonly CertificateEnd[],
): Promise<void> {
  if (ends.length === 0) return
  const identities = textArray(ends.map(({ identity }) => identity))
  await database.run(
    `delete from provisioning_certificate_end e
     using provisioning_identity i
     where e.connector_id = $1 and e.identity = any($2::text[])
       and i.connector_id = e.connector_id and i.identity = e.identity
       and (e.fingerprint in (i.certificate_given, i.credential)) is not true
       and not exists (
         select from provisioning_rotation r
         where r.connector_id = $1 and r.identity = e.identity
           and r.credential = e.fingerprint)`,
    [connectorId, identities],
  )
  await database.run(
    `insert into provisioning_certificate_end (connector_id, identity, fingerprint, not_after)
     select $1, n.identity, n.fingerprint, n.not_after::bigint
     from unnest($2::text[], $3::text[], $4::text[]) as n (identity, fingerprint, not_after)
       join provisioning_identity i on i.connector_id = $1 and i.identity = n.identity
     on conflict do nothing`,
    [
      connectorId,
      identities,
      textArray(ends.map(({ fingerprint }) => fingerprint)),
      textArray(ends.map(({ until }) => `${until}`)),
    ],
  )
}

/** A device's certificate in force, and when it ends. */
export type CertificateExpiry = Omit<CertificateEnd, 'fingerprint'> & {
  readonly locked: boolean
}

/** The certificates in force of a connector's devices, the next to end first. */
export function listCertificateEnds(
  database: Queryable,
  connectorId: string,
  { offset, rowsMax }: { readonly offset: number; readonly rowsMax: number },
): Promise<CertificateExpiry[]> {
  return database.rows<CertificateExpiry>(
    `select e.identity, e.not_after as until, i.locked
     from provisioning_certificate_end e join provisioning_identity i
       on i.connector_id = e.connector_id and i.identity = e.identity
     where e.connector_id = $1
       and e.fingerprint = coalesce(i.certificate_given, i.credential)
     order by e.not_after, e.identity
     limit $2::bigint offset $3::bigint`,
    [connectorId, rowsMax, offset],
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
         and k.fingerprint = coalesce(i.certificate_given, i.credential)
     where i.connector_id = $1 and i.identity = $2`,
    [connectorId, identity],
  )
  return row?.pem
}
