import type { Database } from '../database/index.ts'
import type { EventLog } from '../eventlog/index.ts'
import type { Hosts } from '../hosts/index.ts'
import type { Clock, Logger, Random } from '../kernel/index.ts'
import type { Outbound } from '../outbound/index.ts'
import type { Secrets } from './credentials/secrets.ts'

/** What the module stands on. */
export type ProvisioningOptions = {
  readonly database: Database
  readonly eventlog: Pick<EventLog, 'append' | 'appendIn' | 'note'>
  /** Where connectors take the labels of their hosts. */
  readonly hosts: Pick<Hosts, 'take' | 'release' | 'forget'>
  /** The way to certificate vendors. */
  readonly outbound: Outbound
  /** What is stored encrypted: vendors' API keys, authorities' private keys. */
  readonly secrets: Secrets
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}
