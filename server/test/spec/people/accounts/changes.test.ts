import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
import { provisioningLimits } from '../../../../src/devices/provisioning/index.ts'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { changeTopics } from '../../../../src/log/changes/index.ts'
import { wholeView } from '../../../../src/people/groups/index.ts'
import { followChanges, isAbout, topicsIn } from '../../../fixtures/operation/change-events.ts'
import { type OwnPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { askJson } from '../../../fixtures/wire/ask.ts'
import { newDevice } from '../../../fixtures/wire/device.ts'
import type { ServerEvent } from '../../../fixtures/wire/sse.ts'

let millrace: OwnPlatform
const onInstance = sharedBySuites(async (context) => {
  millrace = await testPlatform(context, { movesClock: true })
})

async function call(method: string, path: string, body: object, as = millrace.basic) {
  const { status, json } = await askJson(`${millrace.httpUrl}/api:1${path}`, { method, as, body })
  assert.ok(status < 300, JSON.stringify(json))
}

const whitelist = (identity: string) =>
  call('PUT', `/service/${millrace.connector.id}/device2/identity/${identity}`, {})

/** A device whose level may be set. */
async function settableDevice() {
  const { connectors, identities } = millrace.platform.provisioning
  const level = { format: 'number', settable: true } as const
  const made = await connectors.create(millrace.businessId, { name: 'Tanks', resources: { level } })
  await identities.whitelist(millrace.businessId, made.id, 'tank-1')
  return { connectorId: made.id, identity: 'tank-1' }
}

async function setResources(device: object, values: object) {
  const query = `mutation($device: DeviceRefInput!, $values: JSON!) {
    setDeviceResources(device: $device, values: $values) { identity } }`
  const body = { query, variables: { device, values } }
  const asked = { method: 'POST', as: millrace.basic, body }
  const { data } = (await askJson(`${millrace.httpUrl}/api/graphql`, asked)).json
  assert.deepEqual(data, { setDeviceResources: { identity: 'tank-1' } })
}

/** Another business, with an administrator. */
async function neighbour() {
  const { accounts } = millrace.platform
  const { id } = await accounts.createBusiness({ name: `Next ${Math.random()}` })
  const rateLimits = { requests: 10_000, timeMs: 1_000_000 }
  const { token } = await accounts.createToken(id, { name: 'x', role: 'Administrator', rateLimits })
  return { id, authorization: `Automation ${token}` }
}

describe('the stream of changes', () => {
  onInstance()

  it('names what an operator, a device and a program have changed, without content', async (t) => {
    const { basic, platform, businessId, connector, httpUrl } = millrace
    const reader = await followChanges(t, basic, millrace)
    assert.equal(reader.status, 200)
    await whitelist('pump-1')
    await reader.until(isAbout('devices'))
    await platform.assets.create(wholeView(businessId), { name: 'Secret pump' })
    await reader.until(isAbout('assets'))
    const before = reader.events.length
    await newDevice(httpUrl, connector.id, 'pump-2').then((device) => device.write('a=1'))
    await reader.until(
      (event) => reader.events.indexOf(event) >= before && isAbout('devices')(event),
    )
    const text = JSON.stringify(reader.events)
    for (const content of ['pump', 'Secret', connector.id]) assert.ok(!text.includes(content), text)
  })

  it('comes over processes, of what another one did', async (t) => {
    const other = await millrace.another()
    const reader = await followChanges(t, millrace.basic, other)
    await call('POST', '/roles', { name: 'Guest', permissions: ['View Asset'] })
    await reader.until(isAbout('accounts'))
  })

  it('names the audit log when something was noted in it', async (t) => {
    const reader = await followChanges(t, millrace.basic, millrace)
    const asked = { method: 'DELETE', as: millrace.basic }
    const denied = await askJson(`${millrace.httpUrl}/api:1/roles/none`, asked)
    assert.equal(denied.status, 404)
    await reader.until(isAbout('audit'))
  })

  it('shows nothing of another business', async (t) => {
    const next = await neighbour()
    const reader = await followChanges(t, next.authorization, millrace)
    const own = await followChanges(t, millrace.basic, millrace)
    await whitelist('pump-3')
    await own.until(isAbout('devices'))
    await millrace.platform.groups.create(wholeView(next.id), { name: 'Own' })
    await reader.until(isAbout('groups'))
    assert.deepEqual(topicsIn(reader), ['groups'])
  })

  it('names accounts when a user is locked after too many failed sign-ins', async (t) => {
    const user = { email: 'guessed@example.com', password: 'a long enough phrase' }
    await millrace.platform.accounts.createUser(millrace.businessId, { ...user, role: 'Viewer' })
    const reader = await followChanges(t, millrace.basic, millrace)
    await reader.until(({ event }) => event === 'covers')
    const authorization = `Basic ${btoa(`${user.email}:wrong`)}`
    for (let tries = 0; tries < limits.failedSignInsMax; tries += 1) {
      await fetch(`${millrace.httpUrl}/api:1/whoami`, { headers: { authorization } })
    }
    await reader.until(isAbout('accounts'))
  })

  it('shows of what the caller may list, and nothing else', async (t) => {
    const { accounts, groups } = millrace.platform
    const { businessId } = millrace
    const user = { email: 'changes@example.com', password: 'a long enough phrase' }
    await accounts.createUser(businessId, { ...user, role: 'Viewer' })
    const basic = `Basic ${Buffer.from(`${user.email}:${user.password}`).toString('base64')}`
    const reader = await followChanges(t, basic, millrace)
    const own = await followChanges(t, millrace.basic, millrace)
    await whitelist('pump-4')
    await own.until(isAbout('devices'))
    await groups.create(wholeView(businessId), { name: 'North' })
    await reader.until(isAbout('groups'))
    assert.ok(!reader.events.some(isAbout('devices')), JSON.stringify(reader.events))
  })

  it('ends when the credential is revoked, and when what it permits changes', async (t) => {
    const { accounts } = millrace.platform
    const { businessId } = millrace
    const rateLimits = { requests: 10_000, timeMs: 1_000_000 }
    const made = { name: 'short', role: 'Administrator', rateLimits }
    const { id, token } = await accounts.createToken(businessId, made)
    const reader = await followChanges(t, `Automation ${token}`, millrace)
    await accounts.revokeToken(businessId, id)
    const end = await reader.until(({ event }) => event === 'end')
    assert.equal((end.data as { code: string }).code, 'unknown_credential')
    await reader.ended()
  })

  it('names the topics that it covers first, and is refused to nobody', async (t) => {
    const reader = await followChanges(t, millrace.basic, millrace)
    const first = await reader.until(({ event }) => event === 'covers')
    assert.equal(reader.events[0], first)
    assert.deepEqual(first.data, { topics: Object.keys(changeTopics) })
    assert.equal((await followChanges(t, 'Automation none', millrace)).status, 401)
  })
})

describe('the stream of changes, of devices', () => {
  onInstance()

  it('names the devices when a mutation has set resources of one', async (t) => {
    const device = await settableDevice()
    const reader = await followChanges(t, millrace.basic, millrace)
    await reader.until(({ event }) => event !== 'changed')
    await setResources(device, { level: 4 })
    await reader.until(isAbout('devices'))
  })

  it('names devices when one activates itself, before it writes', async (t) => {
    const reader = await followChanges(t, millrace.basic, millrace)
    await newDevice(millrace.httpUrl, millrace.connector.id, 'pump-5')
    await reader.until(isAbout('devices'))
  })

  it('names devices once one that only reads is shown online again', async (t) => {
    const { httpUrl, connector, clock, platform, businessId } = millrace
    const device = await newDevice(httpUrl, connector.id, 'pump-6')
    clock.advance(provisioningLimits.deviceOnlineMs + 1)
    const isOnline = async () => {
      const { identities } = platform.provisioning
      return (await identities.get(wholeView(businessId), connector.id, 'pump-6')).online
    }
    assert.equal(await isOnline(), false)
    const reader = await followChanges(t, millrace.basic, millrace)
    assert.equal((await device.read('a')).status, 204)
    const seen = new Set<object>()
    const isNew = (event: ServerEvent) => isAbout('devices')(event) && !seen.has(event)
    while (!(await isOnline())) seen.add(await reader.until(isNew))
  })
})
