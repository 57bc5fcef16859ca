import { type Queryable, type Transaction, textArray } from '../../../foundation/database/index.ts'

export type RevocationCode =
  | 'locked'
  | 'unknown_credential'
  | 'certificate_mismatch'
  | 'credential_replaced'

/** An identity whose cached credential is outdated; most end its open connections, too. */
export type Revocation = {
  /** Null: every identity of the connector is checked again, because its rules have changed. */
  readonly identity: string | null
  /** The hash of the credential that caches may hold; null: none. */
  readonly credential: string | null
  /** The refusal that the device gets from now on; null: none, it was unlocked. */
  readonly code: RevocationCode | null
  /** The hash of its valid credential: connections opened with that one stay open. */
  readonly spares?: string | null
}

type RevocationRow = {
  readonly seq: number
  readonly connector_id: string
  readonly identity: string | null
  readonly credential: string | null
  readonly code: Revocation['code']
  readonly remaining_hash: string | null
}

/**
 * Inserts revocations, as the last step of a transaction: other transactions that revoke wait for
 * it.
 * @param revocations of one connector, at least one.
 * @returns the number of the first of them; the others follow in their order.
 */
export async function insertRevocations(
  transaction: Transaction,
  connectorId: string,
  nowUs: number,
  revocations: readonly Revocation[],
): Promise<number> {
  const head = await transaction.one<{ last: number }>(
    'update provisioning_revocation_head set last = last + $1::bigint where id = 1 returning last',
    [revocations.length],
  )
  if (head === undefined) throw new Error('provisioning_revocation_head has lost its row')
  const before = head.last - revocations.length
  await transaction.run(
    `insert into provisioning_revocation
       (seq, connector_id, identity, credential, code, remaining_hash, at)
     select $1::bigint + s.ord, $2, s.identity, s.credential, s.code, s.remaining_hash, $3::bigint
     from unnest($4::text[], $5::text[], $6::text[], $7::text[]) with ordinality
       as s (identity, credential, code, remaining_hash, ord)`,
    [
      before,
      connectorId,
      nowUs,
      textArray(revocations.map(({ identity }) => identity)),
      textArray(revocations.map(({ credential }) => credential)),
      textArray(revocations.map(({ code }) => code)),
      textArray(revocations.map(({ spares = null }) => spares)),
    ],
  )
  return before + 1
}

/** The number of the newest one that is committed. */
export async function readRevocationHead(database: Queryable): Promise<number> {
  const head = await database.one<{ last: number }>(
    'select last from provisioning_revocation_head where id = 1',
  )
  return head?.last ?? 0
}

/** Reads the revocations of every connector after a number, in their order. */
export async function listRevocations(
  database: Queryable,
  after: number,
  rowsMax: number,
): Promise<RevocationRow[]> {
  return database.rows<RevocationRow>(
    `select seq, connector_id, identity, credential, code, remaining_hash
     from provisioning_revocation where seq > $1::bigint order by seq limit $2`,
    [after, rowsMax],
  )
}

export async function deleteRevocations(database: Queryable, beforeUs: number): Promise<void> {
  await database.run('delete from provisioning_revocation where at < $1::bigint', [beforeUs])
}
