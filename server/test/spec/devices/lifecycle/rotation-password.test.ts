import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  exampleConnector,
  type TestPlatform,
  testPlatform,
  unique,
} from '../../../fixtures/platform.ts'
import { rotationCall } from '../../../fixtures/rotation.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { newDevice, send } from '../../../fixtures/wire/device.ts'
import { mqttDevice } from '../../../fixtures/wire/mqtt.ts'

const path = '/vendor:v1/stack/alias'
const formType = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' }
const oldPassword = 'the password of before, long enough'
const newPassword = 'the password from now on, long enough'

const connectorId = unique('doors')

let millrace: TestPlatform

let count = 0

const shareInstance = sharedBySuites(async (suite) => {
  const connector = { ...exampleConnector, id: connectorId, authType: 'password' }
  millrace = await testPlatform(suite, { connector })
})

const host = `${connectorId}.localhost`

const basic = (identity: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${identity}:${password}`).toString('base64')}`,
})

const activate = (identity: string, password: string, headers: Record<string, string> = {}) => {
  const body = `id=${identity}&password=${encodeURIComponent(password)}`
  const all = { Host: host, ...formType, ...headers }
  return send(millrace.httpUrl, 'POST', '/provision/activate', all, body)
}

const write = (identity: string, password: string) => {
  const headers = { Host: host, ...formType, ...basic(identity, password) }
  return send(millrace.httpUrl, 'POST', path, headers, 'a=1')
}

const call = (method: 'GET' | 'PUT' | 'DELETE', identity: string, body?: object) =>
  rotationCall(millrace, method, { connectorId, identity }, body)

async function newOne(): Promise<string> {
  count += 1
  const identity = `d${count}`
  assert.equal((await activate(identity, oldPassword)).status, 204)
  return identity
}

describe('lifecycle: a password that the operator rotates', () => {
  shareInstance()

  it('the operator gives another one; both work until the new one is used', async (t) => {
    const identity = await newOne()
    const user = `${connectorId}/${identity}`
    const old = await mqttDevice(t, millrace.mqttUrl, { username: user, password: oldPassword })
    const auth = { type: 'password', key: newPassword }
    const { status, body } = await call('PUT', identity, { auth })
    assert.equal(status, 200)
    assert.ok(!JSON.stringify(body).includes(newPassword))
    assert.equal((await write(identity, oldPassword)).status, 204)
    await old.write('$resource/a', 'both')
    const young = await mqttDevice(t, millrace.mqttUrl, { username: user, password: newPassword })
    await old.closed
    assert.equal((await write(identity, oldPassword)).status, 401)
    assert.equal((await write(identity, newPassword)).status, 204)
    await young.write('$resource/a', 'new')
  })

  it('is not the one that it has, nor too short, nor of another method', async () => {
    const identity = await newOne()
    for (const [auth, says] of [
      [{ type: 'password', key: oldPassword }, /^auth\.key must be another/],
      [{ type: 'password', key: 'short' }, /^auth\.key is refused/],
      [{ type: 'password' }, /^auth\.key must be/],
      [{ type: 'token' }, /^auth\.type can only be password/],
    ] as const) {
      const { status, body } = await call('PUT', identity, { auth })
      assert.equal(status, 400)
      assert.match(String(body.message), says)
    }
    assert.equal((await call('GET', identity)).status, 404)
  })

  it('a fetch is no activation: it is answered where those are switched off', async () => {
    const { platform, businessId, httpUrl } = millrace
    const { connectors, rotations } = platform.provisioning
    const { id: off } = await connectors.create(businessId, exampleConnector)
    const { token } = await newDevice(httpUrl, off, 'd')
    await connectors.patch(businessId, off, {
      enabled: false,
      ipRestriction: { enabled: true, allowed: [] },
    })
    const ask = () => {
      const headers = { Host: `${off}.localhost`, 'X-vendor-CIK': token, ...formType }
      return send(httpUrl, 'POST', '/provision/activate', headers, 'id=d')
    }
    assert.equal((await ask()).status, 403)
    await rotations.open(businessId, off, 'd')
    assert.equal((await ask()).status, 200)
  })
})

describe('lifecycle: a password that the device rotates', () => {
  shareInstance()

  it('the device brings another one, with its old one and an activation', async () => {
    const identity = await newOne()
    const bring = (by: string) => activate(identity, newPassword, basic(identity, by))
    assert.equal((await bring(oldPassword)).status, 409, 'no rotation is open')
    await call('PUT', identity)
    assert.equal((await activate(identity, newPassword)).status, 409, 'nothing was proved')
    assert.equal((await bring('a guess that is long enough')).status, 409)
    const short = await activate(identity, 'short', basic(identity, oldPassword))
    assert.equal(short.status, 415)
    assert.equal((await bring(oldPassword)).status, 204)
    assert.equal((await write(identity, oldPassword)).status, 204)
    assert.equal((await write(identity, newPassword)).status, 204)
    assert.equal((await write(identity, oldPassword)).status, 401)
  })

  it('of ten that bring one at once one is taken; all are served with it', async () => {
    const identity = await newOne()
    await call('PUT', identity)
    // As few as a busy machine hashes within `provisioningLimits.rotationFetchAgainMs`.
    const brought = await Promise.all(
      Array.from({ length: 10 }, () =>
        activate(identity, newPassword, basic(identity, oldPassword)),
      ),
    )
    assert.equal(brought.filter(({ status }) => status === 204).length, 1)
    const used = await Promise.all(Array.from({ length: 10 }, () => write(identity, newPassword)))
    assert.deepEqual(new Set(used.map(({ status }) => status)), new Set([204]))
    assert.equal((await write(identity, oldPassword)).status, 401)
  })

  it('over MQTT the device brings it on its own connection', async (t) => {
    const identity = await newOne()
    await call('PUT', identity)
    const username = `${connectorId}/${identity}`
    const old = await mqttDevice(t, millrace.mqttUrl, { username, password: oldPassword })
    await old.write(`$provision/${identity}`, newPassword)
    await old.receive(({ topic, text }) => topic === `$provision/${identity}` && text === '')
    assert.equal((await write(identity, newPassword)).status, 204)
    await old.closed
  })
})
