import { type Queryable, type Transaction, textArray } from '../../../foundation/database/index.ts'
import { limits } from '../../../foundation/kernel/index.ts'
import type { AuthType } from '../credentials/auth-type.ts'
import type { Status } from '../identities/identity.ts'
import { activatable, awaits, isNew, status } from './identities.ts'

/** A device's credential. */
export type StoredCredential = {
  readonly authType: AuthType
  /** The SHA-256 of a token or a certificate, as hexadecimal digits, or a password's argon2id. */
  readonly hash: string
  /** True if it is about to cross a connection that is not encrypted. */
  readonly plain: boolean
}

/** An identity to be provisioned with a credential. */
export type ProvisionStep = {
  readonly connectorId: string
  readonly identity: string
  readonly credential: StoredCredential
  /** True if it is created without a whitelisting. */
  readonly registers: boolean
  /** The address to which its token is sent; null: it was given by others. */
  readonly ip: string | null
}

export type IdentityKey = { readonly connectorId: string; readonly identity: string }

export type ValueKey = IdentityKey & { readonly alias: string }

/** An identity that was provisioned a moment ago. */
export type ProvisionedRow = IdentityKey & {
  /** True if it was ordered to start without the values of before. */
  readonly anew: boolean
  /** True if it registered itself: it was not there before. */
  readonly added: boolean
  /** True if it had a token that it never used, which ended. */
  readonly again: boolean
}

type NamedRow = { readonly connector_id: string; readonly identity: string }
type RawProvisionedRow = NamedRow & Pick<ProvisionedRow, 'anew' | 'added' | 'again'>

/** The treatment of rows that another transaction has locked. */
export type LockedRows = 'left out' | 'waited for'

const unseen = `and not exists (
  select from provisioning_identity k
  where k.connector_id = n.connector_id and k.identity = n.identity)`

/** The guard of a second activation, by the device whose token was lost, from its address. */
const retryable = (ip: string, forUs: string) => `not i.locked and not ${awaits}
  and i.unused_hash = i.credential and i.unused_ip = ${ip}
  and i.provisioned_at > $2::bigint - ${forUs}::bigint`

// An identity that is not whitelisted is not written, unless it registers itself; the rest is
// locked first, so that it cannot be removed in between, which would create it again. Each is
// looked up by its key, whatever statistics the planner has of the table: what locks rows is not
// joined in another way. An identity that is left out may not register itself either, for that
// would wait for its row.
const provisionText = (held: LockedRows) => `
  with held as (
    select n.connector_id, n.identity, n.auth_type, n.credential, n.plain, n.ip
    from unnest($1::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
           as n (connector_id, identity, auth_type, credential, plain, registers, ip)
      left join lateral (
        select true as there from provisioning_identity h
        where h.connector_id = n.connector_id and h.identity = n.identity
        for no key update ${held === 'left out' ? 'skip locked' : ''}) h on true
    where h.there or (n.registers::boolean ${held === 'left out' ? unseen : ''})
  )
  insert into provisioning_identity as i
    (connector_id, identity, locked, tags, created_at, auth_type, credential, devmode,
     provisioned_at, unused_hash, unused_ip)
  select connector_id, identity, false, '[]'::jsonb, $2::bigint, auth_type, credential,
    plain::boolean, $2::bigint,
    case when $9::bigint > 0 and auth_type = 'token' and ip is not null then credential end, ip
  from held
  on conflict (connector_id, identity) do update set
    auth_type = excluded.auth_type, credential = excluded.credential,
    devmode = excluded.devmode, provisioned_at = excluded.provisioned_at,
    reprovision = false, activate_until = null, unused_ip = excluded.unused_ip,
    unused_hash = case when ${awaits} then excluded.unused_hash end
  where (${activatable}) or (${retryable('excluded.unused_ip', '$9')})
  returning connector_id, identity, clear_values as anew, ${isNew} as added,
    $9::bigint > 0 and auth_type = 'token' and unused_hash is null as again`

const provisionTexts: Readonly<Record<LockedRows, string>> = {
  'left out': provisionText('left out'),
  'waited for': provisionText('waited for'),
}

/** Bounds the waits for locked rows; a longer one fails, see `waitedTooLong`. */
export async function waitAtMost(transaction: Transaction, ms: number): Promise<void> {
  await transaction.run("select set_config('lock_timeout', $1, true)", [`${ms}ms`])
}

/**
 * The guarded step to `provisioned`, for each of several.
 * @param steps each identity once, in one order everywhere: else two wait for each other.
 * @returns those that took it; the others are locked, or their state does not allow it.
 */
