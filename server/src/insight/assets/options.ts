import type { Database } from '../../foundation/database/index.ts'
import type { Clock, Logger, Random } from '../../foundation/kernel/index.ts'
import type { Activity } from '../../log/activity/index.ts'
import type { Changes } from '../../log/changes/index.ts'
import type { Groups } from '../../people/groups/index.ts'

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
