import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type DatabaseProxy, databaseProxy } from '../fixtures/database-proxy.ts'
import { type OwnPlatform, testPlatform } from '../fixtures/platform.ts'
import { sharedBySuites } from '../fixtures/suite.ts'
import { newDevice, send, type TestDevice } from '../fixtures/wire/device.ts'
import { mqttDevice } from '../fixtures/wire/mqtt.ts'
import { until } from '../fixtures/wire/mqtt-fleet.ts'

type Headers = Readonly<Record<string, string>>

let proxy: DatabaseProxy

let millrace: OwnPlatform

let device: TestDevice

let other: TestDevice

const shareInstance = sharedBySuites(async (suite) => {
  proxy = await databaseProxy(suite)
  millrace = await testPlatform(suite, { own: 'cuts the database off', config: proxy.config })
  const { httpUrl, connector } = millrace
  device = await newDevice(httpUrl, connector.id, 'known')
  other = await newDevice(httpUrl, connector.id, 'not-asked-yet')
  assert.equal((await device.write('a=1')).status, 204)
})

const isUp = async () => (await device.read('a')).status === 200

const ask = (method: string, path: string, headers: Headers, body?: string) =>
  send(millrace.httpUrl, method, path, headers, body)

describe('requests while the database is away', () => {
  shareInstance()

  it('every route of a device is answered 503 with Retry-After, and works again', async () => {
    const host = { Host: `${millrace.connector.id}.localhost` }
    const known = { 'X-vendor-CIK': device.token }
    // Its credential was never asked for, so it is not remembered.
    const fresh = { 'X-vendor-CIK': other.token }
    const basic = { ...host, Authorization: `Basic ${btoa('somebody:twenty bytes at least')}` }
    const alias = '/vendor:v1/stack/alias'
    const routes = [
      ['POST', '/provision/activate', host, 'id=new'],
      ['POST', '/provision/activate', { Host: 'elsewhere.localhost' }, 'id=new&vendor=elsewhere'],
      ['POST', alias, known, 'a=2'],
      ['POST', alias, fresh, 'a=2'],
      ['POST', alias, basic, 'a=2'],
      ['POST', `${alias}?a`, fresh, 'a=2'],
      ['GET', `${alias}?a`, known],
      ['GET', `${alias}?a`, fresh],
      ['GET', `${alias}?a`, { ...known, 'Request-Timeout': '1000' }],
      ['POST', '/vendor:v1/stack/record', known, 'alias=a&1=2'],
      ['POST', '/vendor:v1/stack/record', fresh, 'alias=a&1=2'],
      ['GET', '/provision/download', known],
      ['GET', '/provision/download?id=x', fresh],
      ['GET', '/provision/download?id=x&info=true', known],
    ] as const
    proxy.down()
    try {
      for (const [method, path, headers, body] of routes) {
        const answer = await ask(method, path, headers, body)
        assert.equal(answer.status, 503, `${method} ${path}: ${answer.text}`)
        assert.ok(answer.headers.includes('Retry-After: 1'), answer.text)
      }
      assert.equal((await ask('GET', '/timestamp', {})).status, 200)
      assert.equal((await ask('GET', '/ip', {})).status, 200)
    } finally {
      proxy.up()
    }
    await until(isUp)
    assert.equal((await device.read('a')).body, 'a=1')
    assert.equal((await other.write('a=3')).status, 204)
  })

  it('so is every other route, and GraphQL', async () => {
    const authorization = `Automation ${'0'.repeat(40)}`
    const json = { 'Content-Type': 'application/json' }
    const signIn = JSON.stringify(millrace.account)
    const sid = (letters: string) => `${letters}${'0'.repeat(32)}`
    const notify = btoa(`${sid('AC')}:token`)
    const routes = [
      ['GET', '/healthz', {}],
      ['POST', '/api:1/token', json, signIn],
      ['GET', '/api:1/connectors', { authorization }],
      ['GET', '/api:1/connectors', { authorization: millrace.basic }],
      ['POST', '/api/graphql', { ...json, authorization }, '{"query":"{assetCount}"}'],
      ['GET', '/solution/anything/', {}],
      ['GET', '/', { Host: 'anything.localhost' }],
      ['GET', `/v1/Services/${sid('IS')}/Bindings`, { Authorization: `Basic ${notify}` }],
      ['POST', '/v1/Receipts/anything/webhook', {}, 'x'],
    ] as const
    proxy.down()
    try {
      for (const [method, path, headers, body] of routes) {
        const answer = await ask(method, path, { Host: 'localhost', ...headers }, body)
        assert.equal(answer.status, 503, `${method} ${path}: ${answer.text}`)
        assert.match(answer.text, /\r\nretry-after: 1\r\n/i, path)
      }
    } finally {
      proxy.up()
    }
    await until(isUp)
  })
})

describe('MQTT and writes under load while the database is away', () => {
  shareInstance()

  it('MQTT is refused with code 3, and no message is acknowledged', async (t) => {
    const { token } = await newDevice(millrace.httpUrl, millrace.connector.id, 'by-mqtt')
    const { client, closed } = await mqttDevice(t, millrace.mqttUrl, { password: device.token })
    const refused = await mqttDevice(t, millrace.mqttUrl, { password: device.token, clientId: 'r' })
    let acknowledged = 0
    const count = (error?: Error | null) => {
      if (error === undefined || error === null) acknowledged += 1
    }
    proxy.down()
    try {
      await assert.rejects(mqttDevice(t, millrace.mqttUrl, { password: token }), { code: 3 })
      client.publish('$resource/a', 'on its way', { qos: 1 }, count)
      refused.client.publish('$resource/temperature', 'warm', { qos: 1 }, count)
      await Promise.all([closed, refused.closed])
      const username = millrace.connector.id
      await assert.rejects(
        mqttDevice(t, millrace.mqttUrl, { username }).then(async (anonymous) => {
          await anonymous.write('$provision/by-mqtt-new', '')
        }),
      )
    } finally {
      proxy.up()
    }
    assert.equal(acknowledged, 0)
    await until(isUp)
    const again = await mqttDevice(t, millrace.mqttUrl, { password: token })
    await again.write('$resource/a', 'arrived')
  })

  it('under load each answer is a 204 or a 503, and what was acknowledged is there', async () => {
    const written: string[] = []
    const statuses = new Set<number>()
    let isDone = false
    const write = async (writer: number) => {
      for (let at = 0; !isDone; at += 1) {
        const value = `${writer}-${at}`
        const one = at % 2 === 0 ? device : other
        const { status } = await one.write(`b=${value}`)
        statuses.add(status)
        if (status === 204) written.push(value)
      }
    }
    const writers = Array.from({ length: 4 }, (_, writer) => write(writer))
    for (let round = 0; round < 5; round += 1) {
      const before = written.length
      await until(async () => written.length > before + 10)
      proxy.down()
      await until(async () => statuses.has(503))
      statuses.delete(503)
      await until(async () => statuses.has(503))
      proxy.up()
    }
    isDone = true
    await Promise.all(writers)
    statuses.delete(204)
    statuses.delete(503)
    assert.deepEqual([...statuses], [])
    await until(isUp)
    const rows = await millrace.platform.database.rows<{ body: string }>(
      "select body from eventlog_entry where kind = 'write'",
    )
    const kept = new Set(rows.map(({ body }) => JSON.parse(body).payload[0]?.values.b))
    assert.deepEqual(
      written.filter((value) => !kept.has(value)),
      [],
    )
  })
})
