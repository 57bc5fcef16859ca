import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createAccounts, createRates, createRequestCount, type Rates } from './accounts/index.ts'
import { AcmeOrders } from './acme/index.ts'
import { actingOf, consequencesOf } from './acting.ts'
import { createActivity } from './activity/index.ts'
import { agreedSettings } from './agreement.ts'
import { createAssetFiles } from './asset-files/index.ts'
import { createAssets } from './assets/index.ts'
import { createChanges, createLiveViews } from './changes/index.ts'
import type { Config } from './config.ts'
import { createDashboards } from './dashboards/index.ts'
import { newDirectory, openDatabase, refuseUsed, registerProcess } from './database/index.ts'
import { createDeletion } from './deletion/index.ts'
import { createDeviceHttp, createDeviceMqtt } from './device-api/index.ts'
import { createEventLog, openPostgresqlLog } from './eventlog/index.ts'
import { createFailures } from './failures/index.ts'
import { createGraphql, type Graphql } from './graphql/index.ts'
import { createGroups, wholeView } from './groups/index.ts'
import { createHosts } from './hosts/index.ts'
import { checkAddresses, type Listeners, type ListenTimes, listen } from './http/index.ts'
import { Jobs } from './jobs/index.ts'
import { type Logger, systemClock, systemRandom, vendorNames } from './kernel/index.ts'
import { createMail } from './mail/index.ts'
import { startUpkeep } from './maintenance.ts'
import { createManagement, FirstAccount, OperatorFile } from './management/index.ts'
import { createMarketplace, extensionPrefixes } from './marketplace/index.ts'
import { observe, stateOf } from './measured.ts'
import { createHttp2, createOutbound } from './outbound/index.ts'
import { createPipelines } from './pipelines/index.ts'
import type { OutboundClients, Platform, PlatformOptions, Served } from './platform.ts'
import { createPolicies } from './policies/index.ts'
import {
  createProvisioning,
  isKeyLost,
  openSecrets,
  openServerAuthority,
  type Provisioning,
  type ServerAuthority,
  valueEffects,
} from './provisioning/index.ts'
import { createReports } from './reports/index.ts'
import { openScripting } from './script-services.ts'
import { createAssetService } from './services/asset/index.ts'
import { SolutionTests } from './solution-tests/index.ts'
import { temporariesOf } from './temporary.ts'
import { createUpkeep } from './upkeep/index.ts'

/**
 * Checks what would end a start later: another process that uses the data directory, and ports
 * that are taken. Nothing is touched.
 * @throws Error with a sentence for the operator.
 */
export async function checkStart(config: Config): Promise<void> {
  // Several processes may share a database that has an address, and the keys of one directory.
  if (config.databaseUrl === undefined) await refuseUsed(config.dataDir)
  await checkAddresses(config)
}

/** Builds every module over the database; opens no port and starts no consumer. */
export async function openPlatform(options: PlatformOptions): Promise<Platform> {
  const { config, logger, moduleAllow, clock = systemClock(), random = systemRandom } = options
  await mkdir(config.dataDir, { recursive: true, mode: newDirectory })
  if (options.owner) await warnIfOpen(config.dataDir, logger)
  const secrets = openSecrets({ dir: config.dataDir, random, key: config.instanceKey })
  const database = options.opened ?? (await openDatabase(addressOf(options)))
  const store = await openPostgresqlLog({ database, clock, effects: valueEffects })
  const changes = createChanges({ database, logger })
  const eventlog = createEventLog({ database, store, changes, clock, logger })
  const activity = createActivity({ database, eventlog, clock, logger })
  const { smtp, mailFrom: from, publicUrl, domain, notifyUrl } = config
  const mail = createMail({ database, clock, random, logger, smtp, from })
  const groups = createGroups({ database, changes, clock, random })
  const { outbound, http2 } = options.outboundClients ?? openOutboundClients(config, logger)
  const kernel = { database, changes, clock, random, logger }
  const accounts = createAccounts({ ...kernel, groups, mail, secrets, outbound, publicUrl })
  const jobs = new Jobs({ ...kernel, eventlog })
  const hosts = createHosts({ database, clock, logger, reserved: labelsOf(config) })
  const upkeep = createUpkeep({ database, clock, logger })
  const base = { ...kernel, eventlog, activity, jobs, hosts, outbound, http2 }
  const vendors = vendorNames(config.compatibility)
  const parts = { ...base, groups, secrets, domain, notifyUrl, quotas: accounts.quotas, vendors }
  const provisioning = createProvisioning(parts)
  const scripts = openScripting({
    ...parts,
    accounts,
    mail,
    provisioning,
    tagsOf: provisioning.tagsOf,
    providerClients: options.providerClients ?? { outbound, http2 },
  })
  const { scripting } = scripts
  const ofAssets = { ...parts, moduleAllow }
  const { assets, marketplace, pipelines } = openAssets(ofAssets, { scripts, provisioning })
  followRemovals({ provisioning, scripting, assets })
  const deleted = { ...base, accounts, provisioning, scripting, marketplace, pipelines }
  const modules = {
    config,
    database,
    secrets,
    eventlog,
    activity,
    changes,
    liveViews: createLiveViews({ ...base, groups, provisioning, scripting }),
    jobs,
    mail,
    groups,
    accounts,
    hosts,
    upkeep,
    provisioning,
    assets,
    marketplace,
    pipelines,
    failures: createFailures({ ...deleted, ...scripts }),
    reports: createReports({ ...base, assets, secrets, publicUrl }),
    policies: createPolicies({ ...parts, files: scripts.files }),
    assetFiles: createAssetFiles({ database, assets, pipelines, provisioning }),
    dashboards: createDashboards({ ...base, groups }),
    deletion: createDeletion(deleted),
    ...scripts,
    clock,
    random,
    logger,
  }
  return { ...modules, close: () => closeModules(modules, { outbound, http2 }) }
}

