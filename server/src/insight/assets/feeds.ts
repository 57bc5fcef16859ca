import type { Database } from '../../foundation/database/index.ts'
import { LruMap, limits } from '../../foundation/kernel/index.ts'
import type { Generations } from './generations.ts'
import { deviceKey } from './store/channels.ts'
import { readFeeds } from './store/signals.ts'
import type { Feed, OwnedDevice } from './types.ts'

/** A device's feeds, and the generation of its business's structure read before them. */
type Kept = { readonly generation: number; readonly feeds: readonly Feed[] }

/**
 * Caches the feeds of devices while their business's structure does not change. Its generation is
 * read each time, so a change in another process counts at once. A device may be named as often as
 * it wrote.
 */
export function createFeeds(database: Database) {
  const kept = new LruMap<string, Kept>(limits.feedsRememberedMax, { sizeOf })

  async function load(
    devices: ReadonlyMap<string, OwnedDevice>,
    generationFor: (device: OwnedDevice) => number,
  ): Promise<Feed[]> {
    const found = await readFeeds(database, [...devices.values()])
    const fresh = Map.groupBy(found, (feed) => deviceKey(feed.signal.businessId, feed))
    for (const [key, device] of devices) {
      kept.set(key, { generation: generationFor(device), feeds: fresh.get(key) ?? [] })
    }
    return found
  }

  return async (devices: readonly OwnedDevice[], generations: Generations): Promise<Feed[]> => {
    const once = new Map(devices.map((device) => [deviceKey(device.businessId, device), device]))
    if (once.size === 0) return []
    const generationFor = ({ businessId }: OwnedDevice) => generations.get(businessId) ?? 0
    const feeds: Feed[] = []
    const missing = new Map<string, OwnedDevice>()
    for (const [key, device] of once) {
      const known = kept.get(key)
      if (known?.generation !== generationFor(device)) missing.set(key, device)
      else feeds.push(...known.feeds)
    }
    if (missing.size > 0) feeds.push(...(await load(missing, generationFor)))
    return feeds.sort((a, b) => a.signal.key - b.signal.key)
  }
}

/** A device that feeds nothing is remembered too. */
function sizeOf({ feeds }: Kept): number {
  return 1 + feeds.length
}
