import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { deviceApiLimits } from '../../../../src/devices/device-api/index.ts'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { mqttDevice, tlsOptions } from '../../../fixtures/wire/mqtt.ts'
import { mqttFleet, until } from '../../../fixtures/wire/mqtt-fleet.ts'
import { connectPacket, pingPacket, rawMqtt } from '../../../fixtures/wire/mqtt-raw.ts'

let millrace: TestPlatform

const { newOne, connect, state, set, lock, line } = mqttFleet(() => millrace)

const shareInstance = sharedBySuites(async (suite) => {
  millrace = await testPlatform(suite)
})

/** Returns the lines of a device's connections. */
async function connects(identity: string): Promise<string[]> {
  const { activity } = millrace.platform
  await activity.flush()
  const { businessId, id } = millrace.connector
  const { lines } = await activity.connectors.lines(businessId, id, {
    identity,
    kinds: ['connect'],
  })
  return lines.map(({ message }) => message)
}

describe('device API over MQTT: MQTT 3.1.1 over TLS', () => {
  shareInstance()

  for (const listener of ['mqttTlsUrl', 'tlsUrl'] as const) {
    const where = listener === 'tlsUrl' ? 'the port of HTTPS' : 'a port of its own'
    it(`is spoken on ${where}`, async (t) => {
      const device = await newOne()
      const url = millrace[listener]?.replace('https:', 'mqtts:')
      const tls = await tlsOptions(millrace, `${millrace.connector.id}.localhost`)
      const { write } = await mqttDevice(t, url, { ...tls, password: device.token })
      await write('$resource/a', 'over TLS')
      assert.equal((await state(device)).a?.reported, 'over TLS')
      const noted = await line(device.identity, 'write')
      assert.equal(noted?.protocol, 'mqtts')
    })
  }

  const offers: readonly (readonly [readonly string[], string | false])[] = [
    [['mqtt'], 'mqtt'],
    [['x-amzn-mqtt-ca'], 'x-amzn-mqtt-ca'],
    [['http/1.0', 'mqtt'], 'mqtt'],
    [['h2', 'http/1.1'], 'http/1.1'],
    [['mqtt-of-another-cloud'], false],
    [['h2'], false],
    [[], false],
  ]
  for (const [offered, chosen] of offers) {
    it(`the port of HTTPS goes on with any name of ALPN: [${offered}] ${chosen}`, async (t) => {
      const { hostname: host, port } = new URL(millrace.tlsUrl)
      const at = { host, port: Number(port), rejectUnauthorized: false }
      for (const [bytes, start] of [
        [connectPacket({ password: (await newOne()).token }), '\x20\x02\0\0'],
        ['GET /timestamp HTTP/1.1\r\nHost: x\r\n\r\n', 'HTTP/1.1 200 OK'],
      ] as const) {
        const socket = connectTls({ ...at, ALPNProtocols: [...offered] })
        t.after(() => socket.destroy())
        socket.write(bytes)
        const [answer] = await once(socket, 'data')
        assert.equal(socket.alpnProtocol, chosen)
        assert.equal(answer.toString('latin1').slice(0, start.length), start)
      }
    })
  }

  it('plain only for connectors in developer mode', async (t) => {
    const strict = await millrace.platform.provisioning.connectors.create(millrace.businessId, {
      name: 'strict',
      selfRegistration: true,
      resources: { a: { format: 'string' } },
    })
    await assert.rejects(mqttDevice(t, millrace.mqttUrl, { username: strict.id }), { code: 5 })
    const tls = await tlsOptions(millrace, `${strict.id}.localhost`)
    const { client, receive } = await mqttDevice(t, millrace.mqttTlsUrl, tls)
    client.publish('$provision/d', '')
    const { text: token } = await receive(() => true)
    await assert.rejects(mqttDevice(t, millrace.mqttUrl, { password: token }), { code: 5 })
    await mqttDevice(t, millrace.mqttTlsUrl, { ...tls, password: token })
  })
})