type AssetParts = Parameters<typeof createAssets>[0] &
  Omit<Parameters<typeof createMarketplace>[0], 'prefixes'> &
  Pick<Platform, 'activity' | 'changes' | 'eventlog' | 'jobs'> & {
    readonly vendors: ReturnType<typeof vendorNames>
  }

/** Assets, and what makes knowledge of their signals. */
function openAssets(
  { vendors, ...parts }: AssetParts,
  { scripts, provisioning }: { scripts: OpenedScripts; provisioning: Provisioning },
) {
  const { scripting } = scripts
  const assets = createAssets(parts)
  scripting.api.services.register(createAssetService({ assets, scripts: scripting.api }))
  const marketplace = createMarketplace({ ...parts, prefixes: extensionPrefixes(vendors) })
  const acting = actingOf(scripts, provisioning)
  const consequences = consequencesOf(scripts, parts.activity)
  const pipelines = createPipelines({ ...parts, assets, marketplace, acting, consequences })
  return { assets, marketplace, pipelines }
}

/** What hangs on a connector goes with it. */
function followRemovals({
  provisioning,
  scripting,
  assets,
}: Pick<Platform, 'provisioning' | 'scripting' | 'assets'>): void {
  provisioning.removals.onRemove(async ({ connectorId, businessId }) => {
    await scripting.dropConnector(connectorId)
    await assets.intake.set(wholeView(businessId), connectorId, null)
  })
}

function addressOf({ config, owner, logger, databaseName: name }: PlatformOptions) {
  const { databaseUrl: url, dataDir } = config
  return { url, dataDir, owner, logger, ...(name === undefined ? {} : { name }) }
}

/** In the order in which none needs one that is closed. */
async function closeModules(
  modules: Omit<Platform, 'close'>,
  { outbound, http2 }: OutboundClients,
): Promise<void> {
  await modules.pipelines.stop()
  await modules.assets.timeouts.stop()
  await modules.timers.stop()
  await modules.jobs.stop()
  await modules.notifications.close()
  await modules.scripting.close()
  await modules.jobs.close()
  await modules.provisioning.close()
  await modules.activity.close()
  await modules.eventlog.close()
  await modules.accounts.quotas.close()
  await modules.mail.close()
  await http2.close()
  await outbound.close()
  await modules.database.close()
}

/** A directory of an earlier version, or of the operator's making, stays as it is. */
async function warnIfOpen(dataDir: string, logger: Logger): Promise<void> {
  const mode = (await stat(dataDir)).mode & 0o777
  if ((mode & ~newDirectory) === 0) return
  logger.warn(
    { dataDir, mode: mode.toString(8) },
    `other users can enter the data directory; chmod ${newDirectory.toString(8)} closes it`,
  )
}

/** The labels that no tenant can take: reserved ones, and the instance's own under its domain. */
function labelsOf({ domain, hosts, reservedLabels }: Config): string[] {
  const under = hosts.filter((host) => host.endsWith(`.${domain}`))
  return [...reservedLabels, ...under.map((host) => host.slice(0, -domain.length - 1))]
}

function openOutboundClients({ outboundAllow: allow }: Config, logger: Logger): OutboundClients {
  return { outbound: createOutbound({ allow, logger }), http2: createHttp2({ allow, logger }) }
}

function openGraphql(platform: Platform, rates: Rates): Graphql {
  const { domain, graphqlOrigins: origins } = platform.config
  return createGraphql({ ...platform, rates, domain, origins })
}

/**
 * Opens the ports and starts the consumers; `close` ends both, and then the platform.
 * @throws Fault settings_differ if other processes serve with settings that contradict.
 */
export async function serve(platform: Platform, times: Partial<ListenTimes> = {}): Promise<Served> {
  const known = (await isKeyLost(platform)) ? { check: () => 'missing' } : platform.secrets
  const settings = agreedSettings(platform.config, known)
  const registered = await registerProcess({ ...platform, settings })
  try {
    const authority = await openServerAuthority({ ...platform, dir: tlsFolder(platform) })
    const close = () => registered.close().finally(() => platform.close())
    return await openPorts({ ...platform, close }, authority, times)
  } catch (error) {
    await registered.close()
    throw error
  }
}

