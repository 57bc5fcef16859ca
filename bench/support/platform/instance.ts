import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { provisioningLimits } from '../../../server/src/devices/provisioning/index.ts'
import { createLogger } from '../../../server/src/foundation/kernel/index.ts'
import { openPlatform } from '../../../server/src/main.ts'
import { wholeView } from '../../../server/src/people/groups/index.ts'
import { temporaryConfig } from '../../../server/src/platform/config/index.ts'
import type { Platform } from '../../../server/src/platform/platform.ts'
import type { Address } from '../frame/engines.ts'
import { cloneDevices } from './clone-devices.ts'

/** A platform on a database of the bench's, and how to leave nothing of it behind. */
export type Instance = { readonly platform: Platform; removeFolder(): Promise<void> }

/** Opens the platform as the product does; without an engine's folder it gets one of its own. */
export async function openInstance(
  address: Address,
  outboundAllow: readonly string[] = [],
): Promise<Instance> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-instance-'))
  const dataDir = address.dataDir === '' ? folder : address.dataDir
  // Each database has a CA of its own, and an engine's databases have one folder for its copy.
  await rm(join(dataDir, 'tls'), { recursive: true, force: true })
  const platform = await openPlatform({
    config: temporaryConfig(dataDir, {
      databaseUrl: address.url,
      mqtt: { host: '127.0.0.1', port: 0 },
      compatibility: ['onep'],
      outboundAllow,
      logLevel: 'warn',
    }),
    databaseName: address.name,
    logger: createLogger('warn'),
    owner: false,
  })
  return {
    platform,
    removeFolder: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The resources of a device; a fleet has the first of them, or as many as it is asked for. */
export const resourceNames = ['temperature', 'humidity', 'pressure', 'speed', 'level'] as const

/** Devices of one connector, each with an asset whose signals show its resources. */
export type Fleet = {
  readonly businessId: string
  readonly connectorId: string
  readonly identities: readonly string[]
  readonly tokens: readonly string[]
}

const devicesAtOnce = 8

/** So many are made in the product's way; what is more are copies of them. */
const devicesMade = 1_000

export async function makeFleet(
  platform: Platform,
  devices: number,
  name = 'Bench',
  signals = 1,
): Promise<Fleet> {
  if (signals > 1 && devices > devicesMade) throw new Error('copies have one signal')
  const aliases = resourceNames.slice(0, signals)
  const { accounts, assets, provisioning } = platform
  const { id: businessId } = await accounts.createBusiness({ name })
  const connector = await provisioning.connectors.create(businessId, {
    name: 'Bench',
    devmode: true,
    selfRegistration: true,
    registrationsPerMinute: provisioningLimits.registrationsPerMinuteMax,
    resources: Object.fromEntries(aliases.map((alias) => [alias, { format: 'number' }])),
  })
  const identities = Array.from({ length: devices }, (_, at) => `device-${at}`)
  const tokens: string[] = []
  const origin = { ip: '127.0.0.1', protocol: 'http', encrypted: false }
  async function make(from: number): Promise<void> {
    for (let at = from; at < Math.min(devices, devicesMade); at += devicesAtOnce) {
      const identity = identities[at] ?? ''
      tokens[at] = (await provisioning.activate(connector, identity, origin)).token
      await assets.create(wholeView(businessId), {
        name: identity,
        device: { connectorId: connector.id, identity },
        signals: aliases.map((alias) => ({
          ...{ name: alias, primitiveType: 'NUMERIC' as const, source: { alias } },
        })),
      })
    }
  }
  await Promise.all(Array.from({ length: devicesAtOnce }, (_, from) => make(from)))
  const copies = identities.slice(devicesMade)
  const model = { connectorId: connector.id, identity: identities[0] ?? '' }
  for (const token of await cloneDevices(platform, model, copies)) tokens.push(token)
  // The server does this by itself within a minute, unless a setting turns it off.
  await platform.database.run('analyze')
  return { businessId, connectorId: connector.id, identities, tokens }
}
