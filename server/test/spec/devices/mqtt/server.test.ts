import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { before, describe, it, type TestContext } from 'node:test'
import { createDeviceMqtt } from '../../../../src/devices/device-api/index.ts'
import { serve } from '../../../../src/main.ts'
import { atEnd } from '../../../fixtures/ends.ts'
import { stallLog } from '../../../fixtures/peers/stall.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { mqttDevice } from '../../../fixtures/wire/mqtt.ts'
import { mqttFleet } from '../../../fixtures/wire/mqtt-fleet.ts'

describe('the MQTT server, opened and closed', () => {
  const suite = suiteContext()
  let millrace: TestPlatform
  const { newOne, state } = mqttFleet(() => millrace)
  before(async () => {
    millrace = await testPlatform(suite)
  })

  const listening = async (t: TestContext) => {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    atEnd(t, () => server.close())
    return { server, port: (server.address() as AddressInfo).port }
  }

  for (const [setting, part] of [
    ['MILLRACE_MQTT', 'mqtt'],
    ['MILLRACE_MQTT_TLS', 'mqttTls'],
  ] as const) {
    it(`a port in use is reported with the setting that chooses it, ${setting}`, async (t) => {
      const { port } = await listening(t)
      const { platform } = millrace
      const config = { ...platform.config, [part]: { host: '127.0.0.1', port } }
      await assert.rejects(
        serve({ ...platform, config }),
        new Error(`127.0.0.1:${port} is taken by another program; ${setting} chooses another`),
      )
    })
  }

  it('a server that closes answers what it received, and accepts nothing more', async (t) => {
    const { platform } = millrace
    const mqtt = await createDeviceMqtt(platform)
    const { server, port } = await listening(t)
    server.on('connection', (socket) => mqtt.accept(socket))
    const device = await newOne()
    const url = `mqtt://127.0.0.1:${port}`
    const { write, closed } = await mqttDevice(t, url, { password: device.token })
    const stall = await stallLog(platform.database)
    const written = write('$resource/a', 'taken in')
    await stall.waitedFor()
    const closing = mqtt.close()
    await assert.rejects(mqttDevice(t, url, { password: device.token }))
    await stall.release()
    await written
    await closed
    await closing
    assert.equal((await state(device)).a?.reported, 'taken in')
  })
})
