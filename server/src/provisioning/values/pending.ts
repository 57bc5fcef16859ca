import type { Database } from '../../database/index.ts'
import type { Device } from '../device.ts'
import { readPending } from '../store/values.ts'

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
