import { type Queryable, textArray } from '../../../foundation/database/index.ts'
import type { Tag } from '../identities/identity.ts'
import { awaits, closed, isNew } from './identities.ts'

/** The new fields of identities, the same for each but for tags and certificates. */
export type Whitelisting = {
  /** Each identity once, in one order everywhere: else two writers wait for each other. */
  readonly identities: readonly string[]
  /** The tags of each identity. Undefined: as they were; a new identity has none. */
  readonly tags: readonly (readonly Tag[])[] | undefined
  /** SHA-256 of each one's certificate. Undefined: as they were; a new identity has none. */
  readonly certificates?: readonly string[] | undefined
  /** Undefined: as it was; a new identity is not locked. */
  readonly locked?: boolean | undefined
  readonly reprovision?: boolean | undefined
  /** Undefined: not given. Null: no deadline. */
  readonly activateUntil: number | null | undefined
  /** The deadline if none is given and a window has to open. */
  readonly defaultUntil: number
}

/** An identity that was written. */
export type WhitelistedRow = {
  readonly identity: string
  /** True if it was not there before. */
  readonly added: boolean
  /** The credential that it has, to be removed from caches. */
  readonly credential: string | null
  /** True if the certificate that it was provisioned with is not its own any more. */
  readonly replaced: boolean
}

// The rule: what an identity becomes, from what it is (`i`) and what is said (`excluded`, $4 to
// $10). `$2` is the clock, in microseconds.
const locked = 'coalesce($5::boolean, i.locked)'
const reprovision = 'i.provisioned_at is not null and coalesce($6::boolean, i.reprovision)'
const tags = 'case when $4::text[] is null then i.tags else excluded.tags end'
const deadline = `case
  when $7::boolean then $8::bigint
  when i.provisioned_at is not null and not i.reprovision and $6::boolean then $9::bigint
  when ${awaits} and ${closed} and not coalesce($5::boolean, false) then $9::bigint
  else i.activate_until end`
const certificate =
  'case when $10::text[] is null then i.certificate_given else excluded.certificate_given end'
const newDeadline = 'case when $7::boolean then $8::bigint else $9::bigint end'
const changes = `(i.locked, i.reprovision, i.tags, i.activate_until, i.certificate_given)
  is distinct from (${locked}, ${reprovision}, ${tags}, ${deadline}, ${certificate})`

// Read where rows are returned: the subquery still has them as they were before the statement.
const replaced = `case when $10::text[] is null then false else exists (
  select from provisioning_identity o
  where o.connector_id = i.connector_id and o.identity = i.identity
    and o.provisioned_at is not null and o.auth_type = 'certificate'
    and coalesce(o.certificate_given, o.credential) is distinct from i.certificate_given) end`

const saidRows = `(select identity, coalesce(tags, '[]')::jsonb as tags, certificate_given
  from unnest($3::text[], $4::text[], $10::text[]) as s (identity, tags, certificate_given))
  as excluded`

function toValues(connectorId: string, nowUs: number, said: Whitelisting): unknown[] {
  return [
    connectorId,
    nowUs,
    textArray(said.identities),
    said.tags === undefined ? null : textArray(said.tags.map((one) => JSON.stringify(one))),
    said.locked ?? null,
    said.reprovision ?? null,
    said.activateUntil !== undefined,
    said.activateUntil ?? null,
    said.defaultUntil,
    said.certificates === undefined ? null : textArray(said.certificates),
  ]
}

/**
 * Lets identities in, or changes those that are there; credentials and values stay.
 * @returns those that were written: where nothing changes a row stays as it is, unless it was said
 *   whether it is locked or must activate again.
 */
export async function upsertIdentities(
  database: Queryable,
  connectorId: string,
  nowUs: number,
  said: Whitelisting,
): Promise<WhitelistedRow[]> {
  return database.rows<WhitelistedRow>(
    `insert into provisioning_identity as i
       (connector_id, identity, locked, tags, activate_until, certificate_given, created_at)
     select $1, identity, coalesce($5::boolean, false), tags, ${newDeadline}, certificate_given,
       $2::bigint
     from ${saidRows}
     on conflict (connector_id, identity) do update set
       locked = ${locked},
       reprovision = ${reprovision},
       tags = ${tags},
       activate_until = ${deadline},
       certificate_given = ${certificate}
     where $5::boolean is not null or $6::boolean is not null or ${changes}
     returning identity, ${isNew} as added, credential, ${replaced} as replaced`,
    toValues(connectorId, nowUs, said),
  )
}

/** Returns the rows that `upsertIdentities` would write. */
export async function previewIdentities(
  database: Queryable,
  connectorId: string,
  nowUs: number,
  said: Whitelisting,
): Promise<WhitelistedRow[]> {
  return database.rows<WhitelistedRow>(
    `select excluded.identity, i.identity is null as added, i.credential, false as replaced
     from ${saidRows} left join provisioning_identity i
       on i.connector_id = $1 and i.identity = excluded.identity
     where i.identity is null or ${changes}`,
    toValues(connectorId, nowUs, said),
  )
}
