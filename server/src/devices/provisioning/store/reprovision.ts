import { type Transaction, textArray } from '../../../foundation/database/index.ts'
import type { IdentityFilter } from './windows.ts'

/** Sets whether identities with an order start anew; others do not. */
export async function markValuesReset(
  transaction: Transaction,
  connectorId: string,
  identities: readonly string[],
  anew: boolean,
): Promise<void> {
  await transaction.run(
    `update provisioning_identity as i set clear_values = i.reprovision and $3::boolean
     where i.connector_id = $1 and i.identity = any($2::text[])
       and i.clear_values is distinct from (i.reprovision and $3::boolean)`,
    [connectorId, textArray(identities), anew],
  )
}

export async function clearValuesReset(
  transaction: Transaction,
  connectorId: string,
  identity: string,
): Promise<void> {
  await transaction.run(
    `update provisioning_identity set clear_values = false
     where connector_id = $1 and identity = $2`,
    [connectorId, identity],
  )
}

/** An order of those that are provisioned and have none yet. */
export type OrderPage = {
  /** The start of the order: after this identity; empty: at the first. */
  readonly after: string
  readonly rowsMax: number
  /** Until when they may activate, in microseconds. */
  readonly activateUntil: number
  readonly anew: boolean
}

/** @returns those that were ordered, by name, with the credential that is unknown from now on. */
export async function orderIdentities(
  transaction: Transaction,
  connectorId: string,
  { identity, tag }: IdentityFilter,
  { after, rowsMax, activateUntil, anew }: OrderPage,
): Promise<{ readonly identity: string; readonly credential: string | null }[]> {
  return transaction.rows(
    `with due as (
       select identity from provisioning_identity
       where connector_id = $1 and identity > $2
         and provisioned_at is not null and not reprovision
         and ($3::text is null or identity = $3::text)
         and ($4::jsonb is null or tags @> $4::jsonb)
       order by identity limit $5 for update),
     ordered as (
       update provisioning_identity as i
       set reprovision = true, activate_until = $6::bigint, clear_values = $7::boolean
       from due where i.connector_id = $1 and i.identity = due.identity
       returning i.identity, i.credential)
     select identity, credential from ordered order by identity`,
    [
      connectorId,
      after,
      identity ?? null,
      tag === undefined ? null : JSON.stringify([tag]),
      rowsMax,
      activateUntil,
      anew,
    ],
  )
}
