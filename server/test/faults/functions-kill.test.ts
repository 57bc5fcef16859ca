import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ProcessRequest } from '@millrace/insight-sdk/protocol'
import { wholeView } from '../../src/people/groups/index.ts'
import type { Platform } from '../../src/platform/platform.ts'
import { atEnd } from '../fixtures/ends.ts'
import { until } from '../fixtures/engine.ts'
import { type FakeModule, fakeModule, insight, module } from '../fixtures/pipelines.ts'
import { startInstance } from '../fixtures/processes/instance-process.ts'
import { killableInstance } from '../fixtures/processes/killable-instance.ts'

it('repeats the call of a process that was killed before it was answered', async (t) => {
  const fake = await fakeModule(t, { ...module([insight('f')]), 'POST /process': () => {} })
  const { settings, open } = await killableInstance(t, { MILLRACE_OUTBOUND_ALLOW: fake.host })
  const platform = await open({ owner: false })
  atEnd(t, () => platform.close())
  const { assets, business, outlet, write } = await linkedAsset(platform, fake)
  const instance = await startInstance(settings)
  atEnd(t, () => instance.kill())
  const calls = () => fake.bodies('POST /process') as ProcessRequest[]
  await write(1)
  await until(async () => calls().length === 1)
  await write(2)
  await instance.kill()
  fake.answer({
    'POST /process': (response, body) => {
      response.end(JSON.stringify([(body as ProcessRequest).data]))
    },
  })
  platform.pipelines.start()
  platform.jobs.start()
  // The leases of the process that was killed have to run out first.
  for (let waits = 0; waits < 3; waits += 1) {
    await until(async () => (await assets.history(wholeView(business), outlet)).length === 2).catch(
      () => {},
    )
  }
  const values = await assets.history(wholeView(business), outlet, { order: 'asc' })
  assert.deepEqual(
    values.map(({ ts, value }) => [ts, value]),
    [
      [1, 1],
      [2, 2],
    ],
  )
  const [first = [], ...again] = calls().map(({ data }) => data.map(({ value }) => value))
  assert.deepEqual([first, again.flat()], [[1], [1, 2]])
  await verifyLedger(platform)
})

async function verifyLedger({ eventlog }: Platform): Promise<void> {
  const { faults, stages } = await eventlog.ledger.verify()
  assert.deepEqual(faults, [])
  for (const stage of ['functions', 'functions.runs']) {
    const { taken, done, failed } = stages.find((one) => one.stage === stage) ?? assert.fail()
    const notices = stage === 'functions.runs' ? 1 : 0
    assert.deepEqual([taken - notices, done - notices, failed], [2, 2, 0], stage)
  }
}

async function linkedAsset(
  { accounts, provisioning, assets, pipelines, eventlog }: Platform,
  fake: FakeModule,
) {
  const { id: business } = await accounts.createBusiness({ name: 'Killed' })
  const connector = await provisioning.connectors.create(business, { name: 'killed' })
  const device = { connectorId: connector.id, identity: 'd1' }
  const asset = await assets.create(wholeView(business), {
    name: 'Pump',
    device,
    signals: [
      { name: 's', primitiveType: 'NUMERIC', source: { alias: 'data_in', channel: '001' } },
    ],
  })
  const [signal = assert.fail()] = await assets.signals.ofAssets(wholeView(business), [asset.id])
  const { id: moduleId } = await pipelines.modules.add(business, { url: fake.url })
  const link = await pipelines.links.create(wholeView(business), {
    assetId: asset.id,
    moduleId,
    functionId: 'f',
    inlets: [{ signalId: signal.id }],
  })
  const write = (value: number) =>
    eventlog.append({
      ...device,
      businessId: business,
      at: value,
      kind: 'write',
      body: {
        ip: '127.0.0.1',
        protocol: 'http',
        payload: [{ timestamp: value, values: { data_in: JSON.stringify({ '001': value }) } }],
      },
    })
  return { assets, business, outlet: link.outlets[0] ?? '', write }
}
