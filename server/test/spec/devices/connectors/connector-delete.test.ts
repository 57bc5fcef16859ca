import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { provisioningLimits } from '../../../../src/devices/provisioning/index.ts'
import { type OwnPlatform, unique } from '../../../fixtures/platform.ts'
import {
  assertFault,
  type SolutionsFixture,
  solutionsFixture,
} from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { send } from '../../../fixtures/wire/device.ts'
import { mqttDevice } from '../../../fixtures/wire/mqtt.ts'
import { until } from '../../../fixtures/wire/mqtt-fleet.ts'
import { pollBegins } from '../../../fixtures/wire/raw.ts'

const path = '/vendor:v1/stack/alias'
const tables = [
  ...['provisioning_identity', 'provisioning_value', 'provisioning_presence'],
  ...['provisioning_population', 'provisioning_removal', 'provisioning_content'],
  ...['provisioning_content_chunk', 'provisioning_authority'],
]

let fixture: SolutionsFixture<OwnPlatform>
const onSolutions = sharedBySuites(async (suite) => {
  fixture = await solutionsFixture(suite, { movesClock: true })
})

async function connector(word: string) {
  const id = unique(word)
  const body = {
    id,
    name: id,
    protocol: { devmode: true },
    provisioning: { generate_identity: true },
    resources: { a: { format: 'string', settable: true, initial: 'x' } },
  }
  assert.equal((await fixture.ask('POST', '/connectors', body)).status, 201)
  const { provisioning } = fixture.millrace.platform
  const found = await provisioning.connectors.get(fixture.businessId, id)
  const origin = { ip: '127.0.0.1', protocol: 'http', encrypted: false }
  const activate = async (identity: string) =>
    (await provisioning.activate(found, identity, origin)).token
  return { id, activate }
}

const read = (token: string, headers: Record<string, string> = {}) =>
  send(fixture.millrace.httpUrl, 'GET', `${path}?a`, { 'X-vendor-CIK': token, ...headers })

/** Rows of a connector that are left anywhere. */
async function left(id: string): Promise<number> {
  const counts = await Promise.all(
    tables.map(async (table) => {
      const text = `select count(*)::int as count from ${table} where connector_id = $1`
      return (
        (await fixture.millrace.platform.database.one<{ count: number }>(text, [id]))?.count ?? 0
      )
    }),
  )
  return counts.reduce((sum, one) => sum + one, 0)
}

/** Waits until nothing of it is left and its label is free for its business. */
async function cleared(id: string): Promise<void> {
  await until(async () => {
    fixture.millrace.clock.advance(provisioningLimits.connectorRemovalSettleMs)
    return (await left(id)) === 0
  })
}

/** Identities as they lie in the database: so many would take long to whitelist. */
async function addIdentities(id: string, count: number): Promise<void> {
  const { database } = fixture.millrace.platform
  await database.run(
    `insert into provisioning_identity (connector_id, identity, locked, tags, created_at)
     select $1, 'd' || n, false, '[]', 1 from generate_series(1, $2::int) as n`,
    [id, count],
  )
  await database.run(
    'update provisioning_population set identities = identities + $2 where connector_id = $1',
    [id, count],
  )
}

function uploadContent(id: string): Promise<Response> {
  const { httpUrl, token } = fixture.millrace
  return fetch(`${httpUrl}/api:1/service/${id}/device2/content/a.bin`, {
    method: 'PUT',
    body: 'bytes',
    headers: { Authorization: `Automation ${token}`, 'Content-Type': 'application/octet-stream' },
  })
}

