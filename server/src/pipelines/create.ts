import type { RunningConsumer } from '../eventlog/index.ts'
import { parseAllow } from '../outbound/index.ts'
import { functionsConsumer } from './functions.ts'
import { createLinks } from './links/links.ts'
import { createCallLimits } from './modules/call-limits.ts'
import { createClient } from './modules/client.ts'
import { createFunctionCache } from './modules/function-cache.ts'
import { createHealth } from './modules/health.ts'
import { createModules } from './modules/modules.ts'
import { createNotes } from './notes.ts'
import type { Pipelines, PipelinesOptions } from './pipelines.ts'
import { createAssetGraphs } from './runs/asset-graphs.ts'
import { createFailedCalls } from './runs/failed-calls.ts'
import { createRuns } from './runs/runs.ts'
import { valuesConsumer } from './values.ts'

export function createPipelines(options: PipelinesOptions): Pipelines {
  const { eventlog, assets, database, outbound, clock, logger } = options
  const health = createHealth(clock)
  const guestOf = (businessId: string) => {
    const allow = parseAllow(options.moduleAllow?.get(businessId) ?? [])
    return allow.length === 0 ? undefined : { scope: `modules of ${businessId}`, allow }
  }
  const callLimits = createCallLimits()
  const client = createClient({ outbound, guestOf, health, callLimits })
  const functions = createFunctionCache(client, clock)
  const modules = createModules({ ...options, client, functions, health })
  const notes = createNotes(assets, clock)
  const graphs = createAssetGraphs(database, assets)
  const runs = createRuns({ ...options, notes, graphs, client, callLimits, health })
  let running: RunningConsumer[] = []

  return {
    modules,
    links: createLinks({ ...options, modules, runs }),
    failedCalls: createFailedCalls(runs),
    start() {
      if (running.length > 0) return
      running = [
        eventlog.consume(valuesConsumer({ ...options, notes })),
        eventlog.consume(functionsConsumer({ ...options, runs, notes })),
      ]
      logger.debug('pipelines read the log')
    },
    async caughtUp() {
      await Promise.all(running.map((consumer) => consumer.caughtUp()))
    },
    async stop() {
      const stopping = running
      running = []
      await Promise.all(stopping.map((consumer) => consumer.stop()))
    },
  }
}
