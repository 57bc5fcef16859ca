import type { Transaction } from '../../../foundation/database/index.ts'
import type { IdentityKey } from './activations.ts'
import { awaits } from './identities.ts'

/** An identity whose window closed. */
export type ExpiredRow = IdentityKey & { readonly businessId: string }

/**
 * Marks windows that closed as logged, the first to close first; each is returned once, to the
 * caller that marked it. A locked one is left for the next time.
 */
export async function markExpired(
  transaction: Transaction,
  nowUs: number,
  rowsMax: number,
): Promise<ExpiredRow[]> {
  const rows = await transaction.rows<{
    business_id: string
    connector_id: string
    identity: string
  }>(
    `update provisioning_identity i set deadline_logged = i.activate_until
     from (
       select i.connector_id, i.identity from provisioning_identity i
       where i.activate_until <= $1::bigint and i.deadline_logged is distinct from i.activate_until
         and ${awaits}
       order by i.activate_until limit $2
       for no key update skip locked) p, provisioning_connector c
     where i.connector_id = p.connector_id and i.identity = p.identity
       and c.id = i.connector_id
     returning c.business_id, i.connector_id, i.identity`,
    [nowUs, rowsMax],
  )
  return rows.map((row) => ({
    businessId: row.business_id,
    connectorId: row.connector_id,
    identity: row.identity,
  }))
}
