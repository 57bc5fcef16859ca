import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  exampleConnector,
  type TestPlatform,
  testPlatform,
  unique,
} from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { send } from '../../../fixtures/wire/device.ts'
import { mqttDevice } from '../../../fixtures/wire/mqtt.ts'

const secret = 'at-least-twenty-bytes'
const path = '/vendor:v1/stack/alias'

const open = unique('open')
let millrace: TestPlatform
const onPlatform = sharedBySuites(async (suite) => {
  const connector = { ...exampleConnector, id: open, authType: 'password' }
  millrace = await testPlatform(suite, { connector })
})

async function connector(name: string, part: object) {
  const id = unique(name)
  const { connectors } = millrace.platform.provisioning
  const settings = { ...exampleConnector, id, authType: 'password', ...part }
  await connectors.create(millrace.businessId, settings)
  return id
}
const write = (id: string, userPass: string) =>
  send(
    millrace.httpUrl,
    'POST',
    path,
    {
      Host: `${id}.localhost`,
      'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8',
      Authorization: `Basic ${Buffer.from(userPass).toString('base64')}`,
    },
    'a=1',
  )
const identities = () => millrace.platform.provisioning.identities
const readStatus = async (id: string, identity: string) =>
  (await identities().get(millrace.businessId, id, identity)).status

/** "Checked: a device is provisioned with the identity it presents on first connect." */
describe('the first request with a password', () => {
  onPlatform()

  it('provisions a device that registers itself, and then takes its write', async () => {
    assert.equal((await write(open, `d1:${secret}`)).status, 204)
    assert.equal(await readStatus(open, 'd1'), 'devmode')
    assert.equal((await write(open, `d1:${secret}`)).status, 204)
    assert.equal((await write(open, `d1:${secret}x`)).status, 401)
    const { lines } = await millrace.platform.activity.connectors.lines(millrace.businessId, open, {
      identity: 'd1',
      kinds: ['provision', 'write'],
    })
    assert.deepEqual(
      lines.map(({ kind }) => kind),
      ['write', 'write', 'provision'],
    )
  })

  it('never takes over a device that has a credential, or that must activate again', async () => {
    assert.equal((await write(open, `d6:${secret}`)).status, 204)
    assert.equal((await write(open, `d6:another-${secret}`)).status, 401)
    await identities().whitelist(millrace.businessId, open, 'd6', { reprovision: true })
    assert.equal((await write(open, `d6:another-${secret}`)).status, 401)
    assert.equal(await readStatus(open, 'd6'), 'reprovision')
  })

  it('of several at once with one password provisions once, and all go through', async () => {
    const all = await Promise.all([1, 2, 3, 4].map(() => write(open, `d7:${secret}`)))
    assert.deepEqual(
      all.map(({ status }) => status),
      [204, 204, 204, 204],
    )
  })

  it('provisions over MQTT as well', async (t) => {
    const device = await mqttDevice(t, millrace.mqttUrl, {
      username: `${open}/d8`,
      password: secret,
    })
    await device.write('$resource/a', '7')
    assert.equal(await readStatus(open, 'd8'), 'devmode')
    const wrong = { username: `${open}/d8`, password: `${secret}x` }
    await assert.rejects(mqttDevice(t, millrace.mqttUrl, wrong))
  })
})

describe('the first request with a password keeps the rules of an activation', () => {
  onPlatform()

  it('provisions a whitelisted one while its window is open', async () => {
    const { whitelist } = identities()
    await whitelist(millrace.businessId, open, 'd2')
    assert.equal((await write(open, `d2:${secret}`)).status, 204)
    await whitelist(millrace.businessId, open, 'late', { auth: { expire: 1e14 } })
    assert.deepEqual((await write(open, `late:${secret}`)).body, 'window_closed')
    await whitelist(millrace.businessId, open, 'shut', { locked: true })
    assert.equal((await write(open, `shut:${secret}`)).status, 403)
    assert.equal(await readStatus(open, 'shut'), 'locked')
  })

  it('provisions nobody where devices may not register themselves', async () => {
    const id = await connector('closed', { selfRegistration: false })
    await identities().whitelist(millrace.businessId, id, 'd3')
    for (const one of ['d3', 'nobody'])
      assert.equal((await write(id, `${one}:${secret}`)).status, 401)
    assert.equal(await readStatus(id, 'd3'), 'whitelisted')
  })

  it('provisions nobody of another method', async () => {
    const id = await connector('tokens', { authType: 'token' })
    assert.equal((await write(id, `d4:${secret}`)).status, 401)
    await assert.rejects(readStatus(id, 'd4'))
  })

  it('keeps the rules of an activation', async () => {
    assert.equal((await write(open, `d5:${'x'.repeat(19)}`)).status, 401)
    await assert.rejects(readStatus(open, 'd5'))
    const ip = { enabled: true, allowed: ['10.0.0.0/8'] }
    assert.equal(
      (await write(await connector('far', { ipRestriction: ip }), `d:${secret}`)).status,
      403,
    )
    assert.equal(
      (await write(await connector('off', { enabled: false }), `d:${secret}`)).status,
      403,
    )
    const plain = await write(await connector('plain', { devmode: false }), `d:${secret}`)
    assert.deepEqual([plain.status, plain.body], [403, 'plain_connection'])
    const few = await connector('few', { registrationsPerMinute: 1 })
    assert.equal((await write(few, `e1:${secret}`)).status, 204)
    assert.equal((await write(few, `e2:${secret}`)).status, 429)
    const full = await connector('full', { identitiesMax: 1 })
    assert.equal((await write(full, `e1:${secret}`)).status, 204)
    assert.equal((await write(full, `e2:${secret}`)).status, 507)
    const format = { identityFormat: { type: 'mac_colon' } }
    const macs = await connector('macs', format)
    assert.equal((await write(macs, `00:1b:44:11:3a:b7:${secret}`)).status, 204)
    assert.equal(await readStatus(macs, '00:1b:44:11:3a:b7'), 'devmode')
    assert.equal((await write(macs, `no-mac:${secret}`)).status, 401)
  })
})
