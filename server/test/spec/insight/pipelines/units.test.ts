import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ProcessRequest } from '@millrace/insight-sdk/protocol'
import type { Json } from '../../../../src/foundation/kernel/index.ts'
import { fakeModule, insight, module, pipelinesFixture } from '../../../fixtures/pipelines.ts'

/** A signal in degrees Celsius, linked to a function of a module that takes other units. */
async function linked(t: TestContext, units: readonly string[], more: Record<string, Json> = {}) {
  const inlets = [{ name: 'T', tag: 't', data_type: ['TEMPERATURE'], data_unit: [...units] }]
  const functions = [insight('f', { inlets, ...more })]
  const fake = await fakeModule(t, module(functions))
  const fixture = await pipelinesFixture(t)
  const { assets, business, view, connectorId, pipelines } = fixture
  const { id: assetId } = await assets.create(view, {
    name: 'oven',
    device: { connectorId, identity: 'd1' },
    signals: [
      {
        name: 'T',
        primitiveType: 'NUMERIC',
        dataType: 'TEMPERATURE',
        dataUnit: 'DEG_CELSIUS',
        source: { alias: 't' },
      },
    ],
  })
  const [signal = assert.fail()] = await assets.signals.ofAssets(view, [assetId])
  const { id: moduleId } = await pipelines.modules.add(business, { url: fake.url })
  const link = () =>
    pipelines.links.create(view, {
      assetId,
      moduleId,
      functionId: 'f',
      inlets: [{ signalId: signal.id }],
    })
  const write = async (value: number, ts: number) => {
    await fixture.write('d1', { t: String(value) }, ts)
    await pipelines.caughtUp()
  }
  const simulate = async () => {
    await pipelines.modules.configure(business, moduleId, { simulationSafe: true })
    await pipelines.simulations.run(view, assetId, { from: 0, to: 10 })
  }
  const calls = () => fake.bodies('POST /process') as ProcessRequest[]
  return { ...fixture, link, signal, take: write, simulate, calls }
}

test('a signal in another unit of the same type is converted for the inlet', async (t) => {
  const { link, take, calls, assets, view, signal } = await linked(t, ['DEG_FAHRENHEIT'])
  await link()
  await take(100, 1)
  assert.deepEqual(
    calls().flatMap(({ data }) => data.map(({ ts, value }) => [ts, value])),
    [[1, 212]],
  )
  const tags = calls()[0]?.data[0]?.tags
  assert.deepEqual([tags?.data_type, tags?.data_unit], ['TEMPERATURE', 'DEG_FAHRENHEIT'])
  assert.deepEqual([tags?.resource, tags?.metric], ['t', 't'], 'the unit is that of the value')
  const stored = await assets.history(view, signal.id)
  assert.deepEqual(stored, [{ ts: 1, value: 100 }], 'the signal itself stays as it is')
})

test('a simulation converts as the live pipeline does', async (t) => {
  const { link, take, calls, simulate } = await linked(t, ['DEG_FAHRENHEIT'])
  await link()
  await take(100, 1)
  await simulate()
  const seen = calls().map(({ data: [one] }) => [one?.value, one?.tags?.data_unit])
  assert.deepEqual(seen, [
    [212, 'DEG_FAHRENHEIT'],
    [212, 'DEG_FAHRENHEIT'],
  ])
})

test('a unit that the inlet takes is not converted, whatever else it takes', async (t) => {
  const { link, take, calls } = await linked(t, ['KELVIN', 'DEG_CELSIUS'])
  await link()
  await take(100, 1)
  assert.equal(calls()[0]?.data[0]?.value, 100)
})

test('of several units the first that is of the same type counts', async (t) => {
  const { link, take, calls } = await linked(t, ['PASCAL', 'RANKINE', 'KELVIN'])
  await link()
  await take(0, 1)
  assert.equal(calls()[0]?.data[0]?.value, 491.67)
})

test('a unit of another quantity is refused', async (t) => {
  const { link } = await linked(t, ['PASCAL'])
  await assert.rejects(link(), { code: 'invalid_argument', message: /in DEG_CELSIUS, not PASCAL/ })
})

test('past values are converted as new ones are', async (t) => {
  const { link, take, calls, signal } = await linked(t, ['KELVIN'], { history: true })
  await take(-273.15, 1)
  await link()
  await take(0, 2)
  const tags = { inlet: 't' }
  assert.deepEqual(calls()[0]?.history, {
    [signal.id]: [
      { ts: 1, value: 0, tags },
      { ts: 2, value: 273.15, tags },
    ],
  })
})
