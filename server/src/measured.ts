import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DeviceMqtt } from './device-api/index.ts'
import type { Listeners } from './http/index.ts'
import { Metrics, openMetrics } from './metrics/index.ts'
import type { Platform } from './platform.ts'

const manifest = readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')
const { version } = JSON.parse(manifest) as { readonly version: string }

/** Nothing is measured where nobody can read it. */
export function createMetrics(
  platform: Platform,
  listeners: Promise<Listeners>,
  mqtt: DeviceMqtt,
  isDraining: () => boolean,
) {
  const { config, eventlog, jobs, database, clock, logger } = platform
  if (config.metrics === undefined) return { metricsServer: undefined, observe: undefined }
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
  return {
    metricsServer: openMetrics({ metrics, version, roles: config.roles, unwritable, isDraining }),
    observe: metrics.observeRequest.bind(metrics),
  }
}
