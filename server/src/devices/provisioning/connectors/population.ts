import type { Transaction } from '../../../foundation/database/index.ts'
import { Fault } from '../../../foundation/kernel/index.ts'
import type { ProvisioningQuotas } from '../options.ts'
import { countAdded } from '../store/population.ts'

/*
 * The number of a connector's identities. Each that is added counts, however it came: whitelisted,
 * by a file, or by registering itself. The count is written in the transaction of what it counts,
 * so that of many at once exactly as many come in as there is room for.
 */

type Counted = { readonly id: string; readonly identitiesMax: number }

export function connectorFull({ identitiesMax }: Omit<Counted, 'id'>): Fault {
  const noun = identitiesMax === 1 ? 'identity' : 'identities'
  return new Fault(
    'connector_full',
    `The connector has ${identitiesMax} ${noun}, the most that its settings allow.`,
  )
}

/** @throws Fault `connector_full`, `business_quota_full`: no room for those that were added. */
export async function countIn(
  transaction: Transaction,
  connector: Counted & { readonly businessId: string },
  added: number,
  quotas: ProvisioningQuotas | undefined,
): Promise<void> {
  if (added === 0) return
  const counted = await countAdded(transaction, new Map([[connector.id, added]]))
  if (!counted.has(connector.id)) throw connectorFull(connector)
  await quotas?.require(transaction, connector.businessId, 'devices')
}