function tlsFolder({ config }: Pick<Platform, 'config'>): string {
  return join(config.dataDir, 'tls')
}

function acmeOf(platform: Platform): AcmeOrders | undefined {
  const settings = platform.config.tls.acme
  if (settings === undefined) return undefined
  return new AcmeOrders({ ...platform, settings, dir: join(tlsFolder(platform), 'acme') })
}

type OpenedScripts = ReturnType<typeof openScripting>

type Apis = Awaited<ReturnType<typeof openApis>>

/** Builds what answers requests. */
async function openApis(platform: Platform, listeners: Promise<Listeners>) {
  const { config, eventlog, activity, provisioning, scripting, clock, random, logger } = platform
  const vendors = vendorNames(config.compatibility)
  const presenceWanted = scripting.hasConnector
  const { takeMessage } = platform.accounts.quotas
  const deviceParts = { provisioning, eventlog, activity, clock, random, logger }
  const deviceOptions = { ...deviceParts, presenceWanted, takeMessage }
  const deviceApi = createDeviceHttp({ ...deviceOptions, vendors })
  const mqtt = await createDeviceMqtt(deviceOptions)
  const operator = new OperatorFile(config.dataDir, random)
  const firstAccount = new FirstAccount(platform.accounts, random)
  const solutionTests = createSolutionTests(platform)
  const rates = createRates(platform)
  const graphql = openGraphql(platform, rates)
  const management = createManagement({
    ...platform,
    countRequest: createRequestCount(rates),
    solutionTests,
    unwritable: platform.database.unwritable,
    instance: stateOf(platform),
    roles: config.roles,
    operatorToken: operator.token,
    firstAccount,
    domain: config.domain,
    listeners,
    uploadDir: join(config.dataDir, 'uploads'),
    consoleDir: join(import.meta.dirname, '..', '..', 'console', 'dist'),
  })
  return { deviceApi, mqtt, rates, graphql, management, operator, firstAccount, solutionTests }
}

/** Ends them after a start that failed: what they wait for would keep the process. */
async function endApis({ deviceApi, mqtt, rates, graphql, management }: Apis): Promise<void> {
  deviceApi.close()
  for (const api of [management, graphql]) api.endStreams()
  await mqtt.close()
  await rates.close()
}

async function openPorts(
  platform: Platform,
  authority: ServerAuthority,
  times: Partial<ListenTimes>,
): Promise<Served> {
  const { config, provisioning, scripting, hosts, clock, logger } = platform
  const opened = Promise.withResolvers<Listeners>()
  const apis = await openApis(platform, opened.promise)
  const { deviceApi, mqtt, graphql, management, operator, firstAccount, solutionTests } = apis
  await hosts.report()
  await platform.accounts.quotas.load()
  if (config.roles.includes('device')) await provisioning.revocations.startPolling()
  let draining = false
  const observed = await observe(platform, opened.promise, mqtt, () => draining)
  const listeners = await listen({
    metricsServer: observed.metricsServer,
    config,
    deviceApi,
    mqtt,
    graphql,
    management,
    webservice: platform.webservice,
    notifications: platform.notifications.http,
    authority,
    acme: acmeOf(platform),
    hosts,
    clock,
    random: platform.random,
    logger,
    times,
  }).catch(async (error) => {
    await endApis(apis)
    await observed.end()
    throw error
  })
  opened.resolve(listeners)
  if (config.roles.includes('api')) operator.write(listeners)
  const worker = config.roles.includes('worker')
  scripting.start({ events: worker })
  const upkeep = worker ? await startWorker(platform, solutionTests) : undefined
  logger.info({ roles: config.roles }, 'the process serves')
  return {
    ...listeners,
    firstAccountUrl: () => firstAccount.link(listeners.httpUrl),
    async close() {
      draining = true
      operator.remove()
      deviceApi.close()
      for (const api of [management, graphql]) api.endStreams()
      upkeep?.stop()
      await solutionTests.close()
      await listeners.close()
      await apis.rates.close()
      await platform.close()
      await observed.end()
    },
  }
}

/** Begins to do what no request waits for; `stop` ends the upkeep, and the platform the rest. */
async function startWorker(
  platform: Platform,
  solutionTests: SolutionTests,
): Promise<{ stop(): void }> {
  const { provisioning, timers, notifications, pipelines, assets, jobs } = platform
  const { rotations, expiry, removals, searchTerms } = provisioning
  for (const { startPolling } of [rotations, expiry, removals, searchTerms]) startPolling()
  const upkeep = await startUpkeep(platform, solutionTests)
  timers.start()
  notifications.start()
  pipelines.start()
  assets.timeouts.startPolling()
  jobs.start()
  return upkeep
}

function createSolutionTests(platform: Platform): SolutionTests {
  const { config, clock, logger } = platform
  const temporaries = temporariesOf(platform, { openPlatform, serve })
  const allowed = config.solutionTests === true
  return new SolutionTests({ ...temporaries, allowed, clock, logger })
}
