import type { Activity } from '../activity/index.ts'
import type { Changes } from '../changes/index.ts'
import type { Database } from '../database/index.ts'
import type { Groups } from '../groups/index.ts'
import type { Clock, Logger, Random } from '../kernel/index.ts'

/** The dependencies of the module. */
export type AssetsOptions = {
  readonly database: Database
  readonly changes: Changes
  readonly groups: Pick<Groups, 'get' | 'below' | 'hold' | 'idsAt' | 'onRemove' | 'seenIfFew'>
  readonly activity: Pick<Activity, 'assets'>
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}
