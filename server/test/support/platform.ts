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

/** A clock that a test may put forward. */
export type TestClock = Clock & { advance(ms: number): void }

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
}

const account = { email: 'ops@example.com', password: 'correct horse battery' }

export type TestPlatformOptions = {
  readonly connector?: Parameters<Platform['provisioning']['connectors']['create']>[1]
  readonly config?: Partial<Config>
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
  const clock = testClock()
  const logger = createLogger(process.env.MILLRACE_TEST_LOG ?? 'silent')
  const { databaseName, ...rest } = config
  const platform = await openPlatform({
    config: rest,
    logger,
    owner: false,
    clock,
    databaseName,
  })
  const served = await serve(platform)
  atEnd(t, () => served.close())
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
  return { ...served, platform, clock, businessId: business.id, account, basic, token, connector }
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
  const clock = systemClock()
  let aheadMs = 0
  return {
    nowMs: () => clock.nowMs() + aheadMs,
    nowUs: () => clock.nowUs() + aheadMs * 1_000,
    advance(ms) {
      aheadMs += ms
    },
  }
}
