import type { Database } from '../database/index.ts'
import type { EventLog } from '../eventlog/index.ts'
import type { Clock, Logger, Random } from '../kernel/index.ts'

/** What the module stands on. */
export type ProvisioningOptions = {
  readonly database: Database
  readonly eventlog: Pick<EventLog, 'append' | 'appendIn'>
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}