describe('device API over MQTT: the device that connects', () => {
  shareInstance()

  it('an empty user name and a token make a device; the client id is empty', async (t) => {
    const device = await newOne()
    await connect(t, device)
    const noted = await line(device.identity, 'connect')
    assert.equal(noted?.protocol, 'mqtt')
  })

  it('a token may stand beside the name of its connector or device, as of a bridge', async (t) => {
    const device = await newOne()
    const { id } = millrace.connector
    for (const username of [id, device.identity, `${id}/${device.identity}`]) {
      const { write } = await mqttDevice(t, millrace.mqttUrl, { username, password: device.token })
      await write('$resource/a', username)
    }
    const other = { username: 'another', password: device.token }
    await assert.rejects(mqttDevice(t, millrace.mqttUrl, other), { code: 4 })
    await lock(device)
    const locked = { username: id, password: device.token }
    await assert.rejects(mqttDevice(t, millrace.mqttUrl, locked), { code: 5 })
  })

  it('a token that nobody has is refused with code 4', async (t) => {
    const options = { password: '0'.repeat(limits.tokenChars) }
    await assert.rejects(mqttDevice(t, millrace.mqttUrl, options), { code: 4 })
  })

  it('a locked device is refused with code 5', async (t) => {
    const device = await newOne()
    await lock(device)
    await assert.rejects(connect(t, device), { code: 5 })
  })

  it('the end of a connection is in the connector’s log', async (t) => {
    const device = await newOne()
    const { end } = await connect(t, device)
    await end()
    await until(async () => (await line(device.identity, 'disconnect')) !== undefined)
  })

  it('no connection ends that of another device by its client id', async (t) => {
    const [one, other] = [await newOne(), await newOne()]
    const clientId = 'the same'
    const first = await mqttDevice(t, millrace.mqttUrl, { password: one.token, clientId })
    await mqttDevice(t, millrace.mqttUrl, { password: other.token, clientId })
    await first.write('$resource/a', 'still there')
    await mqttDevice(t, millrace.mqttUrl, { password: one.token, clientId })
    await first.closed
  })

  it('of too many connections of one device the oldest ends', async (t) => {
    const device = await newOne()
    const oldest = await connect(t, device)
    for (let more = 0; more < deviceApiLimits.mqttClientsPerDeviceMax; more += 1)
      await connect(t, device)
    await oldest.closed
  })
})

describe('device API over MQTT: what it does not have', () => {
  shareInstance()

  it('a subscription with a wildcard, to another topic or with QoS 2 is refused', async (t) => {
    const { client } = await connect(t, await newOne())
    for (const topic of ['#', '$resource/#', '$resource/+', '+/a', '$SYS/x', 'a/b']) {
      await assert.rejects(client.subscribeAsync(topic), topic)
    }
    await assert.rejects(client.subscribeAsync('$resource/a', { qos: 2 }))
  })

  it('messages of one device to another, whatever it subscribes to', async (t) => {
    const [one, other] = [await newOne(), await newOne()]
    const listening = await connect(t, other)
    await listening.client.subscribeAsync(['$resource/a', '$resource.batch'], { qos: 1 })
    const speaking = await connect(t, one)
    await speaking.write('$resource/a', 'secret', { retain: true })
    await set(other, { b: 'end' })
    await listening.receive(({ text }) => text === 'end')
    assert.equal(listening.messages.length, 1)
  })

  it('retained messages: a later subscription finds none', async (t) => {
    const device = await newOne()
    const { write } = await connect(t, device)
    await write('$resource/a', 'kept?', { retain: true })
    const later = await connect(t, device)
    await later.client.subscribeAsync('$resource/a')
    await set(device, { b: 'end' })
    await later.receive(({ text }) => text === 'end')
    assert.equal(later.messages.length, 1)
  })

  it('last wills: one is accepted, and never published', async (t) => {
    const device = await newOne()
    const raw = rawMqtt(t, millrace.mqttUrl)
    raw.write(connectPacket({ userName: '', password: device.token }, { will: true }))
    await raw.packet('connack')
    raw.write(Buffer.from([0xff]))
    await raw.closed
    const { write } = await connect(t, device)
    await write('$resource/b', 'after')
    assert.equal((await state(device)).a, undefined)
    const lines = await connects(device.identity)
    assert.ok(lines.some((message) => message.includes('Its last will is dropped')))
  })
})

describe('device API over MQTT: the end of a connection', () => {
  shareInstance()

  it('a client that sends nothing for one and a half times its keep-alive is closed', async (t) => {
    const device = await newOne()
    const raw = rawMqtt(t, millrace.mqttUrl)
    raw.write(connectPacket({ userName: '', password: device.token }, { keepAliveS: 1 }))
    await raw.packet('connack')
    raw.write(pingPacket)
    await raw.packet('pingresp')
    await raw.closed
  })

  it('the ledger adds up after all of it', async () => {
    assert.deepEqual((await millrace.platform.eventlog.ledger.verify()).faults, [])
  })
})
