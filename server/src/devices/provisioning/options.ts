import type { Database, Queryable, Transaction } from '../../foundation/database/index.ts'
import type { Clock, Logger, Random } from '../../foundation/kernel/index.ts'
import type { Outbound } from '../../foundation/outbound/index.ts'
import type { Activity } from '../../log/activity/index.ts'
import type { Changes } from '../../log/changes/index.ts'
import type { EventLog } from '../../log/eventlog/index.ts'
import type { Groups } from '../../people/groups/index.ts'
import type { Hosts } from '../hosts/index.ts'
import type { Secrets } from './credentials/secrets.ts'

type CountOf = (
  queryable: Queryable,
  businessIds: readonly string[],
) => Promise<ReadonlyMap<string, number>>

/** The quotas of businesses that concern devices and contents. */
export type ProvisioningQuotas = {
  /** After something was added. @throws Fault `business_quota_full` */
  require(transaction: Transaction, businessId: string, kind: 'devices' | 'storage'): Promise<void>
  /**
   * Returns how many more there may be: negative after a quota was lowered; infinite without one.
   */
  countRoom(businessId: string, kind: 'devices'): Promise<number>
  addCount(kind: 'devices' | 'storage', count: CountOf): void
}

/** The dependencies of the module. */
export type ProvisioningOptions = {
  readonly database: Database
  readonly changes: Changes
  readonly eventlog: Pick<EventLog, 'append' | 'appendIn'>
  readonly activity: Pick<Activity, 'connectors'>
  readonly groups: Pick<Groups, 'get' | 'root' | 'widened' | 'hold' | 'onRemove'>
  /** The registry of host names, from which connectors take theirs. */
  readonly hosts: Pick<Hosts, 'take' | 'release' | 'forget'>
  /** The way to certificate vendors. */
  readonly outbound: Outbound
  /** Encrypts vendors' API keys and authorities' private keys for storing. */
  readonly secrets: Secrets
  /** Without it no business has a quota. */
  readonly quotas?: ProvisioningQuotas
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}