describe('the command to delete a connector', () => {
  onSolutions()

  it('is refused while it has identities, unless cascade is given', async () => {
    const { id, activate } = await connector('full')
    const token = await activate('one')
    for (const url of [
      `/connectors/${id}`,
      `/service/${id}/device2`,
      `/connectors/${id}?cascade=false`,
    ]) {
      const refused = await fixture.ask('DELETE', url)
      assert.deepEqual([refused.status, refused.json.code], [409, 'connector_in_use'])
      assert.match(refused.json.message, /1 devices \(one\).*Confirm/)
    }
    assert.equal((await fixture.ask('DELETE', `/connectors/${id}?cascade=yes`)).status, 400)
    assert.equal((await fixture.ask('DELETE', `/connectors/${id}?all=true`)).status, 400)
    assert.equal((await read(token)).status, 200)
    assert.equal((await fixture.ask('DELETE', `/connectors/${id}?cascade=true`)).status, 204)
    assert.equal((await fixture.ask('GET', `/service/${id}/device2`)).status, 404)
    assert.equal((await fixture.ask('DELETE', `/connectors/${id}`)).status, 404)
    const { connectors } = (await fixture.ask('GET', '/connectors')).json
    assert.equal(
      connectors.some((one: { id: string }) => one.id === id),
      false,
    )
    assert.equal((await read(token)).status, 401)
  })

  it('is in its log, which only its business can read', async () => {
    const { id, activate } = await connector('logged')
    await activate('one')
    await fixture.ask('DELETE', `/connectors/${id}?cascade=true`)
    await cleared(id)
    assert.equal((await fixture.ask('POST', '/connectors', { id, name: 'Again' })).status, 201)
    await fixture.millrace.platform.activity.flush()
    const { lines } = (await fixture.ask('GET', `/service/${id}/device2/logs`)).json
    const messages = lines.map((line: { message: string }) => line.message)
    assert.ok(messages.includes('The connector was deleted with its 1 identities.'), messages)
  })

  it('of many at once one deletes it, and what is added beside goes or is refused', async () => {
    const { id } = await connector('raced')
    const put = (n: number) => fixture.ask('PUT', `/service/${id}/device2/identity/d${n}`, {})
    const gone = () => fixture.ask('DELETE', `/connectors/${id}`)
    const all = await Promise.all([put(1), gone(), put(2), gone(), gone(), put(3)])
    const added = [all[0], all[2], all[5]].filter((one) => one?.status === 200).length
    const deleted = [all[1], all[3], all[4]].filter((one) => one?.status === 204).length
    assert.ok(deleted <= 1)
    const { status, json } = await fixture.ask('GET', `/service/${id}/device2/identity/`)
    if (deleted === 1) assert.equal(status, 404)
    else assert.deepEqual([status, json.total], [200, added])
  })
})

describe('what a deleted connector leaves behind', () => {
  onSolutions()

  it('ends long polls and MQTT sessions of its devices', async (t) => {
    const { id, activate } = await connector('open')
    const token = await activate('poller')
    const session = await mqttDevice(t, fixture.millrace.mqttUrl, {
      password: await activate('session'),
    })
    const now = new Date(fixture.millrace.clock.nowMs() + 60_000).toUTCString()
    const poll = read(token, { 'Request-Timeout': '300000', 'If-Modified-Since': now })
    const { platform } = fixture.millrace
    await pollBegins({ platform, businessId: fixture.businessId, connector: { id } }, 'poller')
    assert.equal((await fixture.ask('DELETE', `/connectors/${id}?cascade=true`)).status, 204)
    assert.equal((await poll).status, 401)
    await session.closed
  })

  it('takes it from the solutions that have it', async () => {
    const { id } = await connector('served')
    const added = await fixture.pump('POST', '/serviceconfig', {
      service: id,
      script_key: 'meters',
    })
    assert.equal(added.status, 201, JSON.stringify(added.json))
    const refused = await fixture.ask('DELETE', `/connectors/${id}`)
    assertFault(refused, 'connector_in_use', /1 services \(pump\/meters\)/)
    assert.equal((await fixture.ask('DELETE', `/connectors/${id}?confirm=${id}`)).status, 204)
    await until(async () => {
      const { json } = await fixture.pump('GET', '/serviceconfig')
      return !JSON.stringify(json).includes('meters')
    })
  })

  it('clears away every row in batches, and then lets its business take the id', async () => {
    const { id, activate } = await connector('large')
    const token = await activate('first')
    await addIdentities(id, provisioningLimits.connectorRemovalBatchMax + 10)
    assert.equal((await uploadContent(id)).status, 201)
    assert.equal((await fixture.ask('DELETE', `/connectors/${id}?cascade=true`)).status, 204)
    const again = { id, name: 'Again' }
    assert.equal((await fixture.ask('POST', '/connectors', again)).status, 409)
    await fixture.millrace.platform.provisioning.contents.sweep()
    await until(async () => {
      fixture.millrace.clock.advance(provisioningLimits.connectorRemovalSettleMs)
      await fixture.millrace.platform.provisioning.contents.sweep()
      return (await left(id)) === 0
    })
    const { token: theirs } = await fixture.otherOwner()
    assert.equal((await fixture.ask('POST', '/connectors', again, theirs)).status, 409)
    assert.equal((await fixture.ask('POST', '/connectors', again)).status, 201)
    assert.equal((await fixture.ask('GET', `/service/${id}/device2/identity/`)).json.total, 0)
    assert.equal((await read(token)).status, 401)
  })
})
