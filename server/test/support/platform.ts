import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Config } from '../../src/config.ts'
import { type Clock, createLogger, systemClock } from '../../src/kernel/index.ts'
import { openPlatform, type Platform, type Served, serve } from '../../src/main.ts'
import type { Connector } from '../../src/provisioning/index.ts'
import { testAddress } from './database.ts'
import { atEnd } from './ends.ts'

/** A clock that a test holds. */
export type TestClock = Clock & {
  /** Lets time pass. */
  advance(ms: number): void
  /** Sets the wall clock forward or back, while no time passes. */
  step(ms: number): void
}

/** A whole instance with its doors open on free ports, and what a test needs to use it. */
export type TestPlatform = Served & {
  readonly platform: Platform
  readonly clock: TestClock
  readonly businessId: string
  readonly account: { readonly email: string; readonly password: string }
  /** `Basic …` of the account holder. */
  readonly basic: string
  /** An API token of an Administrator. */
  readonly token: string
  readonly connector: Connector
  /**
   * One more instance on the same database, with a clock of its own, `aheadMs` ahead or else right;
   * as after a restart.
   */
  another(options?: {
    readonly aheadMs: number
  }): Promise<Served & { readonly platform: Platform; readonly clock: TestClock }>
  /** How another process reaches the same database. */
  databaseUrl(): Promise<string>
}

const account = { email: 'ops@example.com', password: 'correct horse battery' }

export type TestPlatformOptions = {
  readonly connector?: Parameters<Platform['provisioning']['connectors']['create']>[1]
  readonly config?: Partial<Config>
  /** How long clients and a stop may take. */
  readonly times?: Parameters<typeof serve>[1]
}

/**
 * Starts an instance on a database of its own; all of it is gone after the test. Its connector is
 * in developer mode, lets devices register themselves and has the usual resources.
 */
export async function testPlatform(
  t: Pick<TestContext, 'after'>,
  options: TestPlatformOptions = {},
): Promise<TestPlatform> {
  const config = await testConfig(t, options.config)
  const logger = createLogger(process.env.MILLRACE_TEST_LOG ?? 'silent')
  const { databaseName, ...rest } = config
  const another = async ({ aheadMs } = { aheadMs: 0 }) => {
    const clock = testClock()
    clock.step(aheadMs)
    const parts = { config: rest, logger, owner: false, clock, databaseName }
    const platform = await openPlatform(parts)
    const served = await serve(platform, options.times)
    atEnd(t, () => served.close())
    return { ...served, platform, clock }
  }
  const { platform, clock, ...served } = await another()
  const business = await platform.accounts.createBusiness({ name: 'Example' })
  await platform.accounts.createUser(business.id, { ...account, role: 'Administrator' })
  const { token } = await platform.accounts.createToken(business.id, {
    name: 'test',
    role: 'Administrator',
  })
  const connector = await platform.provisioning.connectors.create(
    business.id,
    options.connector ?? exampleConnector,
  )
  const basic = `Basic ${Buffer.from(`${account.email}:${account.password}`).toString('base64')}`
  const databaseUrl = () => urlOf(platform)
  const made = { databaseUrl, businessId: business.id, account, basic, token, connector }
  return { ...served, platform, clock, another, ...made }
}

export const exampleConnector: NonNullable<TestPlatformOptions['connector']> = {
  name: 'Example connector',
  devmode: true,
  selfRegistration: true,
  resources: {
    a: { format: 'string', settable: true },
    b: { format: 'string', settable: true },
    temperature: { format: 'number' },
    level: { format: 'number', allowed: ['9-11'], settable: true },
    data_in: { format: 'string' },
    config_io: { format: 'string', settable: true },
  },
}

async function urlOf({ config, database }: Platform): Promise<string> {
  if (config.databaseUrl !== undefined) return config.databaseUrl
  const row = await database.one<{ role: string; name: string; folder: string }>(
    `select current_user as role, current_database() as name,
       trim(both '"' from current_setting('unix_socket_directories')) as folder`,
  )
  const { role = '', name = '', folder = '' } = row ?? {}
  return `postgresql://${role}@/${name}?host=${encodeURIComponent(folder)}`
}

async function testConfig(t: Pick<TestContext, 'after'>, part: Partial<Config> = {}) {
  const address = await testAddress(t)
  const folder = await mkdtemp(join(tmpdir(), 'millrace-instance-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true }))
  const free = { host: '127.0.0.1', port: 0 }
  return {
    dataDir: address.dataDir === '' ? folder : address.dataDir,
    databaseUrl: address.url,
    databaseName: address.name,
    http: free,
    deviceTls: free,
    mqttTls: free,
    mqtt: free,
    domain: 'localhost',
    hosts: [],
    reservedLabels: [],
    notifyUrl: undefined,
    compatibility: ['onep'],
    outboundAllow: ['127.0.0.1:*'],
    demo: false,
    logLevel: 'silent',
    instanceKey: undefined,
    ...part,
  }
}

function testClock(): TestClock {
  let passedMs = 0
  let steppedMs = 0
  const clock = systemClock(() => Date.now() + passedMs + steppedMs)
  return {
    ...clock,
    elapsedMs: () => clock.elapsedMs() + passedMs,
    advance(ms) {
      passedMs += ms
    },
    step(ms) {
      steppedMs += ms
    },
  }
}
