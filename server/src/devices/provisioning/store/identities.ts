import { type Queryable, type Transaction, textArray } from '../../../foundation/database/index.ts'
import type { AuthType } from '../credentials/auth-type.ts'
import type { Status, Tag } from '../identities/identity.ts'

/** An identity as it is kept, with what is derived from it at one moment. */
export type IdentityRow = {
  readonly identity: string
  readonly locked: boolean
  readonly reprovision: boolean
  readonly devmode: boolean
  readonly activate_until: number | null
  readonly auth_type: AuthType | null
  readonly certificate_given: string | null
  readonly tags: readonly Tag[]
  readonly status: Status
  readonly lastip: string | null
  readonly lastseen: number | null
}

/** The hash of the credential that an identity has. */
export const current = `case when i.auth_type <> 'certificate' then i.credential
  else coalesce(i.certificate_given, i.credential) end`

/** A rotation is of the credential that the identity had when it was opened, and of no other. */
export const isRotated = `r.connector_id = i.connector_id and r.identity = i.identity
  and r.provisioned_at = i.provisioned_at and r.replaces = ${current}`

/** identity.ts describes these in prose. `$2` is the clock, in microseconds. */
export const awaits = '(i.provisioned_at is null or i.reprovision)'
export const closed = '(i.activate_until is not null and i.activate_until <= $2::bigint)'
export const status = `case
  when i.locked then 'locked'
  when ${awaits} and ${closed} then 'expired'
  when i.provisioned_at is null then 'whitelisted'
  when i.reprovision then 'reprovision'
  when i.devmode then 'devmode'
  else 'provisioned' end`

export const identityColumns = `i.identity, i.locked, i.reprovision, i.devmode,
  i.activate_until, i.auth_type, i.certificate_given, i.tags, ${status} as status,
  p.lastip, p.lastseen`

const tables = `provisioning_identity i left join provisioning_presence p
  on p.connector_id = i.connector_id and p.identity = i.identity`

export async function readIdentity(
  database: Queryable,
  connectorId: string,
  identity: string,
  nowUs: number,
): Promise<IdentityRow | undefined> {
  return database.one<IdentityRow>(
    `select ${identityColumns} from ${tables}
     where i.connector_id = $1 and i.identity = $3`,
    [connectorId, nowUs, identity],
  )
}

/** In what an `insert … on conflict do update` returns: whether the row was not there before. */
export const isNew = '(i.xmax = 0)'

/** The guard of an activation; if the operator gave a certificate, only that one passes. */
export const activatable = `not i.locked and ${awaits} and not ${closed}
  and (i.certificate_given is null or i.certificate_given = excluded.credential)`

/** @returns those that were there, each with its credential (null: it had none). */
export async function deleteIdentities(
  transaction: Transaction,
  connectorId: string,
  identities: readonly string[],
): Promise<{ readonly identity: string; readonly credential: string | null }[]> {
  return transaction.rows(
    `delete from provisioning_identity where connector_id = $1 and identity = any($2::text[])
     returning identity, credential`,
    [connectorId, textArray(identities)],
  )
}

/** The credential of an identity, and its second one while a rotation is open. */
export type CredentialRow = {
  readonly connector_id: string
  readonly identity: string
  readonly auth_type: AuthType | null
  readonly locked: boolean
  readonly devmode: boolean
  /** True if it has to be provisioned, for the first time or again. */
  readonly awaits: boolean
  /** Its hash. */
  readonly credential: string | null
  readonly certificate_given: string | null
  /** True if its token may be lost: see the limit activationRetryMinutes. */
  readonly unused: boolean
  /** The end of the rotation, in microseconds; null: none is open. */
  readonly rotation_until: number | null
  readonly next_credential: string | null
  readonly next_plain: boolean | null
}

const credentialColumns = `i.connector_id, i.identity, i.auth_type, i.locked, i.devmode,
  ${awaits} as awaits, coalesce(i.unused_hash = i.credential, false) as unused,
  i.credential, i.certificate_given, r.until as rotation_until,
  r.credential as next_credential, r.plain as next_plain`

/** Reads the credentials of tokens; the only query before connector and business are known. */
export async function readTokenCredentials(
  database: Queryable,
  tokenHashes: readonly string[],
): Promise<ReadonlyMap<string, CredentialRow>> {
  const rows = await database.rows<CredentialRow>(
    `select ${credentialColumns}
     from provisioning_identity i left join provisioning_rotation r on ${isRotated}
     where i.auth_type = 'token' and i.credential = any ($1::text[])
     union all
     select ${credentialColumns}
     from provisioning_rotation r join provisioning_identity i on ${isRotated}
     where i.auth_type = 'token' and r.credential = any ($1::text[])`,
    [textArray(tokenHashes)],
  )
  const found = new Map<string, CredentialRow>()
  for (const row of rows) {
    for (const hash of [row.credential, row.next_credential]) if (hash) found.set(hash, row)
  }
  return found
}

export type IdentityName = { readonly connectorId: string; readonly identity: string }

/** Reads the credentials of identities; of each name its row or undefined, in their order. */
export async function readCredentials(
  database: Queryable,
  names: readonly IdentityName[],
): Promise<(CredentialRow | undefined)[]> {
  const rows = await database.rows<CredentialRow & { readonly place: number }>(
    `select n.place, ${credentialColumns}
     from unnest($1::text[], $2::text[]) with ordinality as n (connector_id, identity, place)
     join provisioning_identity i on i.connector_id = n.connector_id and i.identity = n.identity
     left join provisioning_rotation r on ${isRotated}`,
    [
      textArray(names.map(({ connectorId }) => connectorId)),
      textArray(names.map(({ identity }) => identity)),
    ],
  )
  const found = new Map(rows.map((row) => [row.place - 1, row]))
  return names.map((_, place) => found.get(place))
}
