import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Listeners } from '../../api/http/index.ts'
import type { DeviceMqtt } from '../../devices/device-api/index.ts'
import { parseOwnJson } from '../../foundation/kernel/index.ts'
import {
  logStages,
  Metrics,
  metricLimits,
  openMetrics,
  reasonAgainst,
  startSpans,
} from '../metrics/index.ts'
import type { Platform } from '../platform.ts'
import { openCollector } from './trace-collector.ts'

const manifest = readFileSync(join(import.meta.dirname, '..', '..', '..', 'package.json'), 'utf8')
const { version } = parseOwnJson<{ readonly version: string }>(manifest)

/**
 * Lets metrics, log lines and traces read what the modules do, as far as the settings ask for them.
 */
export function observe(...parts: Parameters<typeof createMetrics>) {
  const [platform] = parts
  const { config, logger } = platform
  const endLines = config.logLevel === 'debug' ? logStages(logger) : undefined
  const endTraces = config.traces && sendTraces(platform, config.traces)
  return {
    metricsServer: createMetrics(...parts),
    async end() {
      endLines?.()
      await endTraces?.()
    },
  }
}

/** @returns a function that ends it and sends what is left. */
function sendTraces(
  { secrets, clock, random, logger }: Platform,
  settings: NonNullable<Platform['config']['traces']>,
) {
  const collector = openCollector(settings, logger)
  const namespace = secrets.check()
  const { post } = collector
  const endSpans = startSpans({ settings, post, namespace, version, clock, random, logger })
  return async () => {
    await endSpans()
    await collector.close()
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

/**
 * The state of the process for the management API: its version, and the reason of `/readyz`, also
 * without a listener of metrics. The pending entries of the stages are asked for as seldom as
 * there.
 */
export function makeState({ database, eventlog, clock }: Platform) {
  let asked: Promise<ReadonlyMap<string, number>> | undefined
  let askedMs = Number.NEGATIVE_INFINITY
  const ask = async () =>
    new Map((await eventlog.ledger.verify()).stages.map((one) => [one.stage, one.pending]))
  const pending = () => {
    const nowMs = clock.elapsedMs()
    if (asked !== undefined && nowMs - askedMs < metricLimits.metricsAskMs) return asked
    askedMs = nowMs
    asked = ask()
    asked.catch(() => {
      asked = undefined
    })
    return asked
  }
  const { unwritable } = database
  return { version, unready: () => reasonAgainst({ pending, unwritable }) }
}
