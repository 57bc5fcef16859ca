import type { Database } from '../../foundation/database/index.ts'
import type { Clock, Logger, Random } from '../../foundation/kernel/index.ts'
import type { Changes } from '../../log/changes/index.ts'
import type { EventLog } from '../../log/eventlog/index.ts'
import type { Jobs } from '../../log/jobs/index.ts'
import type { Assets } from '../assets/index.ts'
import type { Marketplace } from '../marketplace/index.ts'
import type { PipelineDocuments } from './document/documents.ts'
import type { Links } from './links/links.ts'
import type { Modules } from './modules/modules.ts'
import type { Acting } from './runs/act.ts'
import type { FailedCalls } from './runs/failed-calls.ts'
import type { Simulations } from './simulation/simulations.ts'
import type { AssetTemplates } from './templates.ts'
import type { Consequences } from './trace/consequences.ts'
import type { Traces } from './trace/traces.ts'
import type { WrittenValues } from './written-values.ts'

export type PipelinesOptions = {
  readonly database: Database
  readonly changes: Changes
  readonly eventlog: EventLog
  readonly jobs: Pick<Jobs, 'queue'>
  readonly assets: Assets
  readonly marketplace: Marketplace
  /** The effects of built-in actions in other modules. */
  readonly acting: Acting
  /** The effects of values in other modules. */
  readonly consequences: Consequences
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

export type Pipelines = {
  readonly modules: Modules
  readonly links: Links
  readonly documents: PipelineDocuments
  readonly templates: AssetTemplates
  readonly written: WrittenValues
  readonly simulations: Simulations
  readonly traces: Traces
  readonly failedCalls: FailedCalls
  /** Begins to read the log with the consumers `values` and `functions`. */
  start(): void
  /** Resolves once all that is in the log now was read; runs that need modules may still wait. */
  caughtUp(): Promise<void>
  /** Deletes how long old runs took. */
  removeOld(): Promise<void>
  /** Ends the reading; what is under way is finished first. */
  stop(): Promise<void>
}
