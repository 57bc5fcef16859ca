import type { Business } from '../accounts/index.ts'
import type { Platform } from '../platform.ts'
import { type Option, UsageError } from './command.ts'

/** The option of every command that works inside a business. */
export const businessOption: Option = {
  meaning: 'The name or id of the business. Default: the only one, or that of the connector.',
}

/** The option of every command that works on a connector. */
export const connectorOption: Option = {
  meaning: 'The id of the connector, the first label of its host.',
  required: true,
}

/** The business that a command means. @throws UsageError where that is not clear. */
export async function businessOf(platform: Platform, name: string | undefined): Promise<Business> {
  if (name !== undefined) {
    const found = await platform.accounts.findBusiness(name)
    if (found === undefined) throw new UsageError(`there is no business "${name}"`)
    return found
  }
  const [only, ...others] = await platform.accounts.listBusinesses()
  if (only === undefined) throw new UsageError('there is no business yet: millrace business create')
  if (others.length > 0) throw new UsageError('--business is missing: there are several')
  return only
}

/**
 * The business of a command that names a connector: left out, it follows from the connector's id,
 * which is a label of a host and so one of its kind. @throws UsageError where that is not clear.
 */
export async function ownerOf(
  platform: Platform,
  name: string | undefined,
  connectorId: string,
): Promise<Business> {
  if (name !== undefined) return businessOf(platform, name)
  const connector = await platform.provisioning.connectors.find(connectorId)
  return businessOf(platform, connector?.businessId)
}
