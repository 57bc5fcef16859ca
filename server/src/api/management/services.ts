import type { DeviceListeners, Provisioning } from '../../devices/provisioning/index.ts'
import type { Clock, Logger, ProcessRole, Random } from '../../foundation/kernel/index.ts'
import type { Mail } from '../../foundation/mail/index.ts'
import type { AssetFiles } from '../../insight/asset-files/index.ts'
import type { Assets } from '../../insight/assets/index.ts'
import type { Dashboards } from '../../insight/dashboards/index.ts'
import type { Marketplace } from '../../insight/marketplace/index.ts'
import type { Pipelines } from '../../insight/pipelines/index.ts'
import type { InstructionUploads } from '../../insight/policies/index.ts'
import type { Reports } from '../../insight/reports/index.ts'
import type { Activity } from '../../log/activity/index.ts'
import type { LiveViews } from '../../log/changes/index.ts'
import type { EventLog } from '../../log/eventlog/index.ts'
import type { Jobs } from '../../log/jobs/index.ts'
import type { Upkeep } from '../../log/upkeep/index.ts'
import type { Accounts, CountRequest, FirstAccount } from '../../people/accounts/index.ts'
import type { Groups } from '../../people/groups/index.ts'
import type { Scripting, StaticFileStore } from '../../scripts/scripting/index.ts'
import type { Allowances } from '../../scripts/services/http/index.ts'
import type { Interface } from '../../scripts/services/interface/index.ts'
import type { NotificationReads, Notifications } from '../../scripts/services/notification/index.ts'
import type { SolutionTests } from '../../scripts/solution-tests/index.ts'
import type { Deletion } from '../deletion/index.ts'
import type { AllFailures } from '../failures/index.ts'
import type { LogStreams } from './log-streams.ts'
import type { OpenApiDocument } from './openapi/document.ts'

export type ManagementOptions = {
  readonly accounts: Accounts
  readonly activity: Pick<Activity, 'connectors' | 'solutions'>
  readonly allowances: Pick<Allowances, 'list' | 'add' | 'remove'>
  readonly assetFiles: AssetFiles
  readonly assets: Pick<Assets, 'valueRetention'>
  readonly liveViews: LiveViews
  /** Counts the requests of people and API tokens. */
  readonly countRequest: CountRequest
  readonly dashboards: Dashboards
  readonly deletion: Deletion
  readonly eventlog: Pick<EventLog, 'ledger'>
  readonly failures: AllFailures
  readonly groups: Pick<Groups, 'list' | 'get' | 'create' | 'update' | 'remove' | 'dependants'>
  readonly interfaces: Pick<Interface, 'clients' | 'definitions' | 'externalCalls' | 'subscribers'>
  readonly jobs: Pick<Jobs, 'countWaiting'>
  readonly mail: Pick<Mail, 'list' | 'find' | 'senders'>
  readonly marketplace: Pick<Marketplace, 'listings' | 'uses' | 'calls'>
  readonly notifications: NotificationReads &
    Pick<Notifications, 'importBindings' | 'bindings' | 'preview'>
  readonly pipelines: Pick<
    Pipelines,
    'modules' | 'failedCalls' | 'documents' | 'simulations' | 'traces'
  >
  readonly policies: { readonly uploads: InstructionUploads }
  readonly provisioning: Provisioning
  readonly reports: Reports
  readonly scripting: Omit<Scripting, 'calls' | 'start' | 'close' | 'dropConnector'>
  readonly solutionTests: Pick<SolutionTests, 'start'>
  readonly upkeep: Pick<Upkeep, 'retention'>
  readonly webservice: { readonly staticFiles: StaticFileStore }
  /** Why the database takes no writes; undefined if it does. */
  readonly unwritable: () => Promise<string | undefined>
  readonly instance: {
    readonly version: string
    /** Why no more requests should come here; undefined: they may. */
    unready(): Promise<string | undefined>
  }
  /** The roles of this process; all if left out. */
  readonly roles?: readonly ProcessRole[]
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  /** The credential of the operator; undefined: there is none. */
  readonly operatorToken?: string | undefined
  readonly firstAccount?: FirstAccount | undefined
  /** A connector's host is `<connector_id>.<domain>`. */
  readonly domain: string
  /** The listeners that devices call, once they are open. */
  readonly listeners: Promise<DeviceListeners>
  /** The folder of uploads in progress; created if it is missing. */
  readonly uploadDir: string
  /** The bounds of CSV files of identities; those of `limits` if left out. */
  readonly csv?: CsvLimits
  /** The console's build; where there is none, `/` says so. */
  readonly consoleDir: string
}

/** All that operations call. */
export type ApiServices = Omit<ManagementOptions, 'csv' | 'roles'> & {
  readonly csv: CsvLimits
  readonly roles: readonly ProcessRole[]
  /** Live views of logs, and streams of changes: each kind has its own bound. */
  readonly logStreams: LogStreams
  readonly changeStreams: LogStreams
  /** Describes the API. */
  apiDocument(): OpenApiDocument
  /** Runs one of a few imports. @throws Fault `overloaded` if all are busy. */
  inTurn<Result>(kind: 'devices' | 'assets', run: () => Promise<Result>): Promise<Result>
}

/** The limits of a file, and of its sender's idle time. */
export type CsvLimits = { readonly bytesMax: number; readonly stallMsMax: number }
