import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DeviceMqtt } from './device-api/index.ts'
import type { Listeners } from './http/index.ts'
import { logStages, Metrics, openMetrics, openTraces } from './metrics/index.ts'
import type { Platform } from './platform.ts'

const manifest = readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')
const { version } = JSON.parse(manifest) as { readonly version: string }

/**
 * Lets metrics, log lines and traces read what the modules do, as far as the settings ask for them.
 */
export async function observe(...parts: Parameters<typeof createMetrics>) {
  const [{ config, secrets, clock, logger }] = parts
  const endLines = config.logLevel === 'debug' ? logStages(logger) : undefined
  const endTraces =
    config.traces &&
    (await openTraces({
      settings: config.traces,
      namespace: secrets.check(),
      version,
      clock,
      logger,
    }))
  return {
    metricsServer: createMetrics(...parts),
    async end() {
      endLines?.()
      await endTraces?.()
    },
  }
}

/** Nothing is measured where nobody can read it. */
function createMetrics(
  platform: Platform,
  listeners: Promise<Listeners>,
  mqtt: DeviceMqtt,
  isDraining: () => boolean,
) {
  const { config, eventlog, jobs, database, clock, logger } = platform
  if (config.metrics === undefined) return undefined
  const stages = async () => (await eventlog.ledger.verify()).stages
  const sources = {
    stages,
    jobs: () => jobs.counts(),
    certificates: async () => (await listeners).certificates(),
    mqttClients: () => mqtt.clients,
    connections: () => database.connections(),
  }
  const metrics = new Metrics({ sources, version, clock, logger })
  const { unwritable } = database
  return openMetrics({ metrics, version, roles: config.roles, unwritable, isDraining })
}
