import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allRun } from '../../../fixtures/pipelines.ts'
import { testPlatform } from '../../../fixtures/platform.ts'
import { newDevice } from '../../../fixtures/wire/device.ts'

const resources = {
  data_in: { format: 'string' },
  data_out: { format: 'string', settable: true },
} as const

const source = { alias: 'data_in', channel: '004' }

test('the cloud writes data_out, the device writes it back and reports in data_in', async (t) => {
  const { platform, businessId, view, connector, httpUrl } = await testPlatform(t, {
    connector: { name: 'Lamps', devmode: true, selfRegistration: true, resources },
  })
  const { assets, provisioning } = platform
  const device = await newDevice(httpUrl, connector.id, 'lamp')
  const asset = await assets.create(view, {
    name: 'Lamp',
    device: { connectorId: connector.id, identity: 'lamp' },
    signals: [{ name: 'On', primitiveType: 'BOOLEAN', source }],
  })
  const [signal] = await assets.signals.ofAssets(view, [asset.id])
  const history = async () => {
    await allRun(platform)
    const values = await assets.history(view, signal?.id ?? '')
    return values.map(({ value }) => value)
  }
  const held = async () => {
    const state = await provisioning.state(businessId, connector.id, 'lamp')
    const { set, reported } = state.data_out ?? {}
    return { set, reported }
  }
  const command = '{"004":true}'
  await provisioning.setState(businessId, connector.id, 'lamp', { data_out: command })
  assert.deepEqual(await held(), { set: command, reported: null })
  assert.deepEqual(await history(), [], 'what is commanded is no value yet')
  const { body } = await device.read('data_out')
  assert.equal(new URLSearchParams(body).get('data_out'), command)

  await device.write(`data_out=${encodeURIComponent(command)}`)
  assert.deepEqual(await held(), { set: command, reported: command })
  assert.deepEqual(await history(), [], 'nor is what is acknowledged')

  await device.write(`data_in=${encodeURIComponent(command)}`)
  assert.deepEqual(await history(), [true])
})
