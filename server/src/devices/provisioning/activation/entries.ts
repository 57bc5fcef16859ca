import type { Transaction } from '../../../foundation/database/index.ts'
import type { Entry, ProvisionedBody, WriteBody } from '../../../log/eventlog/index.ts'
import { findValues, type ProvisionedRow } from '../store/activations.ts'
import type { Resource } from '../values/resource.ts'
import { unacknowledged } from '../values/set-state.ts'
import { type Activation, deviceKey } from './activation.ts'

/** Returns the log's entry of an activation. */
export function provisionedEntry(
  activation: Activation,
  at: number,
  { anew = false, again = false }: Partial<ProvisionedRow> = {},
): Entry {
  const { ip, protocol } = activation.connection
  const body: ProvisionedBody = { ip, protocol, ...(anew && { anew }), ...(again && { again }) }
  return { ...makeEntry(activation, at), kind: 'provisioned', body }
}

/**
 * Returns the entries that set the initial values of new devices; existing values stay. To be
 * called while the devices' partitions are locked: else a value may slip in between.
 */
export async function initialValueEntries(
  transaction: Transaction,
  activations: readonly Activation[],
  at: number,
): Promise<Entry[]> {
  const wanted = activations.flatMap((activation) =>
    [...activation.connector.resources.values()]
      .filter(({ initial, settable }) => settable && initial !== undefined)
      .map((resource) => ({ activation, resource })),
  )
  if (wanted.length === 0) return []
  const taken = new Set(
    (await findValues(transaction, wanted.map(toPlace))).map(({ connectorId, identity, alias }) =>
      valueKey(`${connectorId}/${identity}`, alias),
    ),
  )
  const missing = wanted.filter(
    ({ activation, resource }) => !taken.has(valueKey(deviceKey(activation), resource.alias)),
  )
  return [...Map.groupBy(missing, ({ activation }) => activation)].map(([activation, those]) => {
    const values = Object.fromEntries(
      those.map(({ resource }) => [resource.alias, resource.initial ?? '']),
    )
    const payload = [{ timestamp: at, values }]
    const reported = unacknowledged(activation.connector.resources, Object.keys(values))
    const body: WriteBody = { ip: '', protocol: 'initial', payload, ...reported }
    return { ...makeEntry(activation, at), kind: 'set', body }
  })
}

function toPlace({ activation, resource }: { activation: Activation; resource: Resource }) {
  const { connector, identity } = activation
  return { connectorId: connector.id, identity, alias: resource.alias }
}

/** An identity may hold anything but a control character. */
function valueKey(key: string, alias: string): string {
  return `${key}\0${alias}`
}

function makeEntry({ connector, identity }: Activation, at: number) {
  return { businessId: connector.businessId, connectorId: connector.id, identity, at }
}
