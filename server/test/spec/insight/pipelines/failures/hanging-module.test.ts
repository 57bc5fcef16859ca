import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Asset, Signal } from '../../../../../src/insight/assets/index.ts'
import { until } from '../../../../fixtures/engine.ts'
import { echo } from '../../../../fixtures/pipelines/module-calls.ts'
import {
  fakeModule,
  insight,
  module,
  type PipelinesFixture,
  pipelinesFixture,
} from '../../../../fixtures/pipelines.ts'

/** Two devices of one partition, and a module that accepts calls and never answers. */
async function fixtureWithHangingModule(t: Parameters<typeof pipelinesFixture>[0]) {
  const silent = await fakeModule(t, { ...module([insight('f')]), 'POST /process': () => {} })
  const well = await fakeModule(t, { ...module([insight('f')]), 'POST /process': echo })
  const fixture = await pipelinesFixture(t)
  const { business, connectorId, eventlog, pipelines } = fixture
  const part = eventlog.partitionFor(connectorId, 'd1')
  const names = Array.from({ length: 100 }, (_, at) => `other${at}`)
  const neighbour = names.find((name) => eventlog.partitionFor(connectorId, name) === part) ?? ''
  const silentId = (await pipelines.modules.add(business, { url: silent.url })).id
  const wellId = (await pipelines.modules.add(business, { url: well.url })).id
  const [one, first] = await fixture.assetWith('d1', ['001'])
  const [two, second] = await fixture.assetWith(neighbour, ['001'])
  assert.ok(first && second)
  return { ...fixture, silent, silentId, wellId, neighbour, one, first, two, second }
}

function link(
  { pipelines, view }: PipelinesFixture,
  { id: assetId }: Asset,
  { id: signalId }: Signal,
  moduleId: string,
) {
  const builtin = { functionId: 'threshold', constants: { warning: 5 } }
  const chosen = moduleId === 'builtin' ? builtin : { functionId: 'f' }
  return pipelines.links.create(view, {
    assetId,
    moduleId,
    inlets: [{ signalId }],
    ...chosen,
  })
}

test('a module that hangs delays neither other assets nor built-in functions', async (t) => {
  const fixture = await fixtureWithHangingModule(t)
  const { assets, view, pipelines, silent, silentId, wellId, one, first, two, second } = fixture
  await link(fixture, one, first, silentId)
  await link(fixture, one, first, 'builtin')
  const made = await link(fixture, two, second, wellId)
  await link(fixture, two, second, 'builtin')
  // A batch of one partition.
  await pipelines.stop()
  for (const ts of [1, 2]) await fixture.write('d1', { data_in: '{"001":7}' }, ts)
  await fixture.write(fixture.neighbour, { data_in: '{"001":8}' }, 3)
  pipelines.start()
  await until(async () => silent.bodies('POST /process').length === 1)
  await until(async () => {
    const levels = await assets.statuses(view, [one.id, two.id])
    return [one, two].every(({ id }) => levels.get(id)?.level === 2)
  })
  await until(async () => (await assets.history(view, made.outlets[0] ?? '')).length === 1)
  assert.equal(silent.bodies('POST /process').length, 1, 'the second entry waits for the first')
})
