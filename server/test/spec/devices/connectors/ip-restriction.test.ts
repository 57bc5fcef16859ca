import assert from 'node:assert/strict'
import { it } from 'node:test'
import { exampleConnector, testPlatform } from '../../../fixtures/platform.ts'
import { overTls, provisioningFixture, refuses } from '../../../fixtures/provisioning.ts'
import { activate, send } from '../../../fixtures/wire/device.ts'
import { assertOk, managementFixture } from '../../../fixtures/wire/management.ts'

const from = (ip: string) => ({ ...overTls, ip })

it('limits provisioning to a set of addresses, and no request after it', async (t) => {
  const { provisioning, connector } = await provisioningFixture(t)
  const ipRestriction = { enabled: true, allowed: ['10.0.0.0/24', '2001:db8::/32'] }
  const factory = await connector({ ipRestriction, selfRegistration: true })
  const act = (identity: string, ip: string) => provisioning.activate(factory, identity, from(ip))
  await refuses('address_not_allowed', () => act('d', '10.0.1.1'), 'from 10.0.1.1')
  await refuses('address_not_allowed', () => act('d', '2001:db9::1'))
  const { token } = await act('d', '10.0.0.9')
  await act('e', '2001:db8::9')
  const elsewhere = { encrypted: true, ip: '192.0.2.1' }
  assert.equal((await provisioning.authenticateToken(token, elsewhere)).identity, 'd')
})

it('provisions nobody while it is on and its list is empty', async (t) => {
  const { provisioning, connector } = await provisioningFixture(t)
  const ipRestriction = { enabled: true, allowed: [] }
  const closed = await connector({ ipRestriction, selfRegistration: true })
  await refuses('address_not_allowed', () => provisioning.activate(closed, 'd', from('10.0.0.1')))
})

it('limits the password method too', async (t) => {
  const { provisioning, connector } = await provisioningFixture(t)
  const ipRestriction = { enabled: true, allowed: ['10.0.0.1'] }
  const factory = await connector({ ipRestriction, authType: 'password', selfRegistration: true })
  const act = (ip: string) =>
    provisioning.activate(factory, 'd', from(ip), { password: 'twenty bytes at least' })
  await refuses('address_not_allowed', () => act('10.0.0.2'))
  await act('10.0.0.1')
})

it('answers a device with the code alone; the address is that of the socket', async (t) => {
  const millrace = await testPlatform(t)
  const { connectors } = millrace.platform.provisioning
  const id = 'factory'
  const ipRestriction = { enabled: true, allowed: ['192.0.2.0/24'] }
  await connectors.create(millrace.businessId, { ...exampleConnector, id, ipRestriction })
  const host = 'factory.localhost'
  const refused = await activate(millrace.httpUrl, host, 'd')
  assert.equal(refused.status, 403)
  assert.equal(refused.body, 'address_not_allowed')
  const forged = { Host: host, 'X-Forwarded-For': '192.0.2.1', Forwarded: 'for=192.0.2.1' }
  const answer = await send(millrace.httpUrl, 'POST', '/provision/activate', forged, 'id=d')
  assert.equal(answer.body, 'address_not_allowed')
  const { businessId } = millrace
  await connectors.patch(businessId, id, { ipRestriction: { allowed: ['127.0.0.0/8', '::1'] } })
  assert.equal((await activate(millrace.httpUrl, host, 'd')).status, 200)
})

it('is read and written as ip_whitelisting; a field that is not named stays', async (t) => {
  const { ask, device } = await managementFixture(t)
  const patch = async (ip_whitelisting: unknown) => {
    const reply = await ask('PATCH', device, { body: { provisioning: { ip_whitelisting } } })
    assertOk(reply)
    return reply.json().provisioning.ip_whitelisting
  }
  const allowed = ['10.0.0.0/8', '2001:db8::/32', '192.0.2.7']
  assert.deepEqual(await patch({ enabled: true, allowed }), { enabled: true, allowed })
  assert.deepEqual(await patch({ enabled: false }), { enabled: false, allowed })
  const settings = (await ask('GET', device)).json()
  assert.deepEqual(settings.provisioning.ip_whitelisting, { enabled: false, allowed })
})
