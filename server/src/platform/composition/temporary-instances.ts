import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, mayNotCreate } from '../../foundation/database/index.ts'
import { Fault, type Logger, newId, systemRandom } from '../../foundation/kernel/index.ts'
import { createClosed } from '../../foundation/outbound/index.ts'
import type { OpenInstance, TestInstance } from '../../scripts/solution-tests/index.ts'
import { temporaryConfig } from '../config/index.ts'
import type { Platform, PlatformOptions, Served } from '../platform.ts'

/** The functions of main.ts that build an instance. */
export type Build = {
  openPlatform(options: PlatformOptions): Promise<Platform>
  serve(platform: Platform): Promise<Served>
}

export type TemporaryOptions = {
  /** The folder of its keys and, if it has one, of its embedded engine; removed with it. */
  readonly dir: string
  /** Undefined: an embedded engine of its own. */
  readonly database: Database | undefined
  readonly logger: Logger
  readonly logLevel: string
  /** Private addresses that scripts may call; undefined: they call nothing outside. */
  readonly outboundAllow: readonly string[] | undefined
}

const hint = 'fake("Http", …) answers in its place, --allow-outbound allows the call'
const closed = createClosed(`A test does not call out: ${hint}.`)
const refusing = { outbound: closed, http2: closed }

/** Opens an instance for tests, of which nothing is left when it is closed. */
export async function openTemporary(
  { openPlatform, serve }: Build,
  { dir, database, logger, logLevel, outboundAllow }: TemporaryOptions,
): Promise<TestInstance> {
  const config = temporaryConfig(dir, { logLevel, outboundAllow: outboundAllow ?? [] })
  const remove = () => rm(dir, { recursive: true, force: true, maxRetries: 20 })
  try {
    const platform = await openPlatform({
      config,
      logger,
      owner: true,
      ...(database === undefined ? {} : { opened: database }),
      ...(outboundAllow === undefined ? { outboundClients: refusing } : {}),
      // Messages to people are never sent.
      providerClients: refusing,
    }).catch(async (error) => {
      await database?.close()
      throw error
    })
    const served = await serve(platform).catch(async (error) => {
      await platform.close()
      throw error
    })
    const { accounts, activity, provisioning, scripting, random } = platform
    const close = () => served.close().finally(remove)
    const { httpUrl } = served
    return { accounts, activity, provisioning, scripting, random, httpUrl, close }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Temporary instances beside a running one: in databases of its server. */
export function makeTemporaries(
  { config, database, logger }: Pick<Platform, 'config' | 'database' | 'logger'>,
  build: Build,
): { readonly open: OpenInstance; sweep(nowMs: number): Promise<void> } {
  const folder = join(config.dataDir, 'temporary')
  return {
    async open({ expiresAtMs, allowOutbound }) {
      const temporary = await openTemporaryDatabase(database, expiresAtMs)
      const dir = join(folder, `${Math.ceil(expiresAtMs / 1_000)}-${newId(systemRandom)}`)
      return openTemporary(build, {
        dir,
        database: temporary,
        logger,
        logLevel: config.logLevel,
        outboundAllow: allowOutbound ? config.outboundAllow : undefined,
      })
    },
    async sweep(nowMs) {
      await database.dropExpired(nowMs)
      await removeExpired(folder, nowMs)
    },
  }
}

async function openTemporaryDatabase(database: Database, expiresAtMs: number): Promise<Database> {
  return database.openTemporary(expiresAtMs).catch((error) => {
    if (!mayNotCreate(error)) throw error
    const detail = 'The role of DATABASE_URL may not create the database of a test (CREATEDB).'
    throw new Fault('tests_refused', detail, { cause: error })
  })
}

async function removeExpired(folder: string, nowMs: number): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  const expired = names.filter((name) => Number.parseInt(name, 10) * 1_000 <= nowMs)
  for (const name of expired) await rm(join(folder, name), { recursive: true, force: true })
}
