import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newToken, replaceFile, toFault } from '../../server/src/foundation/kernel/index.ts'
import { wholeView } from '../../server/src/people/groups/index.ts'
import type { Platform, Served } from '../../server/src/platform/platform.ts'
import { keepDashboard } from './dashboard.ts'
import { demoConnector, fleet, stationLinks, stationSignals } from './plant.ts'
import { type DemoSolutions, keepSolutions } from './solutions.ts'

/** The content of `<data>/demo.json`: the demo, for tools. */
export type Demo = {
  /** Base of the management API, with the connector's and identities' paths below it. */
  readonly api: string
  readonly graphql: string
  readonly console: string
  /** The device API without encryption; with `connector.host` as the Host. */
  readonly deviceHttp: string
  readonly deviceTls: string
  readonly caFile: string
  readonly account: { readonly email: string; readonly password: string }
  readonly connector: { readonly id: string; readonly host: string }
  /** An API token: `Authorization: Automation <token>`. */
  readonly token: string
  /** The asset whose status changes. */
  readonly asset: string
  /** The ids of the example solutions: the connector's, the application on it, and the alerts. */
  readonly solutions: DemoSolutions
  /** The application's endpoint with the last readings of every station. */
  readonly stations: string
  /** Plain MQTT; null where it is off, as it is unless MILLRACE_MQTT opens it. */
  readonly mqtt: string | null
  readonly mqttTls: string | null
}

type StoredDemo = Pick<Demo, 'account' | 'connector' | 'token' | 'asset'> & {
  readonly businessId: string
  /** Not there where an earlier version made the demo. */
  readonly solutions?: Partial<DemoSolutions>
}

/**
 * Makes the demo's business, connector, assets, links, solutions and dashboard where they are
 * missing, and writes `demo.json` with the addresses of this start.
 * @param allow lets the modules of the demo's business, and of no other, have the module's address.
 */
export async function seedDemo(
  platform: Platform,
  served: Served,
  moduleUrl: string,
  allow: (businessId: string) => void,
) {
  const module = { url: moduleUrl, allow }
  const file = join(platform.config.dataDir, 'demo.json')
  const kept = (await readKept(platform, file, module)) ?? (await plant(platform, module))
  const place = { businessId: kept.businessId, connectorId: kept.connector.id }
  const solutions = await keepSolutions(platform, place, kept.solutions)
  await keepDashboard(platform, kept.businessId)
  const demo: Demo = {
    api: `${served.httpUrl}/api:1`,
    graphql: `${served.httpUrl}/api/graphql`,
    console: `${served.httpUrl}/`,
    deviceHttp: served.httpUrl,
    deviceTls: served.tlsUrl,
    caFile: served.caFile,
    account: kept.account,
    connector: {
      id: kept.connector.id,
      host: `${kept.connector.id}.${platform.config.domain}`,
    },
    token: kept.token,
    asset: kept.asset,
    solutions,
    stations: `${served.httpUrl}/solution/${solutions.app}/stations`,
    mqtt: served.mqttUrl ?? null,
    mqttTls: served.mqttTlsUrl ?? null,
  }
  replaceFile(file, `${JSON.stringify(demo, undefined, 2)}\n`, 0o600)
  return demo
}

/** The address of the demo's module, and the function that allows it for one business. */
type DemoAddress = { readonly url: string; readonly allow: (businessId: string) => void }

/** The result of an earlier start, if it is still valid. */
async function readKept(
  platform: Platform,
  file: string,
  module: DemoAddress,
): Promise<StoredDemo | undefined> {
  try {
    const kept = JSON.parse(await readFile(file, 'utf8')) as StoredDemo
    const { businessId } = await platform.accounts.automation(kept.token)
    await platform.assets.get(wholeView(businessId), kept.asset)
    await platform.provisioning.connectors.get(businessId, kept.connector.id)
    module.allow(businessId)
    await moveModule(platform, businessId, module.url)
    return { ...kept, businessId }
  } catch {
    // Nothing there, half of it, or of another database: it is made anew.
    return undefined
  }
}

/** The module has another port at each start. */
async function moveModule({ pipelines }: Platform, businessId: string, url: string): Promise<void> {
  const modules = await pipelines.modules.list(businessId)
  const module = modules.find(({ name }) => name === moduleName)
  if (module !== undefined) await pipelines.modules.move(businessId, module.id, { url })
}

/** Named as the pages name it, where nobody has the name yet. */
async function makeBusiness(accounts: Platform['accounts'], mark: string) {
  try {
    return await accounts.createBusiness({ name: 'Demo' })
  } catch (error) {
    if (toFault(error).code !== 'already_exists') throw error
    return accounts.createBusiness({ name: `Demo ${mark}` })
  }
}

async function plant(platform: Platform, address: DemoAddress): Promise<StoredDemo> {
  const { accounts, provisioning, assets, pipelines } = platform
  const mark = newToken(platform.random).slice(0, markChars)
  const business = await makeBusiness(accounts, mark)
  const account = {
    email: `demo-${mark}@demo.example`,
    password: newToken(platform.random),
  }
  await accounts.createUser(business.id, { ...account, role: 'Administrator' })
  const { token } = await accounts.createToken(business.id, {
    name: 'demo.json',
    role: 'Administrator',
    rateLimits: demoRates,
  })
  const taken = (await provisioning.connectors.find('demo')) !== undefined
  const connector = await provisioning.connectors.create(business.id, {
    ...demoConnector,
    id: taken ? `demo-${mark}` : 'demo',
  })
  await assets.intake.set(wholeView(business.id), connector.id, {})
  address.allow(business.id)
  const module = await pipelines.modules.add(business.id, { name: moduleName, url: address.url })
  const stations = []
  for (const { identity } of fleet) {
    const device = { connectorId: connector.id, identity }
    stations.push(await plantStation(platform, business.id, device, module.id))
  }
  const host = `${connector.id}.${platform.config.domain}`
  return {
    ...{ businessId: business.id, account, token, asset: stations[0] ?? '' },
    connector: { id: connector.id, host },
  }
}

/**
 * Plants the asset of one station with its signals and their pipeline.
 * @returns its id.
 */
async function plantStation(
  { assets, pipelines }: Platform,
  businessId: string,
  device: { readonly connectorId: string; readonly identity: string },
  moduleId: string,
): Promise<string> {
  const asset = await assets.create(wholeView(businessId), {
    name: `Weather station ${device.identity}`,
    description: 'Replays the hourly measurements of Seattle.',
    device,
    signals: stationSignals,
  })
  const signals = await assets.signals.ofAssets(wholeView(businessId), [asset.id])
  for (const { inlet, ...link } of stationLinks(moduleId)) {
    const signalId = signals.find(({ name }) => name === inlet)?.id ?? ''
    await pipelines.links.create(wholeView(businessId), {
      ...link,
      assetId: asset.id,
      inlets: [{ signalId }],
    })
  }
  return asset.id
}

/** More than a token has by itself: a reader tries one call after the other. */
const demoRates = { requests: 1_000, timeMs: 1_000_000 }

const markChars = 6
const moduleName = 'Vibration'
