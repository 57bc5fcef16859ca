import type { Database } from '../../../foundation/database/index.ts'

/** The provider of a business, as it is stored. */
export type StoredProvider = {
  readonly businessId: string
  readonly label: string
  readonly issuer: string
  readonly clientId: string
  readonly sealedSecret: string
  readonly domains: readonly string[]
  readonly createsRole: string | null
}

/** A sign-in that has left for a provider. */
export type LeftSignIn = {
  readonly businessId: string
  readonly browserHash: string
  readonly sealedChecks: string
  readonly expiresAt: number
}

const columns = `business_id as "businessId", label, issuer, client_id as "clientId",
  sealed_secret as "sealedSecret", domains, creates_role as "createsRole"`

export function oidcStore(database: Database) {
  return {
    provider: (businessId: string) =>
      database.one<StoredProvider>(`select ${columns} from accounts_oidc where business_id = $1`, [
        businessId,
      ]),
    putProvider: (provider: StoredProvider, at: number) => putProvider(database, provider, at),
    removeProvider: (businessId: string) =>
      database.run('delete from accounts_oidc where business_id = $1', [businessId]),
    /** Adds one unless so many are under way. */
    addSignIn: (stateHash: string, signIn: LeftSignIn, max: number) =>
      database.run(
        `insert into accounts_oidc_sign_in
          (state_hash, business_id, browser_hash, sealed_checks, expires_at)
        select $1::text, $2::text, $3::text, $4::text, $5::bigint
        where (select count(*) from accounts_oidc_sign_in where business_id = $2) < $6`,
        [
          stateHash,
          signIn.businessId,
          signIn.browserHash,
          signIn.sealedChecks,
          signIn.expiresAt,
          max,
        ],
      ),
    signInOfState: (stateHash: string) =>
      database.one<LeftSignIn>(
        `select business_id as "businessId", browser_hash as "browserHash",
          sealed_checks as "sealedChecks", expires_at as "expiresAt"
        from accounts_oidc_sign_in where state_hash = $1 and code_hash is null`,
        [stateHash],
      ),
    /** 1 for the first that comes back with the state. */
    endSignIn: (stateHash: string, emailKey: string, codeHash: string) =>
      database.run(
        `update accounts_oidc_sign_in set email_key = $2, code_hash = $3
        where state_hash = $1 and code_hash is null`,
        [stateHash, emailKey, codeHash],
      ),
    /** A row for the first that shows the code. */
    takeSignIn: (codeHash: string) =>
      database.one<{ businessId: string; emailKey: string; expiresAt: number }>(
        `delete from accounts_oidc_sign_in where code_hash = $1
        returning business_id as "businessId", email_key as "emailKey",
          expires_at as "expiresAt"`,
        [codeHash],
      ),
    removeOldSignIns: (before: number) =>
      database.run('delete from accounts_oidc_sign_in where expires_at < $1', [before]),
    /** An open invitation of the business to an e-mail address. */
    invitationTo: (businessId: string, emailKey: string, at: number) =>
      database.one<{ tokenHash: string; role: string; groups: string[] | null }>(
        `select token_hash as "tokenHash", role, groups from accounts_invitation
        where business_id = $1 and email_key = $2 and expires_at > $3`,
        [businessId, emailKey, at],
      ),
  }
}

function putProvider(database: Database, provider: StoredProvider, at: number) {
  return database.run(
    `insert into accounts_oidc (business_id, label, issuer, client_id, sealed_secret, domains,
          creates_role, changed_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8)
        on conflict (business_id) do update set label = excluded.label, issuer = excluded.issuer,
          client_id = excluded.client_id, sealed_secret = excluded.sealed_secret,
          domains = excluded.domains, creates_role = excluded.creates_role,
          changed_at = excluded.changed_at`,
    [
      provider.businessId,
      provider.label,
      provider.issuer,
      provider.clientId,
      provider.sealedSecret,
      provider.domains,
      provider.createsRole,
      at,
    ],
  )
}
