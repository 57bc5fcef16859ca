import assert from 'node:assert/strict'
import { it } from 'node:test'
import { serve } from '@millrace/insight-sdk'
import { vibration } from '../../../../examples/insight-vibration/module.ts'
import { atEnd } from '../../fixtures/ends.ts'
import { allRun } from '../../fixtures/pipelines.ts'
import { testPlatform } from '../../fixtures/platform.ts'
import { newDevice } from '../../fixtures/wire/device.ts'

it('a module that is served elsewhere goes on with its links there', async (t) => {
  const { platform, businessId, view, connector, httpUrl } = await testPlatform(t)
  const { assets, pipelines } = platform
  const first = await serve(vibration, { host: '127.0.0.1', port: 0 })
  const module = await pipelines.modules.add(businessId, { name: 'Vibration', url: first.url })
  const device = await newDevice(httpUrl, connector.id, 'moved')
  const asset = await assets.create(view, {
    name: 'Motor',
    device: { connectorId: connector.id, identity: 'moved' },
    signals: [{ name: 'Temperature', primitiveType: 'NUMERIC', source: { alias: 'temperature' } }],
  })
  const [signal] = await assets.signals.ofAssets(view, [asset.id])
  const link = await pipelines.links.create(view, {
    assetId: asset.id,
    moduleId: module.id,
    functionId: 'moving_average',
    constants: { window: 2 },
    inlets: [{ signalId: signal?.id ?? '' }],
  })
  await first.close()
  const second = await serve(vibration, { host: '127.0.0.1', port: 0 })
  atEnd(t, () => second.close())
  await pipelines.modules.move(businessId, module.id, { url: second.url })
  await device.write('temperature=10')
  await device.write('temperature=20')
  await allRun(platform)
  const [average = ''] = link.outlets
  assert.equal((await assets.lastValues(view, [average])).get(average)?.value, 15)
})
