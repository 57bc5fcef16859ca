import type { PollLoop } from '../../foundation/kernel/index.ts'
import type { RunningConsumer } from '../../log/eventlog/index.ts'
import { createDocuments } from './document/documents.ts'
import { functionsConsumer } from './functions.ts'
import { createGraphCache } from './links/graph-cache.ts'
import { createLinks } from './links/links.ts'
import { createCallLimits } from './modules/call-limits.ts'
import { createClient } from './modules/client.ts'
import { describeFunctions } from './modules/descriptions.ts'
import { createExternalModules } from './modules/external.ts'
import { createFunctionLists } from './modules/function-lists.ts'
import { createHealth } from './modules/health.ts'
import { createModules } from './modules/modules.ts'
import { createRefresh } from './modules/refresh.ts'
import { BatchSize, createSpeed } from './modules/speed.ts'
import { createNotes } from './notes.ts'
import type { Pipelines, PipelinesOptions } from './pipelines.ts'
import { createAssetGraphs } from './runs/asset-graphs.ts'
import { createFailedCalls } from './runs/failed-calls.ts'
import { AssetLocks } from './runs/inline/asset-locks.ts'
import { AdoptedRuns } from './runs/inline/asset-runs.ts'
import { createLatest } from './runs/latest-values.ts'
import { createRuns } from './runs/runs.ts'
import { createSimulations } from './simulation/simulations.ts'
import { createAssetTemplates } from './templates.ts'
import { removeOldRuns } from './trace/record.ts'
import { createTraces } from './trace/traces.ts'
import { valuesConsumer } from './values.ts'
import { createWrittenValues } from './written-values.ts'

export function createPipelines(options: PipelinesOptions): Pipelines {
  const { database, eventlog, assets, marketplace, clock, logger } = options
  const health = createHealth(clock)
  const callLimits = createCallLimits()
  const speed = createSpeed(clock)
  const called = { calls: marketplace.calls, callLimits, clock }
  const client = createClient({ ...called, health, speed })
  // A module that fails in a simulation does not rest for runs.
  const apart = { health: createHealth(clock), speed: createSpeed(clock) }
  const trying = createClient({ ...called, ...apart })
  const external = createExternalModules(options)
  const functions = createFunctionLists({ ...options, client })
  const described = describeFunctions({ client, functions, external })
  const notes = createNotes(assets, clock)
  const graphCache = createGraphCache(database, assets)
  const graphs = createAssetGraphs({ assets, external, graphCache })
  const inline = { locks: new AssetLocks(), adopted: new AdoptedRuns() }
  const calling = { external, client, callLimits, health, ...createLatest(assets), ...inline }
  const runs = createRuns({ ...options, ...calling, notes, graphs })
  const failedCalls = createFailedCalls({ runs, assets })
  const documents = createDocuments({ ...options, modules: described, runs })
  const parts = { external, client, described, functions, health, documents, runs }
  const modules = createModules({ ...options, ...parts })
  const batchSize = new BatchSize()
  const consuming = { ...calling, speed, batchSize, graphs, runs, notes, graphCache }
  let refresh: PollLoop | undefined
  let running: RunningConsumer[] = []

  return {
    modules,
    links: createLinks({ ...options, modules: described, runs, documents }),
    documents,
    written: createWrittenValues(options),
    templates: createAssetTemplates({ ...options, runs, documents }),
    traces: createTraces({ ...options, failedCalls }),
    simulations: createSimulations({ ...options, modules, external, client: trying, callLimits }),
    failedCalls,
    start() {
      if (running.length > 0) return
      running = [
        eventlog.consume(valuesConsumer({ ...options, notes })),
        eventlog.consume(functionsConsumer({ ...options, ...consuming })),
      ]
      refresh = createRefresh({ ...options, external, functions })
      void refresh.run()
      logger.debug('pipelines read the log')
    },
    async caughtUp() {
      await Promise.all(running.map((consumer) => consumer.caughtUp()))
    },
    removeOld: () => removeOldRuns(database, clock),
    async stop() {
      const stopping = running
      running = []
      await Promise.all([refresh?.stop(), ...stopping.map((consumer) => consumer.stop())])
    },
  }
}