export async function provisionIdentities(
  transaction: Transaction,
  nowUs: number,
  steps: readonly ProvisionStep[],
  held: LockedRows,
): Promise<ProvisionedRow[]> {
  const credentials = steps.map((step) => step.credential)
  const rows = await transaction.rows<RawProvisionedRow>(provisionTexts[held], [
    textArray(steps.map((step) => step.connectorId)),
    nowUs,
    textArray(steps.map((step) => step.identity)),
    textArray(credentials.map((one) => one.authType)),
    textArray(credentials.map((one) => one.hash)),
    textArray(credentials.map((one) => String(one.plain))),
    textArray(steps.map((step) => String(step.registers))),
    textArray(steps.map((step) => step.ip)),
    limits.activationRetryMinutes * usPerMinute,
  ])
  return rows.map((row) => {
    return { ...toIdentityKey(row), anew: row.anew, added: row.added, again: row.again }
  })
}

const usPerMinute = 60_000_000

/**
 * Notes that a device uses its token, which it cannot activate again from then on.
 * @returns false if it has another one meanwhile.
 */
export async function noteTokenUsed(
  database: Queryable,
  { connectorId, identity }: IdentityKey,
  tokenHash: string,
): Promise<boolean> {
  const row = await database.one(
    `update provisioning_identity set unused_hash = null
     where connector_id = $1 and identity = $2 and credential = $3 returning 1 as used`,
    [connectorId, identity, tokenHash],
  )
  return row !== undefined
}

/** Returns true if a device has the token, or is about to have it. */
export async function isTokenTaken(database: Queryable, tokenHash: string): Promise<boolean> {
  const row = await database.one(
    `select 1 as taken from provisioning_identity where auth_type = 'token' and credential = $1
     union all select 1 from provisioning_rotation where credential = $1 limit 1`,
    [tokenHash],
  )
  return row !== undefined
}

/** Reads the values that are there, of some resources of some devices. */
export async function findValues(
  transaction: Transaction,
  places: readonly ValueKey[],
): Promise<ValueKey[]> {
  const rows = await transaction.rows<NamedRow & { readonly alias: string }>(
    `select r.connector_id, r.identity, r.alias
     from unnest($1::text[], $2::text[], $3::text[]) as n (connector_id, identity, alias), lateral (
       select v.connector_id, v.identity, v.alias from provisioning_value v
       where v.connector_id = n.connector_id and v.identity = n.identity and v.alias = n.alias
       limit 1) r`,
    [
      textArray(places.map((one) => one.connectorId)),
      textArray(places.map((one) => one.identity)),
      textArray(places.map((one) => one.alias)),
    ],
  )
  return rows.map((row) => ({ ...toIdentityKey(row), alias: row.alias }))
}

/** The state of an identity that decides if it may be provisioned. */
export type Readiness = IdentityKey & {
  readonly status: Status
  /** True if the device at the address may activate again: its token was lost. */
  readonly mayRetry: boolean
  readonly certificateGiven: string | null
}

/** Reads the readiness of those that are there. */
export async function readReadiness(
  database: Queryable,
  nowUs: number,
  identities: readonly (IdentityKey & { readonly ip: string | null })[],
): Promise<Readiness[]> {
  type Row = NamedRow & {
    readonly status: Status
    readonly may_retry: boolean
    readonly certificate_given: string | null
  }
  const rows = await database.rows<Row>(
    `select r.connector_id, r.identity, r.certificate_given, r.status, r.may_retry
     from unnest($1::text[], $3::text[], $4::text[]) as n (connector_id, identity, ip), lateral (
       select i.connector_id, i.identity, i.certificate_given, ${status} as status,
         coalesce(${retryable('n.ip', '$5')}, false) as may_retry
       from provisioning_identity i
       where i.connector_id = n.connector_id and i.identity = n.identity limit 1) r`,
    [
      textArray(identities.map((one) => one.connectorId)),
      nowUs,
      textArray(identities.map((one) => one.identity)),
      textArray(identities.map((one) => one.ip)),
      limits.activationRetryMinutes * usPerMinute,
    ],
  )
  return rows.map((row) => ({
    ...toIdentityKey(row),
    status: row.status,
    mayRetry: row.may_retry,
    certificateGiven: row.certificate_given,
  }))
}

function toIdentityKey(row: NamedRow): IdentityKey {
  return { connectorId: row.connector_id, identity: row.identity }
}
