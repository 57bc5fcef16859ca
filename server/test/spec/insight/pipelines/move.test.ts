import assert from 'node:assert/strict'
import { it } from 'node:test'
import { serve } from '@millrace/insight-sdk'
import { vibration } from '../../../../../examples/insight-vibration/module.ts'
import { atEnd } from '../../../fixtures/ends.ts'
import { fedAsset } from '../../../fixtures/pipelines/fleets.ts'
import { allRun } from '../../../fixtures/pipelines.ts'
import { testPlatform } from '../../../fixtures/platform.ts'

it('a module that is served elsewhere goes on with its links there', async (t) => {
  const instance = await testPlatform(t)
  const { platform, businessId, view } = instance
  const { assets, pipelines } = platform
  const first = await serve(vibration, { host: '127.0.0.1', port: 0 })
  const module = await pipelines.modules.add(businessId, { name: 'Vibration', url: first.url })
  const { device, asset, signalId } = await fedAsset(instance, 'moved')
  const link = await pipelines.links.create(view, {
    assetId: asset.id,
    moduleId: module.id,
    functionId: 'moving_average',
    constants: { window: 2 },
    inlets: [{ signalId }],
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
