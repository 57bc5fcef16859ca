import type { Connector } from '../connectors/connector.ts'
import type { Credentials } from '../credentials/credentials.ts'
import type { ProvisioningOptions } from '../options.ts'
import { deleteIdentity } from '../store/identities.ts'
import { countRemoved } from '../store/population.ts'
import { deleteValues } from '../store/values.ts'
import { unknownIdentity } from './records.ts'

/**
 * Ends an identity with its credential and its values, and appends the entry. The values go last:
 * only once the append holds the device's partition has every write before it been committed.
 * @throws Fault `unknown_identity`.
 */
export async function remove(
  { database, eventlog, clock }: ProvisioningOptions,
  credentials: Credentials,
  connector: Connector,
  identity: string,
): Promise<void> {
  const written = await database.transaction(async (transaction) => {
    const deleted = await deleteIdentity(transaction, connector.id, identity)
    if (deleted === undefined) throw unknownIdentity()
    await countRemoved(transaction, connector.id)
    const { id: connectorId, businessId } = connector
    const entry = { businessId, connectorId, identity, at: clock.nowUs(), body: {} }
    await eventlog.appendIn(transaction, [{ ...entry, kind: 'deleted' }])
    await deleteValues(transaction, connector.id, identity)
    const { tokenHash } = deleted
    const withdrawal = { identity, tokenHash, code: 'unknown_credential' } as const
    return credentials.revocations.writeIn(transaction, connectorId, [withdrawal])
  })
  credentials.revocations.publish(written)
}
