import type { Database } from '../../../foundation/database/index.ts'
import type { WriteBody } from '../../../log/eventlog/index.ts'
import type { Connector } from '../connectors/connector.ts'
import type { Device } from '../device.ts'
import { unknownIdentity } from '../identities/records.ts'
import type { ProvisioningOptions } from '../options.ts'
import { readIdentity } from '../store/identities.ts'
import { readPending } from '../store/values.ts'
import { parseSetValues, type Resources } from './resource.ts'

/**
 * Sets values of a device; durable when it resolves, and then on the way to it.
 * @throws Fault `not_settable`, `value_refused`, `invalid_argument`, `unknown_identity`, and what
 *   an append throws.
 */
export async function setState(
  { database, eventlog, clock }: ProvisioningOptions,
  connector: Connector,
  identity: string,
  input: unknown,
  { ip }: { readonly ip: string },
): Promise<void> {
  const values = parseSetValues(connector.resources, input)
  const at = clock.nowUs()
  const row = await readIdentity(database, connector.id, identity, at)
  if (row === undefined) throw unknownIdentity()
  const reported = unacknowledged(connector.resources, Object.keys(values))
  const body: WriteBody = { ip, protocol: 'api', payload: [{ timestamp: at, values }], ...reported }
  const { id: connectorId, businessId } = connector
  await eventlog.append({ businessId, connectorId, identity, kind: 'set', at, body })
}

/**
 * Returns those of the aliases that no device acknowledges: behind a connector of another cloud is
 * nobody who could write them back, so the value that is set is the value.
 */
export function unacknowledged(
  resources: Resources,
  aliases: readonly string[],
): Pick<WriteBody, 'reported'> {
  const reported = aliases.filter((alias) => resources.get(alias)?.sync === false)
  return reported.length === 0 ? {} : { reported }
}

/** A resource of which the device has not written back what it was set to. */
export type PendingValue = {
  readonly alias: string
  /** Microseconds, as `timestamp` of its value. */
  readonly at: number
}

/** Returns values that the device has not received or acknowledged yet; the oldest first. */
export async function pending(
  database: Database,
  { connector, identity }: Device,
): Promise<readonly PendingValue[]> {
  const resources = [...connector.resources.values()].filter(({ settable }) => settable)
  const aliases = resources.map(({ alias }) => alias)
  return aliases.length === 0 ? [] : readPending(database, connector.id, identity, aliases)
}
