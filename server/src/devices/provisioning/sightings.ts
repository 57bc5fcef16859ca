import { DelayedFlush, limits } from '../../foundation/kernel/index.ts'
import type { Connector } from './connectors/connector.ts'
import { onlineBetween } from './identities/records.ts'
import { provisioningLimits } from './limits.ts'
import type { ProvisioningOptions } from './options.ts'
import { markPlain, type PlainUse, type Sighting, writeSightings } from './store/sightings.ts'

/** Devices that wait to be written as seen; past it a sighting is dropped. */
const presenceNotesMax = 100_000

type Seen = Pick<Connector, 'id' | 'businessId'>

/** Times when devices were seen, written in batches; a power cut loses a second of them. */
export type Sightings = {
  seen(connector: Seen, identity: string, ip: string): void
  /** Notes a credential on a plain connection. False if too many wait: to be called again. */
  notePlainUse(crossing: PlainUse): boolean
  /** Resolves once everything noted so far is written, or failed. */
  flush(): Promise<void>
  close(): Promise<void>
}

type SightingsOptions = Pick<ProvisioningOptions, 'database' | 'changes' | 'clock' | 'logger'>

type ByKey<Note> = ReadonlyMap<string, Note>

export function createSightings(options: SightingsOptions): Sightings {
  const { database, changes, clock, logger } = options
  let sightings = new Map<string, Sighting>()
  let plain = new Map<string, PlainUse>()
  const flushing = new DelayedFlush(write, limits.presenceFlushMs)

  async function write(): Promise<void> {
    const seen = sightings
    const crossed = plain
    sightings = new Map()
    plain = new Map()
    try {
      for (const batch of batches([...crossed.values()])) await markPlain(database, batch)
      const online = onlineBetween(clock.nowUs())
      for (const some of batches([...seen.values()])) {
        const businessIds = await writeSightings(database, some, online)
        for (const id of businessIds) changes.publish(database, id, 'devices')
      }
    } catch (error) {
      logger.warn({ err: error, devices: seen.size }, 'writing last-seen times failed; retrying')
      putBack(seen, crossed)
    }
  }

  /** Puts back what could not be written; newer notes stay. */
  function putBack(seen: ByKey<Sighting>, crossed: ByKey<PlainUse>): void {
    for (const [key, sighting] of seen) {
      if (sightings.size >= presenceNotesMax) break
      if (!sightings.has(key)) sightings.set(key, sighting)
    }
    for (const [secretHash, crossing] of crossed) {
      if (plain.size < presenceNotesMax) plain.set(secretHash, crossing)
    }
    flushing.schedule()
  }

  return {
    seen({ id: connectorId, businessId }, identity, ip) {
      const key = `${connectorId}/${identity}`
      if (sightings.size >= presenceNotesMax && !sightings.has(key)) return
      sightings.set(key, { businessId, connectorId, identity, ip, at: clock.nowUs() })
      flushing.schedule()
    },
    notePlainUse(crossing) {
      if (plain.size >= presenceNotesMax) return false
      plain.set(crossing.secretHash, crossing)
      flushing.schedule()
      return true
    },
    flush: () => flushing.flush(),
    close: () => flushing.close(),
  }
}

function batches<Item>(items: readonly Item[]): Item[][] {
  const size = provisioningLimits.presenceBatchMax
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
}
