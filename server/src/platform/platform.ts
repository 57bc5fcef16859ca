import type { Deletion } from '../api/deletion/index.ts'
import type { AllFailures } from '../api/failures/index.ts'
import type { Listeners } from '../api/http/index.ts'
import type { Hosts } from '../devices/hosts/index.ts'
import type { Provisioning, Secrets } from '../devices/provisioning/index.ts'
import type { Database } from '../foundation/database/index.ts'
import type { Clock, Logger, Random } from '../foundation/kernel/index.ts'
import type { Mail } from '../foundation/mail/index.ts'
import type { Http2, Outbound } from '../foundation/outbound/index.ts'
import type { AssetFiles } from '../insight/asset-files/index.ts'
import type { Assets } from '../insight/assets/index.ts'
import type { Dashboards } from '../insight/dashboards/index.ts'
import type { Marketplace } from '../insight/marketplace/index.ts'
import type { Pipelines } from '../insight/pipelines/index.ts'
import type { Policies } from '../insight/policies/index.ts'
import type { Reports } from '../insight/reports/index.ts'
import type { Activity } from '../log/activity/index.ts'
import type { Changes, LiveViews } from '../log/changes/index.ts'
import type { EventLog } from '../log/eventlog/index.ts'
import type { Jobs } from '../log/jobs/index.ts'
import type { Upkeep } from '../log/upkeep/index.ts'
import type { Accounts } from '../people/accounts/index.ts'
import type { Groups } from '../people/groups/index.ts'
import type { Scripting } from '../scripts/scripting/index.ts'
import type { SolutionContent } from '../scripts/services/content/index.ts'
import type { Allowances } from '../scripts/services/http/index.ts'
import type { Interface } from '../scripts/services/interface/index.ts'
import type { Keystore } from '../scripts/services/keystore/index.ts'
import type { Notifications } from '../scripts/services/notification/index.ts'
import type { Timers } from '../scripts/services/timer/index.ts'
import type { Tsdb } from '../scripts/services/tsdb/index.ts'
import type { SolutionUsers } from '../scripts/services/user/index.ts'
import type { Webservice } from '../scripts/services/webservice/index.ts'
import type { Config } from './config/index.ts'

/** The modules of an instance, in the order of the data's path. */
export type Platform = {
  readonly config: Config
  readonly database: Database
  readonly secrets: Secrets
  readonly eventlog: EventLog
  readonly activity: Activity
  readonly changes: Changes
  readonly liveViews: LiveViews
  readonly jobs: Jobs
  readonly mail: Mail
  readonly groups: Groups
  readonly accounts: Accounts
  readonly hosts: Hosts
  readonly upkeep: Upkeep
  readonly provisioning: Provisioning
  readonly scripting: Scripting
  readonly allowances: Allowances
  readonly interfaces: Interface
  readonly content: SolutionContent
  readonly keystore: Keystore
  readonly timers: Timers
  readonly notifications: Notifications
  readonly tsdb: Tsdb
  readonly users: SolutionUsers
  readonly webservice: Webservice
  readonly assets: Assets
  readonly marketplace: Marketplace
  readonly pipelines: Pipelines
  readonly reports: Reports
  readonly failures: AllFailures
  readonly policies: Policies
  readonly assetFiles: AssetFiles
  readonly dashboards: Dashboards
  readonly deletion: Deletion
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  close(): Promise<void>
}

export type PlatformOptions = {
  readonly config: Config
  readonly logger: Logger
  /** True if closing stops the embedded engine even if it was found running. */
  readonly owner: boolean
  readonly clock?: Clock
  readonly random?: Random
  /** The database inside the embedded engine, for tests that share one. */
  readonly databaseName?: string
  /** An open database in place of that of the configuration; it closes with the platform. */
  readonly opened?: Database
  /** In place of the usual ones. */
  readonly outboundClients?: OutboundClients
  /** For the providers of notifications, if they have others. */
  readonly providerClients?: OutboundClients
  /** Private addresses that the modules of one business may have, by its id. */
  readonly moduleAllow?: ReadonlyMap<string, readonly string[]>
}

/** All clients by which an instance sends requests outside. */
export type OutboundClients = { readonly outbound: Outbound; readonly http2: Http2 }

/** An instance with open ports. */
export type Served = Listeners & {
  /** The link by which the first account is made; undefined if there is one. */
  firstAccountUrl(): Promise<string | undefined>
  close(): Promise<void>
}
