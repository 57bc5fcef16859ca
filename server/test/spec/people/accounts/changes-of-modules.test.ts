import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
import { wholeView } from '../../../../src/people/groups/index.ts'
import { followChanges, isAbout } from '../../../fixtures/operation/change-events.ts'
import { type FakeModule, fakeModule, insight, module } from '../../../fixtures/pipelines.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { newDevice, type TestDevice } from '../../../fixtures/wire/device.ts'

let millrace: TestPlatform
let device: TestDevice
let fake: FakeModule
let moduleId: string

/** A module that refuses each call of its one function, to which a signal of a device is linked. */
const onInstance = sharedBySuites(async (suite) => {
  millrace = await testPlatform(suite)
  const { platform, businessId, connector, httpUrl } = millrace
  device = await newDevice(httpUrl, connector.id, 'pump.1')
  fake = await fakeModule(suite, {
    ...module([insight('work')]),
    'POST /process': (response) => void response.writeHead(400).end('{"message":"too cold"}'),
  })
  moduleId = (await platform.pipelines.modules.add(businessId, { url: fake.url })).id
  const view = wholeView(businessId)
  const asset = await platform.assets.create(view, {
    name: 'Pump',
    device: { connectorId: connector.id, identity: 'pump.1' },
    signals: [{ name: 'Heat', primitiveType: 'NUMERIC', source: { alias: 'temperature' } }],
  })
  const [signal] = await platform.assets.signals.ofAssets(view, [asset.id])
  await platform.pipelines.links.create(view, {
    assetId: asset.id,
    moduleId,
    functionId: 'work',
    inlets: [{ signalId: signal?.id ?? '' }],
  })
})

describe('the stream of changes of functions', () => {
  onInstance()

  it('names a call that failed at once as it names one that was tried for long', async (t) => {
    const reader = await followChanges(t, millrace.basic, millrace)
    assert.equal((await device.write('temperature=20')).status, 204)
    await reader.until(isAbout('failures'))
    const { pipelines } = millrace.platform
    assert.equal(
      (await pipelines.failedCalls.list(wholeView(millrace.businessId), {})).calls.length,
      1,
    )
  })

  it('names the assets whose links are outdated by what their module lists now', async (t) => {
    const { pipelines } = millrace.platform
    await pipelines.caughtUp()
    const reader = await followChanges(t, millrace.basic, millrace)
    await reader.until(({ event }) => event === 'covers')
    fake.answer(module([insight('work', { outlets: [] })]))
    await pipelines.modules.refresh(millrace.businessId, moduleId)
    await reader.until(isAbout('assets'))
  })
})
