import type { Queryable, Transaction } from '../../database/index.ts'
import type { AuthType } from '../connector.ts'
import type { Status, Tag } from '../identity.ts'

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

/** identity.ts says in prose what these mean. `$2` is the clock, in microseconds. */
export const awaits = '(i.provisioned_at is null or i.reprovision)'
export const closed = '(i.activate_until is not null and i.activate_until <= $2::bigint)'
const status = `case
  when i.locked then 'locked'
  when ${awaits} and ${closed} then 'expired'
  when i.provisioned_at is null then 'whitelisted'
  when i.reprovision then 'reprovision'
  when i.devmode then 'devmode'
  else 'provisioned' end`

const columns = `i.identity, i.locked, i.reprovision, i.devmode, i.activate_until, i.auth_type,
  i.certificate_given, i.tags, ${status} as status, p.lastip, p.lastseen`

const tables = `provisioning_identity i left join provisioning_presence p
  on p.connector_id = i.connector_id and p.identity = i.identity`

export async function readIdentity(
  database: Queryable,
  connectorId: string,
  identity: string,
  nowUs: number,
): Promise<IdentityRow | undefined> {
  return database.one<IdentityRow>(
    `select ${columns} from ${tables} where i.connector_id = $1 and i.identity = $3`,
    [connectorId, nowUs, identity],
  )
}

export type Page = {
  readonly rowsMax: number
  /** A `like` pattern. */
  readonly like: string | undefined
  readonly status: Status | undefined
  /** The place after which the page begins: last seen then, and after this identity. */
  readonly after: { readonly lastseen: number; readonly identity: string | undefined } | undefined
}

/** Last seen first; those that never were come last, by name. */
export async function listIdentities(
  database: Queryable,
  connectorId: string,
  nowUs: number,
  page: Page,
): Promise<IdentityRow[]> {
  return database.rows<IdentityRow>(
    `select ${columns} from ${tables}
     where i.connector_id = $1
       and ($3::text is null or i.identity like $3::text)
       and ($4::text is null or ${status} = $4::text)
       and ($5::bigint is null or coalesce(p.lastseen, 0) < $5::bigint
         or (coalesce(p.lastseen, 0) = $5::bigint and i.identity > $6::text))
     order by coalesce(p.lastseen, 0) desc, i.identity
     limit $7`,
    [
      connectorId,
      nowUs,
      page.like ?? null,
      page.status ?? null,
      page.after?.lastseen ?? null,
      page.after?.identity ?? null,
      page.rowsMax,
    ],
  )
}

/** What a device is provisioned with: that of its method, and null for the others. */
export type Credential = {
  readonly authType: AuthType
  readonly tokenHash: string | null
  readonly passwordHash: string | null
  /** The SHA-256 of its certificate, in hexadecimal digits. */
  readonly certificate: string | null
  /** Whether it is about to cross a connection that is not encrypted. */
  readonly plain: boolean
}

/** Where the operator gave a certificate, nothing else provisions the identity. */
const activatable = `not i.locked and ${awaits} and not ${closed}
  and (i.certificate_given is null or i.certificate_given = $8::text)`

/** The guarded step to `provisioned`: false where the state does not allow it. */
export async function provisionIdentity(
  transaction: Transaction,
  connectorId: string,
  identity: string,
  nowUs: number,
  credential: Credential,
): Promise<boolean> {
  const changed = await transaction.run(
    `update provisioning_identity as i set
       auth_type = $4, token_hash = $5, devmode = $6, password_hash = $7, certificate = $8,
       provisioned_at = $2::bigint, reprovision = false, activate_until = null
     where i.connector_id = $1 and i.identity = $3 and ${activatable}`,
    [connectorId, nowUs, identity, ...credentialValues(credential)],
  )
  return changed === 1
}

/** The same for an identity that nobody may have whitelisted: it is made where it is missing. */
export async function registerIdentity(
  transaction: Transaction,
  connectorId: string,
  identity: string,
  nowUs: number,
  credential: Credential,
): Promise<boolean> {
  const changed = await transaction.run(
    `insert into provisioning_identity as i
       (connector_id, identity, locked, tags, created_at, auth_type, token_hash, devmode,
        password_hash, certificate, provisioned_at)
     values ($1, $3, false, '[]'::jsonb, $2::bigint, $4, $5, $6, $7, $8, $2::bigint)
     on conflict (connector_id, identity) do update set
       auth_type = excluded.auth_type, token_hash = excluded.token_hash,
       devmode = excluded.devmode, password_hash = excluded.password_hash,
       certificate = excluded.certificate, provisioned_at = excluded.provisioned_at,
       reprovision = false, activate_until = null
     where ${activatable}`,
    [connectorId, nowUs, identity, ...credentialValues(credential)],
  )
  return changed === 1
}

/** In the order `$4` to `$8`. */
function credentialValues(credential: Credential): readonly unknown[] {
  const { authType, tokenHash, plain, passwordHash, certificate } = credential
  return [authType, tokenHash, plain, passwordHash, certificate]
}

/** @returns its credential (null: it had none); undefined where no such identity was there. */
export async function deleteIdentity(
  transaction: Transaction,
  connectorId: string,
  identity: string,
): Promise<{ readonly tokenHash: string | null } | undefined> {
  const row = await transaction.one<{ token_hash: string | null }>(
    `delete from provisioning_identity where connector_id = $1 and identity = $2
     returning token_hash`,
    [connectorId, identity],
  )
  return row && { tokenHash: row.token_hash }
}

export type CredentialRow = {
  readonly connector_id: string
  readonly identity: string
  readonly auth_type: AuthType | null
  readonly locked: boolean
  readonly devmode: boolean
  /** Whether it has to be provisioned, for the first time or again. */
  readonly awaits: boolean
  readonly token_hash: string | null
  readonly password_hash: string | null
  readonly certificate: string | null
  readonly certificate_given: string | null
}

const credentialColumns = `i.connector_id, i.identity, i.auth_type, i.locked, i.devmode,
  ${awaits} as awaits, i.token_hash, i.password_hash, i.certificate, i.certificate_given`

/** Whose token this is; the one question that is asked before connector and business are known. */
export async function readTokenCredential(
  database: Queryable,
  tokenHash: string,
): Promise<CredentialRow | undefined> {
  return database.one<CredentialRow>(
    `select ${credentialColumns} from provisioning_identity i where i.token_hash = $1`,
    [tokenHash],
  )
}

/** What an identity proves itself with. */
export async function readCredential(
  database: Queryable,
  connectorId: string,
  identity: string,
): Promise<CredentialRow | undefined> {
  return database.one<CredentialRow>(
    `select ${credentialColumns} from provisioning_identity i
     where i.connector_id = $1 and i.identity = $2`,
    [connectorId, identity],
  )
}
