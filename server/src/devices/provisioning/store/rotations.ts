import type { Queryable, Transaction } from '../../../foundation/database/index.ts'
import type { AuthType } from '../credentials/auth-type.ts'
import { awaits, current, isRotated } from './identities.ts'

/** The state of a credential, which decides the next steps. */
export type RotationRow = {
  readonly auth_type: AuthType | null
  readonly locked: boolean
  readonly awaits: boolean
  /** The hash of the credential in force. */
  readonly current: string | null
  /** Null: no rotation is open. Microseconds, as each time here. */
  readonly until: number | null
  readonly opened_at: number | null
  /** The hash of the new credential; null: there is none yet. */
  readonly next: string | null
  readonly fetched_at: number | null
}

const columns = `i.auth_type, i.locked, ${awaits} as awaits,
  ${current} as current, r.until, r.opened_at, r.credential as next, r.fetched_at`

/** An identity with its rotation. */
export async function readRotation(
  database: Queryable,
  connectorId: string,
  identity: string,
): Promise<RotationRow | undefined> {
  return database.one<RotationRow>(
    `select ${columns}
     from provisioning_identity i left join provisioning_rotation r on ${isRotated}
     where i.connector_id = $1 and i.identity = $2`,
    [connectorId, identity],
  )
}

/** The same, held until the end of the transaction: every step of a rotation begins with it. */
export async function lockRotation(
  transaction: Transaction,
  connectorId: string,
  identity: string,
): Promise<RotationRow | undefined> {
  await transaction.one(
    `select identity from provisioning_identity
     where connector_id = $1 and identity = $2 for update`,
    [connectorId, identity],
  )
  return readRotation(transaction, connectorId, identity)
}

/** A new credential, of the method of the device. */
export type NextCredential = {
  readonly hash: string
  /** True if it crosses a connection that is not encrypted. */
  readonly plain: boolean
  /** The time at which the device fetched it; null: the operator gave it. */
  readonly fetchedAt: number | null
}

/** Opens a rotation of the credential in force, or gives an open one more or less time. */
export async function openRotation(
  transaction: Transaction,
  connectorId: string,
  identity: string,
  { nowUs, until }: { readonly nowUs: number; readonly until: number },
): Promise<void> {
  await transaction.run(
    `insert into provisioning_rotation as r
       (connector_id, identity, replaces, provisioned_at, until, opened_at, plain)
     select i.connector_id, i.identity, ${current}, i.provisioned_at, $4::bigint, $3::bigint, false
     from provisioning_identity i
     where i.connector_id = $1 and i.identity = $2
     on conflict (connector_id, identity) do update set until = excluded.until`,
    [connectorId, identity, nowUs, until],
  )
}

export async function setNextCredential(
  transaction: Transaction,
  connectorId: string,
  identity: string,
  { hash, plain, fetchedAt }: NextCredential,
): Promise<void> {
  await transaction.run(
    `update provisioning_rotation set credential = $3, plain = $4::boolean,
       fetched_at = $5::bigint
     where connector_id = $1 and identity = $2`,
    [connectorId, identity, hash, plain, fetchedAt],
  )
}

/**
 * The guarded step by which the new credential becomes the only one.
 * @param next the hash of the new one.
 * @returns false where the rotation is not open, or has another new credential.
 */
export async function replaceCredential(
  transaction: Transaction,
  connectorId: string,
  identity: string,
  next: string,
): Promise<boolean> {
  const changed = await transaction.run(
    `update provisioning_identity as i set credential = r.credential, devmode = r.plain,
       certificate_given = case when i.auth_type = 'certificate' then r.credential
         else i.certificate_given end
     from provisioning_rotation r
     where i.connector_id = $1 and i.identity = $2 and ${isRotated} and r.credential = $3
       and not ${awaits}`,
    [connectorId, identity, next],
  )
  return changed === 1
}

export async function deleteRotation(
  transaction: Transaction,
  connectorId: string,
  identity: string,
): Promise<void> {
  await transaction.run(
    'delete from provisioning_rotation where connector_id = $1 and identity = $2',
    [connectorId, identity],
  )
}

/** Reads the rotations of every connector whose time is over, the longest first. */
export async function listOverdue(
  database: Queryable,
  nowUs: number,
  rowsMax: number,
): Promise<{ readonly connectorId: string; readonly identity: string }[]> {
  return database.rows(
    `select connector_id as "connectorId", identity from provisioning_rotation
     where until <= $1::bigint order by until limit $2`,
    [nowUs, rowsMax],
  )
}
