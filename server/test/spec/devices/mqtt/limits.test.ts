import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { createDeviceMqtt } from '../../../../src/devices/device-api/index.ts'
import { atEnd } from '../../../fixtures/ends.ts'
import { exampleConnector, testPlatform } from '../../../fixtures/platform.ts'
import { newDevice } from '../../../fixtures/wire/device.ts'
import { mqttDevice } from '../../../fixtures/wire/mqtt.ts'

describe('the MQTT server when it is full', () => {
  it('closes one connection more, and takes the next when one has ended', async (t) => {
    const millrace = await testPlatform(t)
    const { url } = await smallServer(t, millrace, 2)
    const { token } = await newDevice(millrace.httpUrl, millrace.connector.id, 'crowded')
    const password = { password: token }
    const first = await mqttDevice(t, url, password)
    const second = await mqttDevice(t, url, password)
    await assert.rejects(mqttDevice(t, url, password), /closed before the CONNACK/)
    await first.write('$resource/a', 'still here')
    await second.end()
    const third = await comesIn(t, url, password)
    await third.write('$resource/a', 'in its place')
    await first.write('$resource/a', 'and still here')
  })
})

describe('the MQTT server when a business has its share of it', () => {
  it('refuses one more of it, and takes those of others', async (t) => {
    const millrace = await testPlatform(t)
    const { platform, httpUrl, connector } = millrace
    const { url } = await smallServer(t, millrace, 5)
    const mine = await newDevice(httpUrl, connector.id, 'many')
    for (let at = 0; at < 4; at += 1) await mqttDevice(t, url, { password: mine.token })
    await assert.rejects(mqttDevice(t, url, { password: mine.token }), /Server unavailable/)
    const other = await platform.accounts.createBusiness({ name: `Other ${connector.id}` })
    const { id } = await platform.provisioning.connectors.create(other.id, exampleConnector)
    const { token } = await newDevice(httpUrl, id, 'one')
    await mqttDevice(t, url, { password: token })
  })
})

type Millrace = Awaited<ReturnType<typeof testPlatform>>

async function smallServer(t: TestContext, { platform }: Millrace, clientsMax: number) {
  const { provisioning, eventlog, activity, clock, random, logger } = platform
  const mqtt = await createDeviceMqtt({
    provisioning,
    eventlog,
    activity,
    clock,
    random,
    logger,
    clientsMax,
  })
  const server = createServer((socket) => mqtt.accept(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(t, async () => {
    server.close()
    await mqtt.close()
  })
  return { url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Connects again until the server has closed the connection of a client that ended. */
async function comesIn(t: TestContext, url: string, options: { password: string }) {
  for (let tries = 0; tries < 1_000; tries += 1) {
    const device = await mqttDevice(t, url, options).catch(() => undefined)
    if (device !== undefined) return device
  }
  throw new Error('no place became free')
}
