import type { Database } from '../database/index.ts'
import { feedsOf } from './store/signals.ts'
import type { Feed, OwnedDevice } from './types.ts'

/** One query for a batch, in which a device may be named as often as it wrote. */
export async function feeds(database: Database, devices: readonly OwnedDevice[]): Promise<Feed[]> {
  const once = new Map(devices.map((device) => [JSON.stringify(nameOf(device)), device]))
  if (once.size === 0) return []
  const found = await feedsOf(database, [...once.values()])
  return found.sort((a, b) => a.signal.key - b.signal.key)
}

function nameOf({ businessId, connectorId, identity }: OwnedDevice) {
  return [businessId, connectorId, identity]
}
