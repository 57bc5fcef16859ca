import type { IncomingMessage, ServerResponse } from 'node:http'
import { type FastifyInstance, fastify } from 'fastify'
import type { Accounts, CountRequest } from '../accounts/index.ts'
import type { Activity } from '../activity/index.ts'
import type { LiveViews } from '../changes/index.ts'
import type { Dashboards } from '../dashboards/index.ts'
import type { Deletion } from '../deletion/index.ts'
import type { EventLog } from '../eventlog/index.ts'
import type { AllFailures } from '../failures/index.ts'
import type { Groups } from '../groups/index.ts'
import {
  type Clock,
  checkJson,
  exactText,
  Fault,
  type Logger,
  limits,
  type ProcessRole,
  processRoles,
  type Random,
  requireText,
  SharedBound,
} from '../kernel/index.ts'
import type { Mail } from '../mail/index.ts'
import type { Marketplace } from '../marketplace/index.ts'
import type { Pipelines } from '../pipelines/index.ts'
import type { Provisioning } from '../provisioning/index.ts'
import type { Scripting } from '../scripting/index.ts'
import type { Allowances } from '../services/http/index.ts'
import type { NotificationReads, Notifications } from '../services/notification/index.ts'
import { addConsole } from './console.ts'
import { contracts } from './contract/all.ts'
import { addDocsPage } from './docs-page/docs-page.ts'
import { createRefusal, nowhere, type Refuse } from './errors.ts'
import { addFirstAccountPage, type FirstAccount } from './first-account.ts'
import { createLogStreams } from './log-streams.ts'
import { CallerAuthentication } from './operator.ts'
import { addRoutes } from './route.ts'
import { type AssetRoutesOptions, assetRoutes } from './routes/assets/assets.ts'
import { dashboardRoutes } from './routes/assets/dashboards.ts'
import {
  type WorkInstructionRoutesOptions,
  workInstructionRoutes,
} from './routes/assets/work-instructions.ts'
import { certificateRoutes } from './routes/certificates.ts'
import { changeRoutes } from './routes/changes.ts'
import { connectorRoutes, type DeviceListeners } from './routes/connectors.ts'
import { campaignRoutes } from './routes/content/campaigns.ts'
import { contentRoutes } from './routes/content/contents.ts'
import { deletionRoutes } from './routes/deletion.ts'
import { failedCallRoutes } from './routes/failed-calls.ts'
import { type HealthRoutesOptions, healthRoutes } from './routes/health.ts'
import { identityRoutes } from './routes/identities.ts'
import { type CsvLimits, identitiesBulkRoutes } from './routes/identities-bulk.ts'
import { instanceRoutes } from './routes/instance.ts'
import { type InterfaceParts, interfaceRoutes } from './routes/interface.ts'
import { lifecycleRoutes } from './routes/lifecycle.ts'
import { logRoutes } from './routes/logs.ts'
import { listingRoutes, moduleRoutes } from './routes/modules.ts'
import { notificationRoutes } from './routes/notifications.ts'
import { ledgerRoutes, mailRoutes, outboundRoutes } from './routes/operator.ts'
import { accountRoutes } from './routes/people/accounts.ts'
import { joiningRoutes } from './routes/people/joining.ts'
import { oidcRoutes } from './routes/people/oidc.ts'
import { peopleRoutes } from './routes/people/people.ts'
import { preferenceRoutes } from './routes/people/preferences.ts'
import { quotaRoutes } from './routes/people/quotas.ts'
import { signingInRoutes } from './routes/people/signing-in.ts'
import { pipelineRoutes } from './routes/pipelines.ts'
import { type RetentionRoutesOptions, retentionRoutes } from './routes/retention.ts'
import { solutionFailureRoutes } from './routes/solution-failures.ts'
import { solutionRunRoutes } from './routes/solution-runs.ts'
import { type SolutionTestRoutesOptions, solutionTestRoutes } from './routes/solution-tests.ts'
import { inEveryProcess, solutionRoutes } from './routes/solutions.ts'
import { stageFailureRoutes } from './routes/stage-failures.ts'
import { type StaticFileStore, staticFileRoutes } from './routes/static-files.ts'
import { traceRoutes } from './routes/traces.ts'

