import type { Connectors } from '../connectors/connectors.ts'
import type { Credentials } from '../credentials/credentials.ts'
import type { IdentityFilterInput } from '../identities/schemas.ts'
import { defaultUntil } from '../identities/whitelist.ts'
import { parseIdentityFilter } from '../identities/windows.ts'
import { provisioningLimits } from '../limits.ts'
import type { ProvisioningOptions } from '../options.ts'
import { orderIdentities } from '../store/reprovision.ts'
import { refuseOrder } from './reprovision.ts'

/**
 * Orders devices to activate again: of the named ones those that are provisioned and have no order
 * yet. Each has the usual window from now on; its credential is unknown, and its connections end.
 * Many are ordered in batches, each in force when it is committed.
 * @throws Fault `not_found`, `invalid_argument`, `reprovision_refused`.
 */
export type OrderReprovision = (
  businessId: string,
  connectorId: string,
  input: IdentityFilterInput,
) => Promise<{ readonly ordered: number }>

export function createOrderReprovision(
  { database, changes, clock }: Pick<ProvisioningOptions, 'database' | 'changes' | 'clock'>,
  connectors: Connectors,
  { revocations }: Pick<Credentials, 'revocations'>,
): OrderReprovision {
  return async (businessId, connectorId, input) => {
    const which = parseIdentityFilter(input)
    const connector = await connectors.get(businessId, connectorId)
    refuseOrder(connector, { reprovision: true })
    const rowsMax = provisioningLimits.revocationBatchMax
    const order = { rowsMax, anew: connector.reprovision.data === 'anew' }
    let ordered = 0
    for (let after = ''; ; ) {
      const activateUntil = defaultUntil(clock.nowUs())
      const { rows, written } = await database.transaction(async (transaction) => {
        const step = { ...order, after, activateUntil }
        const rows = await orderIdentities(transaction, connectorId, which, step)
        const withdrawals = rows.map(({ identity, credential }) => {
          return { identity, credential, code: 'unknown_credential' } as const
        })
        changes.publish(transaction, connector.businessId, 'devices')
        return { rows, written: await revocations.writeIn(transaction, connectorId, withdrawals) }
      })
      revocations.publish(written)
      ordered += rows.length
      after = rows.at(-1)?.identity ?? ''
      if (rows.length < rowsMax) return { ordered }
    }
  }
}
