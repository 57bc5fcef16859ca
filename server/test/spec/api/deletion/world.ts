import assert from 'node:assert/strict'
import type { Database } from '../../../../src/foundation/database/index.ts'
import { wholeView } from '../../../../src/people/groups/index.ts'
import type { Platform } from '../../../../src/platform/platform.ts'
import { exampleConnector, testPlatform } from '../../../fixtures/platform.ts'
import type { suiteContext } from '../../../fixtures/suite.ts'
import { newDevice } from '../../../fixtures/wire/device.ts'
import { mqttDevice } from '../../../fixtures/wire/mqtt.ts'
import { fill } from '../access/world.ts'

/** Devices of the business that is deleted which never wrote. */
export const silentDevices = 30_000

const password = 'a long phrase of words'

export type DeletionWorld = Awaited<ReturnType<typeof openDeletionWorld>>

/** Two processes of an instance, with two businesses that have one of everything. */
export async function openDeletionWorld(context: ReturnType<typeof suiteContext>) {
  const instance = await testPlatform(context, { own: 'starts a second process' })
  const { platform, httpUrl, operator } = instance
  const second = await instance.another()
  const gone = await addOwner(platform, 'Gone & Co', 'gone1')
  const neighbour = await addOwner(platform, 'Neighbour', 'near1')
  const device = await newDevice(second.httpUrl, gone.connectorId, 'd1')
  const theirDevice = await newDevice(second.httpUrl, neighbour.connectorId, 'd1')
  for (const one of [device, theirDevice]) assert.equal((await one.write('a=1')).status, 204)
  const session = await mqttDevice(context, second.mqttUrl, { password: device.token })
  await addDevices(platform, gone.connectorId)
  await platform.scripting.caughtUp()
  return {
    instance,
    second,
    gone,
    neighbour,
    device,
    theirDevice,
    session,
    /** The devices of a connector that are left. */
    async devicesLeft(connectorId: string): Promise<number> {
      const text = 'select count(*) as count from provisioning_identity where connector_id = $1'
      const row = await platform.database.one<{ count: number }>(text, [connectorId])
      return row?.count ?? 0
    },
    async rowsWith(text: string) {
      // Counts of what businesses used are written a while later.
      for (const one of [platform, second.platform]) await one.accounts.quotas.countUsage([])
      return rowsWith(platform.database, text)
    },
    path: (end = '') => `/businesses/${encodeURIComponent('Gone & Co')}${end}`,
    /** As the operator, if nobody else is given. */
    async ask(method: string, path: string, as = operator, url = httpUrl) {
      const response = await fetch(`${url}/api:1${path}`, {
        method,
        headers: { authorization: as },
      })
      const text = await response.text()
      // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects
      return { status: response.status, json: (text === '' ? {} : JSON.parse(text)) as any }
    },
  }
}

/** A business that has one of everything, and its connector and solution under names of the id. */
export async function addOwner(platform: Platform, name: string, id: string) {
  const { accounts, groups, provisioning, scripting, assets } = platform
  const business = await accounts.createBusiness({ name })
  const view = wholeView(business.id)
  const wanted = { ...exampleConnector, id, name: `Connector of ${id}` }
  const connector = await provisioning.connectors.create(business.id, wanted)
  const group = await groups.create(view, { name: `Group of ${id}` })
  await fill({ platform, businessId: business.id, connector }, group.id, {
    email: `${id}@example.com`,
  })
  const held = { name: 'operations', role: 'Administrator' }
  const { token } = await accounts.createToken(business.id, held)
  const user = { role: 'Administrator', email: `admin@${id}.example`, password }
  await accounts.createUser(business.id, user)
  await accounts.signIn(user.email, password)
  const solution = await scripting.solutions.create(business.id, { id: `${id}s`, name: 'S' })
  const service = { service: connector.id, alias: 'meters', body: {} }
  await scripting.configurations.add(business.id, solution.id, service)
  await assets.intake.set(view, connector.id, { groupId: group.id })
  await platform.dashboards.create(
    { businessId: business.id, subject: 'platform', view: business.id },
    { name: `Dashboard of ${id}`, panels: [] },
  )
  return { businessId: business.id, connectorId: connector.id, token }
}

/** As they lie in the database: so many would take long to whitelist. */
async function addDevices({ database }: Platform, connectorId: string) {
  await database.run(
    `insert into provisioning_identity (connector_id, identity, locked, tags, created_at)
     select $1, 'n' || n, false, '[]', 1 from generate_series(1, $2::int) as n`,
    [connectorId, silentDevices],
  )
  await database.run(
    'update provisioning_population set identities = identities + $2 where connector_id = $1',
    [connectorId, silentDevices],
  )
}

/** Tables that keep the id of a business that was deleted, each with the reason. */
const keeping: Readonly<Record<string, string>> = {
  deletion_business: 'the record of the deletion itself',
  accounts_audit: "the operator's own log: who deleted what",
}

/** The rows of each table in which a text occurs in any column, but of those that keep it. */
export async function rowsWith(
  database: Database,
  text: string,
): Promise<Record<string, readonly string[]>> {
  const tables = await database.rows<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const found: Record<string, readonly string[]> = {}
  for (const { name } of tables) {
    if (Object.hasOwn(keeping, name)) continue
    const rows = await database.rows<{ row: string }>(
      `select t::text as row from ${name} t where position($1 in t::text) > 0 order by 1`,
      [text],
    )
    if (rows.length > 0) found[name] = rows.map(({ row }) => row)
  }
  return found
}
