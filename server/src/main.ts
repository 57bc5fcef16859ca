import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Accounts, createAccounts } from './accounts/index.ts'
import { type Assets, createAssets } from './assets/index.ts'
import type { Config } from './config.ts'
import { createDoor, createMqttDoor } from './connector/index.ts'
import { type Database, openDatabase } from './database/index.ts'
import { createEventLog, type EventLog } from './eventlog/index.ts'
import { createGraphql } from './graphql/index.ts'
import {
  type Clock,
  type Logger,
  limits,
  type Random,
  systemClock,
  systemRandom,
  vendorNames,
} from './kernel/index.ts'
import { type Listeners, listen } from './listen.ts'
import { createManagement } from './management/index.ts'
import { createOutbound } from './outbound/index.ts'
import { createPipelines, type Pipelines } from './pipelines/index.ts'
import {
  createProvisioning,
  openSecrets,
  openServerAuthority,
  type Provisioning,
  valueEffects,
} from './provisioning/index.ts'

/** The modules of an instance, in the order of the data's path. */
export type Platform = {
  readonly config: Config
  readonly database: Database
  readonly eventlog: EventLog
  readonly accounts: Accounts
  readonly provisioning: Provisioning
  readonly assets: Assets
  readonly pipelines: Pipelines
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  close(): Promise<void>
}

export type PlatformOptions = {
  readonly config: Config
  readonly logger: Logger
  /** Whether closing stops the embedded engine even if it was found running. */
  readonly owner: boolean
  readonly clock?: Clock
  readonly random?: Random
  /** The database inside the embedded engine, for tests that share one. */
  readonly databaseName?: string
}

/** Builds every module over the database; opens no door and starts no consumer. */
export async function openPlatform(options: PlatformOptions): Promise<Platform> {
  const { config, logger, clock = systemClock(), random = systemRandom } = options
  await mkdir(config.dataDir, { recursive: true })
  const database = await openDatabase({
    url: config.databaseUrl,
    dataDir: config.dataDir,
    owner: options.owner,
    logger,
    ...(options.databaseName === undefined ? {} : { name: options.databaseName }),
  })
  const eventlog = createEventLog({ database, clock, logger, effects: valueEffects })
  const accounts = createAccounts({ database, clock, random, logger })
  const outbound = createOutbound({ allow: config.outboundAllow, logger })
  const provisioning = createProvisioning({
    ...{ database, eventlog, outbound, clock, random, logger },
    secrets: openSecrets({ dir: config.dataDir, random }),
  })
  const assets = createAssets({ database, clock, random })
  const pipelines = createPipelines({
    database,
    eventlog,
    assets,
    outbound,
    clock,
    random,
    logger,
  })
  return {
    ...{ config, database, eventlog, accounts, provisioning, assets, pipelines },
    ...{ clock, random, logger },
    async close() {
      await pipelines.stop()
      await provisioning.close()
      await eventlog.close()
      await outbound.close()
      await database.close()
    },
  }
}

/** An instance with its doors open. */
export type Served = Listeners & { close(): Promise<void> }

/** Opens the doors and starts the consumers; `close` ends both, and then the platform. */
export async function serve(platform: Platform): Promise<Served> {
  const { config, eventlog, accounts, provisioning, assets, pipelines } = platform
  const { clock, random, logger } = platform
  const vendors = vendorNames(config.compatibility)
  const door = createDoor({ provisioning, eventlog, clock, logger, vendors })
  const mqtt = await createMqttDoor({ provisioning, eventlog, clock, random, logger })
  const graphql = createGraphql({ accounts, assets, pipelines, provisioning, clock, logger })
  const management = createManagement({
    accounts,
    provisioning,
    eventlog,
    pipelines,
    clock,
    logger,
    domain: config.domain,
    uploadDir: join(config.dataDir, 'uploads'),
    consoleDir: join(import.meta.dirname, '..', '..', 'console', 'dist'),
  })
  const authority = await openServerAuthority({ dir: join(config.dataDir, 'tls'), clock, random })
  const isConnector = async (id: string) => (await provisioning.connectors.find(id)) !== undefined
  await provisioning.revocations.follow()
  const listeners = await listen({
    config,
    door,
    mqtt,
    graphql,
    management,
    authority,
    isConnector,
    logger,
  })
  const upkeep = await startUpkeep(platform)
  pipelines.start()
  return {
    ...listeners,
    async close() {
      door.close()
      management.endStreams()
      upkeep.stop()
      await listeners.close()
      await platform.close()
    },
  }
}

/** Makes room for coming values and clears away what is old: at the start, and then at times. */
async function startUpkeep(platform: Platform): Promise<{ stop(): void }> {
  const { assets, provisioning, logger } = platform
  const maintain = () =>
    Promise.all([
      assets.maintain(),
      provisioning.contents.sweep(),
      provisioning.revocations.sweep(),
    ])
  await maintain()
  const timer = setInterval(() => {
    maintain().catch((error) => logger.warn({ err: error }, 'upkeep could not run'))
  }, limits.retentionEveryMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
