import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { pipelineLimits } from '../../../../src/insight/pipelines/index.ts'
import { setLimits } from '../../../fixtures/bounds.ts'
import { until } from '../../../fixtures/engine.ts'
import { echo } from '../../../fixtures/pipelines/module-calls.ts'
import {
  type Answer,
  fakeModule,
  insight,
  module,
  type PipelinesFixture,
  pipelinesFixture,
} from '../../../fixtures/pipelines.ts'

async function smallShares(t: TestContext) {
  // A call that hangs lasts until the end of the test, however slow the machine is.
  setLimits(t, { moduleCallMsMax: 600_000, functionRunsMax: 8, functionRunsWaitingMax: 100 })
  const own = { moduleCallsOfModuleMax: 2, moduleCallsOfBusinessMax: 6, functionRunsClaimMax: 16 }
  setLimits(t, own, pipelineLimits)
  return pipelinesFixture(t, { own: 'starts with other limits', allow: ['127.0.0.1:*'] })
}

const silence: Answer = () => {}

const names = (count: number) => Array.from({ length: count }, (_, at) => `d${at}`)

/** Links the module at `url` into an asset of each of the devices. @returns the links' outlets. */
async function linkDevices(fixture: PipelinesFixture, url: string, devices: readonly string[]) {
  const { business, view, pipelines } = fixture
  const { id: moduleId } = await pipelines.modules.add(business, { url })
  const outlets = []
  for (const device of devices) {
    const [asset, signal] = await fixture.assetWith(device, ['001'])
    const inlets = [{ signalId: signal?.id ?? '' }]
    const given = { assetId: asset.id, moduleId, functionId: 'f', inlets }
    outlets.push(...(await pipelines.links.create(view, given)).outlets)
  }
  return outlets
}

const functions = [insight('f')]

test('a module that hangs takes its share of calls, none of another module', async (t) => {
  const silent = await fakeModule(t, { ...module(functions), 'POST /process': silence })
  const well = await fakeModule(t, { ...module(functions), 'POST /process': echo })
  const fixture = await smallShares(t)
  const { view, assets, write } = fixture
  const hanging = names(20)
  await linkDevices(fixture, silent.url, hanging)
  const [outlet = ''] = await linkDevices(fixture, well.url, ['well'])
  for (const device of hanging) await write(device, { data_in: '{"001":1}' })
  const share = pipelineLimits.moduleCallsOfModuleMax
  await until(async () => silent.bodies('POST /process').length === share)
  for (const value of [1, 2, 3]) await write('well', { data_in: `{"001":${value}}` }, value)
  await until(async () => (await assets.history(view, outlet)).length === 3)
  assert.equal(silent.bodies('POST /process').length, share)
})

test('a business whose modules hang takes no calls of another business', async (t) => {
  const silent = [0, 1, 2, 3].map(() =>
    fakeModule(t, { ...module(functions), 'POST /process': silence }),
  )
  const hanging = await Promise.all(silent)
  const well = await fakeModule(t, { ...module(functions), 'POST /process': echo })
  const fixture = await smallShares(t)
  const { other, otherView, assets, eventlog, connectorId, write, clock } = fixture
  for (const [at, { url }] of hanging.entries()) {
    const devices = names(5).map((name) => `${name}of${at}`)
    await linkDevices(fixture, url, devices)
    for (const device of devices) await write(device, { data_in: '{"001":1}' })
  }
  const called = () => hanging.flatMap((fake) => fake.bodies('POST /process')).length
  await until(async () => called() === pipelineLimits.moduleCallsOfBusinessMax)
  const theirs = Object.assign({}, fixture, { business: other })
  const device = { connectorId, identity: 'theirs' }
  const source = { alias: 'data_in', channel: '001' }
  const signals = [{ name: 's', primitiveType: 'NUMERIC' as const, source }]
  const asset = await assets.create(otherView, { name: 'theirs', device, signals })
  const [signal] = await assets.signals.ofAssets(otherView, [asset.id])
  const { pipelines } = theirs
  const { id: moduleId } = await pipelines.modules.add(other, { url: well.url })
  const inlets = [{ signalId: signal?.id ?? '' }]
  const link = { assetId: asset.id, moduleId, functionId: 'f', inlets }
  const [outlet = ''] = (await pipelines.links.create(otherView, link)).outlets
  const payload = [{ timestamp: 1, values: { data_in: '{"001":5}' } }]
  const body = { ip: '127.0.0.1', protocol: 'http', payload }
  const head = { businessId: other, connectorId, identity: 'theirs', at: clock.nowUs() }
  await eventlog.append({ ...head, kind: 'write', body })
  await until(async () => (await assets.history(otherView, outlet)).length === 1)
  assert.equal(called(), pipelineLimits.moduleCallsOfBusinessMax)
})

test('past functionRunsWaitingMax entries are kept as failed, and can be retried', async (t) => {
  const fake = await fakeModule(t, module(functions))
  const fixture = await smallShares(t)
  const { view, pipelines, assets, write, stage } = fixture
  const [outlet = ''] = await linkDevices(fixture, fake.url, ['d'])
  await pipelines.caughtUp()
  const gate = Promise.withResolvers<void>()
  fake.answer({
    'POST /process': async (response, body) => {
      await gate.promise
      await echo(response, body)
    },
  })
  const rounds = 4
  const count = rounds * limits.functionRunsWaitingMax
  for (let ts = 1; ts <= count; ts += 1) {
    await write('d', { data_in: `{"001":${ts}}` }, ts)
    // A count of what waits is read at most once a batch.
    if (ts % 50 === 0) await until(async () => (await stage('functions')).done === ts)
  }
  const { calls } = await pipelines.failedCalls.list(view, { limit: 1_000 })
  const failed = (await stage('functions.runs')).failed
  assert.ok(failed > 0 && calls.length > 0)
  for (const { error, linkId, request } of calls) {
    assert.deepEqual([error.code, linkId, request], ['overloaded', null, null])
  }
  gate.resolve()
  await pipelines.caughtUp()
  const values = async () =>
    (await assets.history(view, outlet, { limit: count, order: 'asc' })).map(({ ts }) => ts)
  assert.equal((await values()).length, count - failed)
  assert.equal(await pipelines.failedCalls.retryAll(view), failed)
  await pipelines.caughtUp()
  assert.deepEqual(
    await values(),
    Array.from({ length: count }, (_, at) => at + 1),
  )
})
