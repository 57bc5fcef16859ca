import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deviceApiLimits } from '../../../../src/devices/device-api/index.ts'
import type { Connector } from '../../../../src/devices/provisioning/index.ts'
import { provisioningLimits } from '../../../../src/devices/provisioning/index.ts'
import { type OwnPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { mqttDevice, tlsOptions } from '../../../fixtures/wire/mqtt.ts'
import { mqttFleet } from '../../../fixtures/wire/mqtt-fleet.ts'
import { connectPacket, publishPacket, rawMqtt } from '../../../fixtures/wire/mqtt-raw.ts'

let millrace: OwnPlatform

let anonymous: { username: string }

let guarded: Connector

const { line } = mqttFleet(() => millrace)

const shareInstance = sharedBySuites(async (suite) => {
  millrace = await testPlatform(suite, { own: 'moves the clock of a server of TLS' })
  anonymous = { username: millrace.connector.id }
  guarded = await millrace.platform.provisioning.connectors.create(millrace.businessId, {
    name: 'by password',
    devmode: true,
    selfRegistration: true,
    authType: 'password',
    resources: { a: { format: 'string' } },
  })
})

describe('device API over MQTT: an anonymous connection may only activate', () => {
  shareInstance()

  it('an empty payload to $provision/<identity> brings the token, unasked for', async (t) => {
    const { write, receive } = await mqttDevice(t, millrace.mqttUrl, anonymous)
    await write('$provision/pump-1', '')
    const { topic, text: token } = await receive(() => true)
    assert.equal(topic, '$provision/pump-1')
    assert.match(token, /^[0-9a-f]{40}$/)
    const device = await mqttDevice(t, millrace.mqttUrl, { password: token })
    await device.write('$resource/a', '1')
    const noted = await line('pump-1', 'provision')
    assert.equal(noted?.protocol, 'mqtt')
  })

  it('a client that ends its side behind its packet gets the token all the same', async (t) => {
    for (const [at, url] of [millrace.mqttUrl, millrace.mqttTlsUrl, millrace.tlsUrl].entries()) {
      const device = rawMqtt(t, url)
      const connect = connectPacket({ userName: anonymous.username, password: '' })
      device.write(Buffer.concat([connect, publishPacket(`$provision/ends-${at}`, '', 1)]))
      device.end()
      await device.closed
      assert.deepEqual(device.came, ['connack', 'publish', 'puback'], url)
      assert.match(String(device.bodies('publish')[0]), /[0-9a-f]{40}$/)
    }
  })

  it('a second activation is answered, acknowledged and over; a line says why', async (t) => {
    const { client, closed, messages, receive, write } = await mqttDevice(
      ...[t, millrace.mqttUrl, anonymous],
    )
    client.publish('$provision/pump-4', '')
    await receive(() => true)
    await write('$provision/pump-4', '')
    await closed
    // A client of the field would take any text for its token.
    assert.deepEqual(messages.slice(1), [{ topic: '$provision.refused', text: '', qos: 0 }])
    assert.equal((await line('pump-4', 'refusal'))?.code, 'already_activated')
  })

  it('a client that subscribes to refusals gets the reason', async (t) => {
    const { client, closed, messages, write } = await mqttDevice(
      ...[t, millrace.mqttUrl, anonymous],
    )
    await client.subscribeAsync('$provision.refused')
    await write('$provision/pump-4', '')
    await closed
    const text = JSON.stringify({ identity: 'pump-4', code: 'already_activated' })
    assert.deepEqual(messages, [{ topic: '$provision.refused', text, qos: 0 }])
  })

  for (const topic of ['$resource/a', '$resource.batch', '$provision', 'anything']) {
    it(`it may not publish to ${topic}`, async (t) => {
      const { client, closed } = await mqttDevice(t, millrace.mqttUrl, anonymous)
      client.publish(topic, '', { qos: 1 }, () => {})
      await closed
    })
  }

  it('a device that has its token may not activate with it', async (t) => {
    const { client, receive } = await mqttDevice(t, millrace.mqttUrl, anonymous)
    client.publish('$provision/pump-6', '')
    const { text: password } = await receive(() => true)
    const device = await mqttDevice(t, millrace.mqttUrl, { password })
    await device.write('$provision/pump-7', '')
    assert.equal((await line('pump-6', 'refusal'))?.code, 'forbidden')
    assert.equal(device.messages.length, 0)
  })

  it('it lasts a minute', async (t) => {
    const { closed } = await mqttDevice(t, millrace.mqttUrl, anonymous)
    millrace.clock.advance(deviceApiLimits.mqttAnonymousMsMax + 1)
    await closed
  })
})

describe('device API over MQTT: the connector that an anonymous connection names', () => {
  shareInstance()

  it('over TLS the server name alone names the connector', async (t) => {
    const tls = await tlsOptions(millrace, `${millrace.connector.id}.localhost`)
    const { client, receive } = await mqttDevice(t, millrace.mqttTlsUrl, tls)
    client.publish('$provision/pump-2', '')
    assert.match((await receive(() => true)).text, /^[0-9a-f]{40}$/)
  })

  it('over TLS a user name does, where the server name is the domain', async (t) => {
    const tls = await tlsOptions(millrace, 'localhost')
    const { client, receive } = await mqttDevice(t, millrace.mqttTlsUrl, { ...tls, ...anonymous })
    client.publish('$provision/pump-3', '')
    assert.match((await receive(() => true)).text, /^[0-9a-f]{40}$/)
  })

  it('a user name that contradicts the server name is refused with code 5', async (t) => {
    const tls = await tlsOptions(millrace, `${millrace.connector.id}.localhost`)
    const options = { ...tls, username: guarded.id }
    await assert.rejects(mqttDevice(t, millrace.mqttTlsUrl, options), { code: 5 })
  })

  it('who names no connector is refused with code 5', async (t) => {
    await assert.rejects(mqttDevice(t, millrace.mqttUrl), { code: 5 })
    await assert.rejects(mqttDevice(t, millrace.mqttUrl, { username: 'nobody' }), { code: 5 })
  })
})

describe('device API over MQTT: activation with an identity and a password', () => {
  shareInstance()

  const password = 'twenty bytes at least'

  it('the password is the payload of the activation, the answer is empty', async (t) => {
    const options = { username: guarded.id }
    const { client, receive } = await mqttDevice(t, millrace.mqttUrl, options)
    client.publish('$provision/valve-1', password)
    assert.deepEqual(await receive(() => true), { topic: '$provision/valve-1', text: '', qos: 0 })
    const tls = await tlsOptions(millrace, `${guarded.id}.localhost`)
    const device = { ...tls, username: 'valve-1', password }
    const { write: writer } = await mqttDevice(t, millrace.mqttTlsUrl, device)
    await writer('$resource/a', '1')
    const wrong = { ...device, password: `${password}?` }
    await assert.rejects(mqttDevice(t, millrace.mqttTlsUrl, wrong), { code: 4 })
    const { activity } = millrace.platform
    await activity.flush()
    const asked = { kinds: ['refusal'] } as const
    const { lines } = await activity.connectors.lines(millrace.businessId, guarded.id, asked)
    assert.equal(lines[0]?.code, 'unknown_credential')
  })

  it('without a server name the user name is <connector>/<identity>', async (t) => {
    const options = { username: guarded.id }
    const { client, receive } = await mqttDevice(t, millrace.mqttUrl, options)
    client.publish('$provision/plant/valve-2', password)
    await receive(() => true)
    const username = `${guarded.id}/plant/valve-2`
    const device = await mqttDevice(t, millrace.mqttUrl, { username, password })
    await device.write('$resource/a', '1')
    const nameless = { username: 'valve-2', password }
    await assert.rejects(mqttDevice(t, millrace.mqttUrl, nameless), { code: 4 })
  })

  it('a password of 19 bytes ends the connection, and a token asked for does', async (t) => {
    for (const payload of ['x'.repeat(provisioningLimits.devicePasswordBytesMin - 1), '']) {
      const options = { username: guarded.id }
      const { client, closed } = await mqttDevice(t, millrace.mqttUrl, options)
      client.publish('$provision/valve-3', payload, { qos: 1 }, () => {})
      await closed
    }
  })
})
