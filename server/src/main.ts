import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createDeletion } from './api/deletion/index.ts'
import { createFailures } from './api/failures/index.ts'
import { checkAddresses, type Listeners, type ListenTimes, listen } from './api/http/index.ts'
import { AcmeOrders } from './devices/acme/index.ts'
import { createHosts } from './devices/hosts/index.ts'
import {
  createProvisioning,
  isKeyLost,
  openSecrets,
  openServerAuthority,
  type ServerAuthority,
  valueEffects,
} from './devices/provisioning/index.ts'
import {
  newDirectory,
  openDatabase,
  refuseUsed,
  registerProcess,
} from './foundation/database/index.ts'
import { type Logger, systemClock, systemRandom, vendorNames } from './foundation/kernel/index.ts'
import { createMail } from './foundation/mail/index.ts'
import { createHttp2, createOutbound } from './foundation/outbound/index.ts'
import { createAssetFiles } from './insight/asset-files/index.ts'
import { createAssets } from './insight/assets/index.ts'
import { createDashboards } from './insight/dashboards/index.ts'
import { createMarketplace, extensionPrefixes } from './insight/marketplace/index.ts'
import { createPipelines } from './insight/pipelines/index.ts'
import { createPolicies } from './insight/policies/index.ts'
import { createReports } from './insight/reports/index.ts'
import { createActivity } from './log/activity/index.ts'
import { createChanges, createLiveViews } from './log/changes/index.ts'
import { createEventLog, openPostgresqlLog } from './log/eventlog/index.ts'
import { Jobs } from './log/jobs/index.ts'
import { createUpkeep } from './log/upkeep/index.ts'
import { createAccounts } from './people/accounts/index.ts'
import { createGroups, wholeView } from './people/groups/index.ts'
import { agreedSettings } from './platform/composition/agreed-settings.ts'
import { endApis, openApis } from './platform/composition/apis.ts'
import { startUpkeep } from './platform/composition/maintenance.ts'
import { observe } from './platform/composition/observation.ts'
import { makeActing, makeConsequences } from './platform/composition/pipeline-actions.ts'
import { openScripts } from './platform/composition/scripts.ts'
import type { Config } from './platform/config/index.ts'
import type { OutboundClients, Platform, PlatformOptions, Served } from './platform/platform.ts'
import { createAssetService } from './scripts/services/asset/index.ts'
import type { SolutionTests } from './scripts/solution-tests/index.ts'

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
  const { smtp, mailFrom: from, publicUrl, domain, notifyUrl } = config
  await mkdir(config.dataDir, { recursive: true, mode: newDirectory })
  if (options.owner) await warnIfOpen(config.dataDir, logger)
  const secrets = openSecrets({ dir: config.dataDir, random, key: config.instanceKey })
  const database = options.opened ?? (await openDatabase(databaseAddress(options)))
  const changes = createChanges({ database, logger })
  const store = await openPostgresqlLog({ database, clock, effects: valueEffects })
  const base = { database, changes, secrets, clock, random, logger }

  const eventlog = createEventLog({ ...base, store })
  const activity = createActivity({ ...base, eventlog })
  const jobs = new Jobs({ ...base, eventlog })
  const mail = createMail({ ...base, smtp, from })
  const groups = createGroups(base)
  const hosts = createHosts({ ...base, reserved: listLabels(config) })
  const upkeep = createUpkeep(base)
  const clients = options.outboundClients ?? openOutboundClients(config, logger)
  const accounts = createAccounts({ ...base, ...clients, groups, mail, publicUrl })
  const { quotas } = accounts
  const vendors = vendorNames(config.compatibility)

  const below = { ...base, ...clients, eventlog, activity, jobs, groups, hosts }
  const provisioning = createProvisioning({ ...below, quotas })
  const providerClients = options.providerClients ?? clients
  const own = { accounts, mail, provisioning, providerClients, domain, notifyUrl }
  const { readTags } = provisioning
  const scripts = openScripts({ ...below, ...own, tagsOf: readTags, quotas, vendors })
  const { scripting } = scripts
  const assets = createAssets(below)
  scripting.api.services.register(createAssetService({ assets, scripts: scripting.api }))
  followRemovals({ provisioning, scripting, assets })
  const prefixes = extensionPrefixes(vendors)
  const marketplace = createMarketplace({ ...below, moduleAllow, prefixes })
  const acting = makeActing(scripts, provisioning)
  const consequences = makeConsequences(scripts, activity)
  const pipelines = createPipelines({ ...below, assets, marketplace, acting, consequences })

  const all = { ...below, accounts, provisioning, scripting, assets, marketplace, pipelines }
  const modules = {
    ...all,
    ...scripts,
    config,
    mail,
    upkeep,
    liveViews: createLiveViews(all),
    failures: createFailures({ ...all, ...scripts }),
    reports: createReports({ ...all, publicUrl }),
    policies: createPolicies({ ...all, files: scripts.files }),
    assetFiles: createAssetFiles(all),
    dashboards: createDashboards(all),
    deletion: createDeletion(all),
  }
  return { ...modules, close: () => closeModules(modules, clients) }
}

/** Rows that depend on a connector go with it. */
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

function databaseAddress({ config, owner, logger, databaseName: name }: PlatformOptions) {
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
function listLabels({ domain, hosts, reservedLabels }: Config): string[] {
  const under = hosts.filter((host) => host.endsWith(`.${domain}`))
  return [...reservedLabels, ...under.map((host) => host.slice(0, -domain.length - 1))]
}

function openOutboundClients({ outboundAllow: allow }: Config, logger: Logger): OutboundClients {
  return { outbound: createOutbound({ allow, logger }), http2: createHttp2({ allow, logger }) }
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

function makeAcme(platform: Platform): AcmeOrders | undefined {
  const settings = platform.config.tls.acme
  if (settings === undefined) return undefined
  return new AcmeOrders({ ...platform, settings, dir: join(tlsFolder(platform), 'acme') })
}

async function openPorts(
  platform: Platform,
  authority: ServerAuthority,
  times: Partial<ListenTimes>,
): Promise<Served> {
  const { config, provisioning, scripting, hosts, clock, logger } = platform
  const opened = Promise.withResolvers<Listeners>()
  const apis = await openApis(platform, opened.promise, { openPlatform, serve })
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
    acme: makeAcme(platform),
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
