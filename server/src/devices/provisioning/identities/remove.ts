import type { Transaction } from '../../../foundation/database/index.ts'
import type { Connector } from '../connectors/connector.ts'
import type { Credentials } from '../credentials/credentials.ts'
import type { ProvisioningOptions } from '../options.ts'
import { deleteIdentities } from '../store/identities.ts'
import { countRemoved } from '../store/population.ts'
import type { Revocation } from '../store/revocations.ts'
import { deleteValues } from '../store/values.ts'
import { unknownIdentity } from './records.ts'

/**
 * Ends an identity with its credential and its values, and appends the entry.
 * @throws Fault `unknown_identity`.
 */
export async function remove(
  options: ProvisioningOptions,
  { revocations }: Pick<Credentials, 'revocations'>,
  connector: Connector,
  identity: string,
): Promise<void> {
  const written = await options.database.transaction(async (transaction) => {
    const withdrawals = await removeIn(options, transaction, connector, [identity])
    if (withdrawals.length === 0) throw unknownIdentity()
    return revocations.writeIn(transaction, connector.id, withdrawals)
  })
  revocations.publish(written)
}

/**
 * Ends identities inside a transaction; names without an identity are left out. The values go last:
 * only once the append holds the devices' partitions has every write before it been committed.
 * @returns what is to be written as the last step, and published after the commit.
 */
export async function removeIn(
  { eventlog, clock }: Pick<ProvisioningOptions, 'eventlog' | 'clock'>,
  transaction: Transaction,
  { id: connectorId, businessId }: Connector,
  identities: readonly string[],
): Promise<Revocation[]> {
  const deleted = await deleteIdentities(transaction, connectorId, identities)
  if (deleted.length === 0) return []
  await countRemoved(transaction, connectorId, deleted.length)
  const at = clock.nowUs()
  const entries = deleted.map(({ identity }) => {
    return { businessId, connectorId, identity, at, kind: 'deleted', body: {} } as const
  })
  await eventlog.appendIn(transaction, entries)
  const names = deleted.map(({ identity }) => identity)
  await deleteValues(transaction, connectorId, names)
  return deleted.map(({ identity, credential }) => {
    return { identity, credential, code: 'unknown_credential' }
  })
}
