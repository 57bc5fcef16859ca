import { setTimeout as pause } from 'node:timers/promises'
import { applyLimits, limits } from '../../../server/src/foundation/kernel/index.ts'
import { serve } from '../../../server/src/main.ts'
import type { Served } from '../../../server/src/platform/platform.ts'
import { answerParent } from '../frame/child.ts'
import type { Address } from '../frame/engines.ts'
import { fillHistory } from './history.ts'
import { type Instance, makeFleet, openInstance } from './instance.ts'

/** The platform as the product runs it, with a fleet of devices that are provisioned. */

export type OpenPlatform = {
  readonly address: Address
  readonly devices: number
  /** Without them nothing reads the log while it grows. */
  readonly consumers: boolean
  /** Values of this week that the history holds before; none without it. */
  readonly values?: number
  /**
   * The number of entries for which the caches of credentials and feeds have room; as usual without
   * it.
   */
  readonly caches?: number
  /** Resources of each device, each with a signal; one without it. */
  readonly signals?: number
}

export type OpenedPlatform = {
  readonly port: number
  readonly mqttPort: number
  readonly host: string
  readonly tokens: readonly string[]
}

const settleMsMax = 60_000

let instance: Instance | undefined
let served: Served | undefined
let consuming = false

async function open({
  address,
  devices,
  consumers,
  values = 0,
  caches,
  signals,
}: OpenPlatform): Promise<OpenedPlatform> {
  if (caches !== undefined) {
    applyLimits({ credentialCacheMax: Math.max(caches, limits.credentialCacheMax) })
    applyLimits({ feedsRememberedMax: Math.max(caches, limits.feedsRememberedMax) })
  }
  instance = await openInstance(address)
  const { platform } = instance
  const { connectorId, tokens } = await makeFleet(platform, devices, 'Bench', signals)
  if (values > 0) await fillHistory(platform, values)
  served = await serve(platform)
  consuming = consumers
  if (consumers) await platform.pipelines.caughtUp()
  else await platform.pipelines.stop()
  const port = Number(new URL(served.httpUrl).port)
  const mqttPort = Number(new URL(served.mqttUrl ?? '').port)
  return { port, mqttPort, host: `${connectorId}.${platform.config.domain}`, tokens }
}

/** Stops the consumers until they settle, so that they find all entries of a load at once. */
function hold(): Promise<void> | undefined {
  return instance?.platform.pipelines.stop()
}

/**
 * Waits for the consumers, not for ever.
 * @returns how many entries the slowest of them had still to read when it was asked.
 */
async function settle(): Promise<number> {
  if (consuming) instance?.platform.pipelines.start()
  const { stages } = (await instance?.platform.eventlog.ledger.verify()) ?? { stages: [] }
  const waited = new AbortController()
  const patience = pause(settleMsMax, undefined, { signal: waited.signal }).catch(() => {})
  if (consuming) await Promise.race([instance?.platform.pipelines.caughtUp(), patience])
  waited.abort()
  return Math.max(0, ...stages.map(({ pending }) => pending))
}

/** Waits for the consumers, and asks the database nothing else. */
const caughtUp = () => instance?.platform.pipelines.caughtUp()
const resident = () => process.memoryUsage.rss()

answerParent({ open, hold, settle, caughtUp, resident }, async () => {
  await served?.close()
  await instance?.removeFolder()
})
