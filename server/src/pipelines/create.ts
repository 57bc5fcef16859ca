import type { Assets } from '../assets/index.ts'
import type { Database } from '../database/index.ts'
import type { EventLog, RunningConsumer } from '../eventlog/index.ts'
import type { Clock, Logger, Random } from '../kernel/index.ts'
import { type Outbound, parseAllow } from '../outbound/index.ts'
import { functionsConsumer } from './functions.ts'
import { createLinks, type Links } from './links/links.ts'
import { createClient } from './modules/client.ts'
import { createFunctionCache } from './modules/function-cache.ts'
import { createHealth } from './modules/health.ts'
import { createModules, type Modules } from './modules/modules.ts'
import { createNotes } from './notes.ts'
import { valuesConsumer } from './values.ts'

export type PipelinesOptions = {
  readonly database: Database
  readonly eventlog: EventLog
  readonly assets: Assets
  readonly outbound: Pick<Outbound, 'call'>
  /** Private addresses, `host:port`, that the modules of one business may have, by its id. */
  readonly moduleAllow?: ReadonlyMap<string, readonly string[]> | undefined
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

export type Pipelines = {
  readonly modules: Modules
  readonly links: Links
  /** Begins to read the log with the consumers `values` and `functions`. */
  start(): void
  /** Resolves once all that is in the log now went through. */
  caughtUp(): Promise<void>
  /** Ends the reading; what is under way is finished first. */
  stop(): Promise<void>
}

export function createPipelines(options: PipelinesOptions): Pipelines {
  const { eventlog, assets, outbound, clock, logger } = options
  const health = createHealth(clock)
  const guestOf = (businessId: string) => {
    const allow = parseAllow(options.moduleAllow?.get(businessId) ?? [])
    return allow.length === 0 ? undefined : { scope: `modules of ${businessId}`, allow }
  }
  const client = createClient({ outbound, guestOf, health })
  const functions = createFunctionCache(client, clock)
  const modules = createModules({ ...options, client, functions, health })
  const notes = createNotes(assets, clock)
  let running: RunningConsumer[] = []

  return {
    modules,
    links: createLinks({ ...options, client, modules }),
    start() {
      if (running.length > 0) return
      running = [
        eventlog.consume(valuesConsumer({ ...options, notes })),
        eventlog.consume(functionsConsumer({ ...options, client, notes })),
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