export type ManagementOptions = AssetRoutesOptions &
  WorkInstructionRoutesOptions & {
    readonly accounts: Accounts
    /** Counts the requests of people and API tokens. */
    readonly countRequest: CountRequest
    readonly liveViews: LiveViews
    readonly dashboards: Dashboards
    readonly deletion: Deletion
    readonly assets: RetentionRoutesOptions['assets']
    readonly upkeep: RetentionRoutesOptions['upkeep']
    readonly groups: Pick<Groups, 'list' | 'get' | 'create' | 'update' | 'remove' | 'dependants'>
    readonly mail: Pick<Mail, 'list' | 'find' | 'senders'>
    readonly provisioning: Pick<
      Provisioning,
      | 'authorities'
      | 'campaigns'
      | 'connectors'
      | 'contents'
      | 'crls'
      | 'deviceExpiries'
      | 'expiries'
      | 'identities'
      | 'orderReprovision'
      | 'removals'
      | 'rotations'
      | 'state'
      | 'setState'
      | 'windows'
    >
    readonly activity: Pick<Activity, 'connectors' | 'solutions'>
    readonly scripting: Omit<Scripting, 'calls' | 'start' | 'close' | 'dropConnector'>
    readonly solutionTests: SolutionTestRoutesOptions['solutionTests']
    readonly interfaces: InterfaceParts
    readonly notifications: NotificationReads &
      Pick<Notifications, 'importBindings' | 'bindings' | 'preview'>
    readonly marketplace: Pick<Marketplace, 'listings' | 'uses' | 'calls'>
    readonly pipelines: Pick<
      Pipelines,
      'modules' | 'failedCalls' | 'documents' | 'simulations' | 'traces'
    >
    readonly failures: AllFailures
    readonly webservice: { readonly staticFiles: StaticFileStore }
    readonly allowances: Pick<Allowances, 'list' | 'add' | 'remove'>
    readonly eventlog: Pick<EventLog, 'ledger'>
    /** Why the database takes no writes; undefined if it does. */
    readonly unwritable: () => Promise<string | undefined>
    readonly instance: HealthRoutesOptions['instance']
    readonly jobs: HealthRoutesOptions['jobs']
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
    /** Where uploads lie while they are dealt with; made where it is missing. */
    readonly uploadDir: string
    /** Of CSV files of identities; those of `limits` where it is left out. */
    readonly csv?: CsvLimits
    /** The console's build; where there is none, `/` says so. */
    readonly consoleDir: string
  }

export type Management = {
  /** Answers any request that is nobody else's. Reads the console's build first. */
  handler(): Promise<(message: IncomingMessage, response: ServerResponse) => void>
  /** A request without a socket, for tests. */
  readonly inject: FastifyInstance['inject']
  /** True if a request to the URL may upload a file, which takes longer. */
  takesFile(url: string): boolean
  /** Ends the live views, which would keep the server from closing. */
  endStreams(): void
  close(): Promise<void>
}

export function createManagement(options: ManagementOptions): Management {
  const { accounts, provisioning, activity, scripting, pipelines, logger } = options
  const { connectors, identities } = provisioning
  const { operatorToken: token, uploadDir, csv = csvLimits() } = options
  const authentication = new CallerAuthentication({ accounts, connectors, token })
  const [streams, changeStreams] = openStreams(authentication)
  const refuse = createRefusal(logger)
  const app = createApp(refuse)
  const { countRequest, clock } = options
  addRoutes(app, { authentication, audited: accounts.audited, countRequest, clock }, [
    ...instanceRoutes(accounts, options.unwritable, options.roles ?? processRoles),
    ...healthRoutes(options),
    ...accountRoutes(accounts, options.firstAccount),
    ...peopleRoutes(accounts, options.groups),
    ...joiningRoutes(accounts),
    ...signingInRoutes(accounts),
    ...preferenceRoutes(accounts),
    ...oidcRoutes(accounts, logger),
    ...deletionRoutes(options),
    ...connectorRoutes(options),
    ...inEveryProcess(scripting, [
      ...solutionRoutes(scripting, options.deletion),
      ...interfaceRoutes(scripting, options.interfaces),
    ]),
    ...staticFileRoutes(scripting, options.webservice),
    ...solutionFailureRoutes(scripting),
    ...stageFailureRoutes(options.failures),
    ...solutionRunRoutes(options),
    ...solutionTestRoutes({ ...options, streams }),
    ...notificationRoutes(scripting, options.notifications),
    ...moduleRoutes({ modules: pipelines.modules, ...options.marketplace }),
    ...listingRoutes(options.marketplace),
    ...failedCallRoutes(pipelines),
    ...pipelineRoutes(pipelines),
    ...traceRoutes(pipelines),
    ...assetRoutes(options),
    ...workInstructionRoutes(options),
    ...dashboardRoutes(options.dashboards),
    ...mailRoutes(options.mail, accounts),
    ...outboundRoutes(options),
    ...retentionRoutes(options),
    ...quotaRoutes(accounts),
    ...ledgerRoutes(options.eventlog.ledger),
    ...identityRoutes(provisioning),
    ...identitiesBulkRoutes({ identities, uploadDir, csv }),
    ...lifecycleRoutes(provisioning),
    ...contentRoutes(provisioning),
    ...campaignRoutes(provisioning),
    ...certificateRoutes(provisioning),
    ...logRoutes({ provisioning, scripting, activity, streams }),
    ...changeRoutes({ liveViews: options.liveViews, streams: changeStreams }),
  ])
  addDocsPage(app)
  addFirstAccountPage(app)
  app.register((scope) => addConsole(scope, { dir: options.consoleDir, logger, refuse }))
  return {
    async handler() {
      await app.ready()
      return (message, response) => app.routing(message, response)
    },
    inject: app.inject.bind(app) as FastifyInstance['inject'],
    takesFile: (url) => filePaths.test(url),
    endStreams: streams.end,
    async close() {
      streams.end()
      await app.close()
    },
  }
}

