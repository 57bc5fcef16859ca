import type { Hosts } from '../../devices/hosts/index.ts'
import type { Database } from '../../foundation/database/index.ts'
import type { Clock, Logger, Random } from '../../foundation/kernel/index.ts'
import type { Activity } from '../../log/activity/index.ts'
import type { Changes } from '../../log/changes/index.ts'
import type { EventLog } from '../../log/eventlog/index.ts'
import type { Jobs } from '../../log/jobs/index.ts'
import type { CheckFolder } from './check/check-folder.ts'
import type { Configurations } from './configurations/configurations.ts'
import type { ServiceSecrets } from './configurations/service.ts'
import type { DeliveryQueue } from './events/deliveries.ts'
import type { TagsOf } from './events/planned-events.ts'
import type { Folders } from './projects/push.ts'
import type { ReadBehind } from './registry/backlog.ts'
import type { Environments } from './registry/environment.ts'
import type { SolutionScripts } from './registry/scripts.ts'
import type { Solutions } from './registry/solutions.ts'
import type { ReadUsage } from './registry/usage.ts'
import type { Replays } from './replays/replays.ts'
import type { CpuQuotas } from './runtime/calls/cpu-quota.ts'
import type { ScriptingApi } from './scripting-api.ts'

export type ScriptingOptions = {
  readonly database: Database
  readonly changes: Changes
  readonly eventlog: EventLog
  readonly activity: Pick<Activity, 'solutions'>
  readonly jobs: Pick<Jobs, 'queue'>
  readonly hosts: Pick<Hosts, 'take' | 'release' | 'forget' | 'forgetAll'>
  readonly secrets: ServiceSecrets
  readonly quotas?: CpuQuotas
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  /** Tags of a connector's devices, for its events; without it events show none. */
  readonly tagsOf?: TagsOf
}

export type Scripting = {
  readonly solutions: Solutions
  /** Reads the use that a solution makes of its limits. */
  readonly usage: ReadUsage
  /** The events that wait for solutions which are behind. */
  readonly behind: ReadBehind
  readonly scripts: SolutionScripts
  readonly configurations: Configurations
  /** The values of `os.getenv` for scripts. */
  readonly environments: Environments
  readonly folders: Folders
  /** Finds the differences between a folder and this instance. */
  readonly check: CheckFolder
  /** Recorded events through changed scripts, before they are pushed. */
  readonly replays: Replays
  /** Events that failed for good. */
  readonly failures: Failures
  /** The part of this module that services use. */
  readonly api: ScriptingApi
  /**
   * Returns whether any solution has the connector, so that its devices' events are to be appended.
   */
  hasConnector(connectorId: string): boolean | Promise<boolean>
  /** Takes a connector that is gone from the services of every solution. */
  dropConnector(connectorId: string): Promise<void>
  /**
   * Resolves once every other process of the instance uses the changes that were made here before;
   * after `limits.hintReachMs` at the latest.
   */
  changesReached(): Promise<void>
  /** Begins to follow changes that other processes make, and to run scripts for events. */
  start(options?: { readonly events: boolean }): void
  /** Resolves once every event that is in the log now was handed to scripts, or put off. */
  caughtUp(): Promise<void>
  close(): Promise<void>
}

export type Failures = Pick<
  DeliveryQueue,
  | 'list'
  | 'ofBusiness'
  | 'count'
  | 'find'
  | 'solutionsWithFailures'
  | 'get'
  | 'retry'
  | 'retryAll'
  | 'discard'
  | 'discardAll'
>
