import type { DeviceRef } from '../assets/index.ts'
import { Fault } from '../kernel/index.ts'
import type { Context } from './context.ts'

/**
 * Assets know connectors by their ids only, so whose they are is asked here.
 * @throws Fault `not_found` for a connector that is not the business's own.
 */
export async function requireOwnDevices(
  { provisioning, businessId }: Context,
  devices: readonly DeviceRef[],
): Promise<void> {
  if (devices.length === 0) return
  const own = new Set((await provisioning.connectors.list(businessId)).map(({ id }) => id))
  const foreign = devices.find(({ connectorId }) => !own.has(connectorId))
  if (foreign === undefined) return
  throw new Fault('not_found', `There is no connector ${foreign.connectorId}.`)
}
