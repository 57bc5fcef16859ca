import assert from 'node:assert/strict'
import { afterEach, before, describe, it } from 'node:test'
import {
  halfHello,
  type IdleSocket,
  idleSocket,
  idleTls,
} from '../../../fixtures/peers/idle-sockets.ts'
import {
  type OwnPlatform,
  type PlatformOptions,
  type TestPlatform,
  testPlatform,
} from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { newDevice } from '../../../fixtures/wire/device.ts'
import { mqttDevice } from '../../../fixtures/wire/mqtt.ts'
import { handshakeText } from '../../../fixtures/wire/raw-sockets.ts'
import { inTime } from '../../../fixtures/wire/sockets.ts'

const halfHead = 'GET /timestamp HTTP/1.1\r\nHost: local'
const halfBody =
  'POST /provision/activate HTTP/1.1\r\nHost: x\r\nContent-Type: ' +
  'application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nid='

/** The acts of clients that send nothing, or begin something and never go on. */
const silent: readonly (readonly [string, (at: TestPlatform) => Promise<IdleSocket>])[] = [
  ['a connection to the HTTP port', (at) => idleSocket(at.httpUrl)],
  ['a connection to the HTTPS port', (at) => idleSocket(at.tlsUrl)],
  ['a connection to the MQTT port over TLS', (at) => idleSocket(at.mqttTlsUrl)],
  ['half a handshake with the HTTPS port', (at) => idleSocket(at.tlsUrl, halfHello)],
  ['half a handshake with the MQTT port', (at) => idleSocket(at.mqttTlsUrl, halfHello)],
  ['no handshake but text', (at) => idleSocket(at.mqttTlsUrl, 'GET / HTTP/1.1\r\n\r\n')],
  ['a handshake with the HTTPS port', (at) => idleTls(at.tlsUrl)],
  ['half a request', (at) => idleSocket(at.httpUrl, halfHead)],
  ['half a request over TLS', (at) => idleTls(at.tlsUrl, halfHead)],
]

describe('a client that sends nothing', () => {
  const suite = suiteContext()
  let millrace: OwnPlatform
  before(async () => {
    const ms = 200
    const times = { handshakeMs: ms, requestMs: ms }
    millrace = await testPlatform(suite, { own: 'stops the platform', times })
  })
  for (const [what, open] of silent) {
    it(`is cut when its time is up: ${what}`, async () => {
      const sockets = await Promise.all(Array.from({ length: 5 }, () => open(millrace)))
      for (const { closed } of sockets) await inTime('the end', closed)
    })
  }
})

const hourMs = 3_600_000

describe('a stop of the platform', () => {
  const open: IdleSocket[] = []
  afterEach(() => {
    for (const one of open.splice(0)) one.destroy()
  })

  async function started(times: PlatformOptions['times']) {
    const ends: (() => unknown)[] = []
    const millrace = await testPlatform(
      { after: (end) => void ends.push(end as never) },
      { own: 'stops the platform', times },
    )
    const stop = async () => {
      for (const end of ends) await end()
    }
    return { millrace, stop }
  }

  /** Requests that were sent before have come by then. */
  async function reach({ httpUrl }: TestPlatform): Promise<void> {
    for (let times = 0; times < 3; times += 1) await (await fetch(`${httpUrl}/timestamp`)).text()
  }

  it('waits for nobody who has nothing under way', async () => {
    const times = { handshakeMs: hourMs, requestMs: hourMs }
    const { millrace, stop } = await started({ ...times, shutdownMs: hourMs })
    for (const [, connect] of silent) open.push(await connect(millrace))
    open.push(await idleTls(millrace.mqttTlsUrl), await idleSocket(millrace.mqttUrl))
    // A packet that never ends.
    open.push(await idleSocket(millrace.mqttUrl, Buffer.from([0x10, 0x7f, 0x00])))
    open.push(await idleTls(millrace.tlsUrl, Buffer.from([0x10, 0x7f, 0x00])))
    await reach(millrace)
    await inTime('the stop', stop())
    for (const { closed } of open) await inTime('the end', closed)
  })

  it('answers a long poll, and ends websockets and MQTT', async (t) => {
    const { millrace, stop } = await started({ shutdownMs: hourMs })
    const { httpUrl, platform, businessId, connector } = millrace
    await platform.scripting.solutions.create(businessId, { id: 'pump', name: 'Pump' })
    const files = [{ path: 'a.lua', text: '--#ENDPOINT WEBSOCKET /echo\nreturn 1\n' }]
    await platform.scripting.folders.push(businessId, 'pump', files)
    const websocket = await idleSocket(httpUrl, handshakeText('/echo'))
    open.push(websocket)
    while (!websocket.received().startsWith('HTTP/1.1 101')) await reach(millrace)
    const device = await newDevice(httpUrl, connector.id, 'polls')
    const polled = device.read('a', { 'Request-Timeout': '300000' })
    const mqtt = await newDevice(httpUrl, connector.id, 'speaks')
    const client = await mqttDevice(t, millrace.mqttUrl, { password: mqtt.token })
    await reach(millrace)
    await inTime('the stop', stop())
    assert.equal((await polled).status, 304)
    await inTime('the end', websocket.closed)
    await inTime('the end', client.closed)
  })

  it('cuts what is still under way when its time is up', async () => {
    const { millrace, stop } = await started({ shutdownMs: 200 })
    const { httpUrl, tlsUrl, connector, token } = millrace
    open.push(await idleSocket(httpUrl, halfBody), await idleTls(tlsUrl, halfBody))
    const path = `/api:1/service/${connector.id}/device2/identities`
    const csv = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Automation ${token}\r\n`
    const head = `${csv}Content-Type: text/csv\r\nContent-Length: 1000\r\n\r\nID`
    open.push(await idleSocket(httpUrl, head))
    await reach(millrace)
    await inTime('the stop', stop())
    for (const { closed } of open) await inTime('the end', closed)
  })
})