function csvLimits() {
  return { bytesMax: limits.csvBytesMax, stallMsMax: limits.csvStallMsMax }
}

const ofDevices = 'service/[^/?]+/device2/(?:content/|identities(?:[/?]|$))'
const ofSolutions = 'solution/[^/?]+/static(?:/|-upload(?:[?]|$))'
const ofAssets = 'assets/import(?:[?]|$)|work-instructions/[^/?]+/versions'
const filePaths = new RegExp(`^/api(?::|%3a)1/(?:${ofAssets}|${ofDevices}|${ofSolutions})`, 'i')

/** Where an id that is empty by mistake would delete all: what such a path is without its slash. */
const deletesOne = new Set(
  contracts.flatMap(({ method, path }) =>
    method === 'DELETE' ? (path.match(/^.*(?=\/:\w+$)/) ?? []) : [],
  ),
)

function createApp(refuse: Refuse): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: limits.managementBodyBytesMax,
    // Routes are ready as soon as there is CPU for them: a busy machine may need more than 10 s.
    pluginTimeout: 0,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: limits.headerBytesMax },
    rewriteUrl: ({ url = '/' }) => plainVersion(url),
    frameworkErrors: (error, _request, reply) => refuse(error, reply),
  })
  app.setErrorHandler((error, _request, reply) => refuse(error, reply))
  // No body is read for a path that is nowhere.
  app.addHook('onRequest', async ({ is404, method, url, routeOptions }) => {
    if (is404 && method !== 'GET' && method !== 'HEAD') throw nowhere(url)
    // The router takes a path without its last slash, and ends it where `#` or `?` stands.
    const isWithoutId = method === 'DELETE' && /^[^?#]*\/(?:[?#]|$)/.test(url)
    if (isWithoutId && deletesOne.has(routeOptions.url?.replace('::', ':') ?? '')) {
      throw new Fault('not_found', 'The path of a DELETE ends with a slash: an id is missing.')
    }
  })
  acceptJsonOnly(app)
  return app
}

/** Some clients escape the colon of `/api:1`. */
function plainVersion(url: string): string {
  return url.replace(/^\/api%3a1(?=[/?]|$)/i, '/api:1')
}

/** No body is the same as none was announced: a DELETE may carry the content type of its client. */
function acceptJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    try {
      checkJson(requireText(body as Buffer))
    } catch (error) {
      if (error instanceof Fault) return done(error)
      return done(new Fault('malformed_request', (error as Error).message, { cause: error }))
    }
    parse(request, exactText(body as Buffer), done)
  })
}

/** Live views of logs, and streams of changes: each kind has its own bound. */
function openStreams(authentication: CallerAuthentication) {
  const logs = new SharedBound({ what: 'live views', max: () => limits.logStreamsMax })
  const changes = new SharedBound({
    what: 'streams',
    max: () => limits.changeStreamsMax,
    holderMax: () => limits.changeStreamsOfHolderMax,
  })
  return [
    createLogStreams(authentication, logs),
    createLogStreams(authentication, changes),
  ] as const
}
