import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ProcessRequest } from '@millrace/insight-sdk/protocol'
import { marketplaceLimits } from '../../../../../src/insight/marketplace/index.ts'
import { pipelineLimits } from '../../../../../src/insight/pipelines/index.ts'
import { until } from '../../../../fixtures/engine.ts'
import { echo } from '../../../../fixtures/pipelines/module-calls.ts'
import {
  type Answer,
  fakeModule,
  insight,
  module,
  pipelinesFixture,
} from '../../../../fixtures/pipelines.ts'

/** The ways in which a module shows that it restarts. */
const ways: Readonly<Record<string, Answer>> = {
  'a broken connection': (response) => void response.destroy(),
  'a 502 of a proxy': (response) => void response.writeHead(502).end('<html>'),
  'a 503': (response) => void response.writeHead(503).end('{"message":"starting"}'),
}

/** A signal that one module echoes, and another one as well. */
async function linkedAsset(t: TestContext) {
  const functions = [insight('f')]
  const restarting = await fakeModule(t, { ...module(functions), 'POST /process': echo })
  const well = await fakeModule(t, { ...module(functions), 'POST /process': echo })
  const fixture = await pipelinesFixture(t)
  const { business, view, pipelines, assets } = fixture
  const [asset, signal] = await fixture.assetWith('d1', ['001'])
  const link = async (url: string, signalId: string | undefined) => {
    const { id: moduleId } =
      (await pipelines.modules.list(business)).find((one) => one.url === url) ??
      (await pipelines.modules.add(business, { url }))
    const inlets = [{ signalId: signalId ?? '' }]
    return pipelines.links.create(view, {
      assetId: asset.id,
      moduleId,
      functionId: 'f',
      inlets,
    })
  }
  const first = await link(restarting.url, signal?.id)
  const fed = await link(well.url, first.outlets[0])
  const beside = await link(well.url, signal?.id)
  const readValues = async ({ outlets }: typeof first) => {
    const history = await assets.history(view, outlets[0] ?? '', { order: 'asc' })
    return history.map(({ value }) => value)
  }
  const write = (value: number) => fixture.write('d1', { data_in: `{"001":${value}}` }, value)
  const failedCalls = async () => (await pipelines.failedCalls.list(view, {})).calls
  return { ...fixture, restarting, well, first, fed, beside, readValues, write, failedCalls }
}

const valuesIn = (bodies: readonly unknown[]) =>
  (bodies as ProcessRequest[]).flatMap(({ data }) => data.map(({ value }) => value))

/** The calls of a function by their tracking ids, each with the bodies that it sent. */
function groupCalls({ requests }: Awaited<ReturnType<typeof fakeModule>>) {
  const processed = requests.filter(({ call }) => call === 'POST /process')
  const byId = Map.groupBy(processed, ({ headers }) => headers['x-request-id'])
  return [...byId.values()].map((tries) => new Set(tries.map(({ body }) => JSON.stringify(body))))
}

for (const [way, fails] of Object.entries(ways)) {
  test(`what a module missed while it restarted is called again: ${way}`, async (t) => {
    const linked = await linkedAsset(t)
    const { restarting, well, readValues, write, pipelines, stage } = linked
    restarting.answer({ 'POST /process': fails })
    for (const value of [1, 2]) await write(value)
    await until(
      async () => restarting.bodies('POST /process').length > marketplaceLimits.moduleTriesMax,
    )
    restarting.answer({ 'POST /process': echo })
    await pipelines.caughtUp()
    for (const link of [linked.first, linked.fed, linked.beside]) {
      assert.deepEqual(await readValues(link), [1, 2])
    }
    assert.deepEqual(await linked.failedCalls(), [])
    // Entries that wait may go in one call, which is two of them or one.
    const calls = groupCalls(restarting)
    const sent = valuesIn(calls.flatMap((tries) => [...tries].map((body) => JSON.parse(body))))
    assert.deepEqual(sent, sent.toSorted(), 'in the order of the entries')
    assert.ok(
      calls.every(({ size }) => size === 1),
      'each try of a call is the same request',
    )
    const bodies = new Set(restarting.bodies('POST /process').map((body) => JSON.stringify(body)))
    assert.equal(calls.length, bodies.size, 'one tracking id a call')
    assert.deepEqual(
      valuesIn(well.bodies('POST /process')).toSorted(),
      [1, 1, 2, 2],
      'no other function is called twice',
    )
    const count = calls.length + groupCalls(well).length
    assert.deepEqual(await stage('functions.calls'), { taken: count, done: count, failed: 0 })
  })
}

test('the calls of a module that stays away fail, and the links beside it go on', async (t) => {
  const linked = await linkedAsset(t)
  const { restarting, readValues, write, pipelines, clock, stage } = linked
  restarting.answer({ 'POST /process': (response) => void response.destroy() })
  await write(1)
  await until(
    async () => restarting.bodies('POST /process').length > marketplaceLimits.moduleTriesMax,
  )
  clock.advance(pipelineLimits.moduleOutageMs)
  await pipelines.caughtUp()
  await write(2)
  await pipelines.caughtUp()
  const calls = await linked.failedCalls()
  assert.deepEqual(valuesIn(calls.map(({ request }) => request)), [2, 1])
  const [second, first] = calls.map(({ tries }) => tries)
  assert.ok(second === 1 && Number(first) > 1, 'the automatic tries count')
  assert.deepEqual(await readValues(linked.beside), [1, 2])
  assert.deepEqual(await readValues(linked.fed), [])
  assert.deepEqual(await stage('functions.calls'), { taken: 4, done: 2, failed: 2 })
  restarting.answer({ 'POST /process': echo })
  clock.advance(pipelineLimits.modulePauseMs)
  await pipelines.failedCalls.retryAll(linked.view)
  await pipelines.caughtUp()
  assert.deepEqual(await readValues(linked.fed), [1, 2])
})
