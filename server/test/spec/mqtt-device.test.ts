import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { newDevice } from '../support/device.ts'
import { mqttDevice } from '../support/mqtt.ts'
import { type TestPlatform, testPlatform } from '../support/platform.ts'
import { suiteContext } from '../support/suite.ts'

describe('device API over MQTT, each sentence of it', () => {
  const suite = suiteContext()
  let millrace: TestPlatform
  before(async () => {
    millrace = await testPlatform(suite)
  })

  it('write: publish to $resource/<alias>', async (t) => {
    const { token } = await newDevice(millrace.httpUrl, millrace.connector.id, 'writer')
    const { client } = await mqttDevice(t, millrace.mqttUrl, { password: token })
    await client.publishAsync('$resource/temperature', '21.50', { qos: 1 })
    const { businessId, connector, platform } = millrace
    const state = await platform.provisioning.state(businessId, connector.id, 'writer')
    assert.equal(state.temperature?.reported, '21.50')
  })
})
