import {
  type Queryable,
  readDependants,
  type Transaction,
} from '../../../foundation/database/index.ts'
import type { Dependants } from '../../../foundation/kernel/index.ts'

export function groupDevices(queryable: Queryable, groupId: string): Promise<Dependants[]> {
  const from = 'provisioning_identity where group_id = $1'
  const asked = { effect: 'moved', values: [groupId] } as const
  return readDependants(queryable, asked, [{ kind: 'devices', from, name: 'identity' }])
}

export async function moveGroupDevices(
  transaction: Transaction,
  from: string,
  to: string,
): Promise<void> {
  const text = 'update provisioning_identity set group_id = $2 where group_id = $1'
  await transaction.run(text, [from, to])
}

/** Connectors of a business, with the number of all their devices. */
export async function provisioningDependants(
  queryable: Queryable,
  businessId: string,
): Promise<Dependants[]> {
  const from = 'provisioning_connector where business_id = $1'
  const asked = { effect: 'deleted', values: [businessId] } as const
  const found = await readDependants(queryable, asked, [{ kind: 'connectors', from, name: 'id' }])
  const count = `
    select coalesce(sum(p.identities), 0)::bigint as count
    from provisioning_population p join provisioning_connector c on c.id = p.connector_id
    where c.business_id = $1`
  const devices = await queryable.one<{ count: number }>(count, asked.values)
  const { effect } = asked
  if (devices === undefined || devices.count === 0) return found
  return [...found, { kind: 'devices', effect, count: devices.count, names: [] }]
}

/** The rows that belong to a connector, and go with it. */
export function connectorDependants(
  queryable: Queryable,
  connectorId: string,
): Promise<Dependants[]> {
  const where = 'where connector_id = $1'
  const value = "identity || ' ' || alias"
  return readDependants(queryable, { effect: 'deleted', values: [connectorId] }, [
    { kind: 'devices', from: `provisioning_identity ${where}`, name: 'identity' },
    { kind: 'values', from: `provisioning_value ${where}`, name: value },
    { kind: 'contents', from: `provisioning_content ${where}`, name: 'id' },
  ])
}

/** Returns whether rows of connectors that a business had wait to be removed. */
export async function hasRemovals(queryable: Queryable, businessId: string): Promise<boolean> {
  const text = 'select connector_id from provisioning_removal where business_id = $1 limit 1'
  return (await queryable.one(text, [businessId])) !== undefined
}
