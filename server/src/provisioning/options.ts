import type { Activity } from '../activity/index.ts'
import type { Database } from '../database/index.ts'
import type { EventLog } from '../eventlog/index.ts'
import type { Groups } from '../groups/index.ts'
import type { Hosts } from '../hosts/index.ts'
import type { Clock, Logger, Random } from '../kernel/index.ts'
import type { Outbound } from '../outbound/index.ts'
import type { Secrets } from './credentials/secrets.ts'

/** The dependencies of the module. */
export type ProvisioningOptions = {
  readonly database: Database
  readonly eventlog: Pick<EventLog, 'append' | 'appendIn'>
  readonly activity: Pick<Activity, 'connectors'>
  readonly groups: Pick<Groups, 'get' | 'root' | 'widened' | 'hold' | 'onRemove'>
  /** The registry of host names, from which connectors take theirs. */
  readonly hosts: Pick<Hosts, 'take' | 'release' | 'forget'>
  /** The way to certificate vendors. */
  readonly outbound: Outbound
  /** Encrypts vendors' API keys and authorities' private keys for storing. */
  readonly secrets: Secrets
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}
