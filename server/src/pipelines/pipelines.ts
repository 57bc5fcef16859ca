import type { Assets } from '../assets/index.ts'
import type { Database } from '../database/index.ts'
import type { EventLog } from '../eventlog/index.ts'
import type { Jobs } from '../jobs/index.ts'
import type { Clock, Logger, Random } from '../kernel/index.ts'
import type { Outbound } from '../outbound/index.ts'
import type { Links } from './links/links.ts'
import type { Modules } from './modules/modules.ts'
import type { FailedCalls } from './runs/failed-calls.ts'

export type PipelinesOptions = {
  readonly database: Database
  readonly eventlog: EventLog
  readonly jobs: Pick<Jobs, 'queue'>
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
  readonly failedCalls: FailedCalls
  /** Begins to read the log with the consumers `values` and `functions`. */
  start(): void
  /** Resolves once all that is in the log now was read; runs that need modules may still wait. */
  caughtUp(): Promise<void>
  /** Ends the reading; what is under way is finished first. */
  stop(): Promise<void>
}
