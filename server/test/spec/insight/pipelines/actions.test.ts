import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ProcessRequest } from '@millrace/insight-sdk/protocol'
import type { Signal } from '../../../../src/insight/assets/index.ts'
import { marketplaceLimits } from '../../../../src/insight/marketplace/index.ts'
import { pipelineLimits } from '../../../../src/insight/pipelines/index.ts'
import { until } from '../../../fixtures/engine.ts'
import {
  type Answer,
  fakeModule,
  insight,
  module,
  pipelinesFixture,
} from '../../../fixtures/pipelines.ts'

const status = { name: 'Status', data_type: ['STATUS'], tag: 'status' }
const value = { name: 'Value', primitive_type: 'NUMERIC', tag: 'value' }
const functions = [
  insight('double'),
  insight('judge', { type: 'rule', outlets: [] }),
  insight('act', { type: 'action', inlets: [status], outlets: [{ name: 'ignored' }] }),
  insight('act with value', { type: 'action', inlets: [value, status], outlets: [] }),
]

/** The level of `judge` is the value itself. */
const answering: Answer = (response, body) => {
  const { args, data } = body as ProcessRequest
  const made = data.map((one) =>
    args.function_id === 'judge'
      ? { ...one, value: { level: one.value, type: 'fake', category: 'heat' } }
      : { ...one, value: Number(one.value) * 2 },
  )
  response.end(JSON.stringify([made]))
}

/** An asset with the channels `001` and `002`, and modules for rules and for actions. */
async function linkedAsset(t: TestContext) {
  const judging = await fakeModule(t, { ...module(functions), 'POST /process': answering })
  const acting = await fakeModule(t, module(functions))
  const fixture = await pipelinesFixture(t)
  const { business, view, pipelines } = fixture
  const [asset, a, b] = await fixture.assetWith('d1', ['001', '002'])
  assert(a && b)
  const ids = new Map<string, string>()
  for (const { url } of [judging, acting]) {
    ids.set(url, (await pipelines.modules.add(business, { url })).id)
  }
  const link = async (url: string, functionId: string, inlets: readonly string[]) =>
    pipelines.links.create(view, {
      assetId: asset.id,
      moduleId: ids.get(url) ?? 'builtin',
      functionId,
      inlets: inlets.map((signalId) => ({ signalId })),
      constants: url === 'builtin' ? { info: 10, critical: 20 } : {},
    })
  const makeStatus = async (url: string, functionId: string, signal: Signal) => {
    const { outlets } = await link(url, functionId, [signal.id])
    return outlets[0] ?? ''
  }
  const write = async (ts: number, data: object) => {
    await fixture.write('d1', { data_in: JSON.stringify(data) }, ts)
  }
  const acted = () => (acting.bodies('POST /process') as ProcessRequest[]).map(({ data }) => data)
  return { ...fixture, judging, acting, asset, a, b, link, makeStatus, write, acted }
}

const asStatus = { data_type: 'STATUS', primitive_type: 'JSON' }

test('an action runs once when the level of its status changes', async (t) => {
  const linked = await linkedAsset(t)
  const { acting, a, link, write, acted, pipelines, stage, connectorId, asset } = linked
  const hot = await linked.makeStatus('builtin', 'threshold', a)
  const action = await link(acting.url, 'act', [hot])
  assert.deepEqual(action.outlets, [], 'its answer is not used')
  for (const [ts, celsius] of [5, 11, 12, 25, 26, 3, 4].entries()) {
    await write(ts + 1, { '001': celsius })
  }
  await pipelines.caughtUp()
  const [first, ...more] = acted().map(([one, ...others]) => {
    assert.deepEqual(others, [])
    return one ?? assert.fail()
  })
  const { gts, ...datum } = first ?? assert.fail()
  assert(Number.isSafeInteger(gts))
  const origin = `${connectorId}.d1.data_in.001`
  assert.deepEqual(datum, {
    ts: 2,
    value: { level: 1, type: 'threshold', value: 11 },
    origin,
    generated: origin,
    ttl: pipelineLimits.pipelineStepsMax - 1,
    tags: { inlet: 'status', ...asStatus, signal: hot, asset: asset.id },
  })
  assert.deepEqual(
    more.map(({ ts, value }) => [ts, (value as { level: number }).level]),
    [
      [4, 3],
      [6, 0],
    ],
  )
  const [request] = acting.bodies('POST /process') as ProcessRequest[]
  assert.deepEqual([request?.id, request?.args.function_id], [action.id, 'act'])
  assert.deepEqual(await stage('functions.calls'), { taken: 10, done: 10, failed: 0 })
  const changes = 3
  const notices = 1
  const jobs = changes + notices
  assert.deepEqual(await stage('functions.runs'), { taken: jobs, done: jobs, failed: 0 })
})

test('an action hangs on a rule of a module, too, and the event is stored before', async (t) => {
  const linked = await linkedAsset(t)
  const { judging, acting, a, link, write, acted, pipelines, assets, view, asset } = linked
  await link(acting.url, 'act', [await linked.makeStatus(judging.url, 'judge', a)])
  const stored: number[] = []
  acting.answer({
    'POST /process': async (response) => {
      stored.push((await assets.events(view, asset.id)).length)
      response.end('[[]]')
    },
  })
  for (const [ts, level] of [0, 2, 2, 0].entries()) {
    await write(ts + 1, { '001': level })
    await pipelines.caughtUp()
  }
  assert.deepEqual(stored, [1, 2])
  const levels = acted().map(([one]) => [one?.ts, one?.value])
  assert.deepEqual(levels, [
    [2, { level: 2, type: 'fake', category: 'heat' }],
    [4, { level: 0, type: 'fake', category: 'heat' }],
  ])
})

test('a status that is older than the one before it runs no action', async (t) => {
  const { acting, a, link, write, acted, pipelines, makeStatus } = await linkedAsset(t)
  await link(acting.url, 'act', [await makeStatus('builtin', 'threshold', a)])
  await write(1_000, { '001': 25 })
  await pipelines.caughtUp()
  await write(500, { '001': 0 })
  await pipelines.caughtUp()
  assert.equal(acted().length, 1)
})

test('an action with further inlets gets their values of the time of the change', async (t) => {
  const linked = await linkedAsset(t)
  const { judging, acting, a, b, link, write, acted, pipelines } = linked
  for (const [url, rule] of [
    ['builtin', 'threshold'],
    [judging.url, 'judge'],
  ] as const) {
    await link(acting.url, 'act with value', [b.id, await linked.makeStatus(url, rule, a)])
  }
  await write(1, { '002': 7 })
  await write(2, { '001': 1, '002': 8 })
  await write(3, { '001': 1, '002': 9 })
  await write(4, { '001': 3 })
  await write(5, { '002': 10 })
  await write(6, { '001': 30 })
  await pipelines.caughtUp()
  const sent = acted().map((data) => [
    data.map(({ tags }) => tags?.inlet),
    data[0]?.value,
    (data[1]?.value as { level: number }).level,
  ])
  const both = ['value', 'status']
  assert.deepEqual(sent.toSorted(), [
    [both, 10, 3],
    [both, 8, 1],
    [both, 9, 3],
  ])
})

test('what an action does not take is called again, and nothing of its asset waits', async (t) => {
  const linked = await linkedAsset(t)
  const { judging, acting, a, link, write, acted, pipelines, assets, view } = linked
  await link(acting.url, 'act', [await linked.makeStatus('builtin', 'threshold', a)])
  const doubled = await linked.makeStatus(judging.url, 'double', a)
  acting.answer({ 'POST /process': (response) => void response.writeHead(503).end() })
  for (const [ts, celsius] of [25, 0, 25].entries()) await write(ts + 1, { '001': celsius })
  await until(async () => (await assets.history(view, doubled)).length === 3)
  await until(async () => acted().length > marketplaceLimits.moduleTriesMax)
  acting.answer({ 'POST /process': [[]] })
  const failed = acted().length
  await pipelines.caughtUp()
  const levels = acted()
    .slice(failed - 1)
    .map(([one]) => [one?.ts, (one?.value as { level: number }).level])
  assert.deepEqual(
    [...new Map(levels as [number, number][])],
    [
      [1, 3],
      [2, 0],
      [3, 3],
    ],
  )
})

test('an action that failed is kept as a call, and made again', async (t) => {
  const linked = await linkedAsset(t)
  const { acting, a, link, write, acted, pipelines, view, asset, stage, lines } = linked
  const action = await link(acting.url, 'act', [await linked.makeStatus('builtin', 'threshold', a)])
  acting.answer({
    'POST /process': (response) => void response.writeHead(500).end('{"message":"no paper"}'),
  })
  await write(1, { '001': 25 })
  await pipelines.caughtUp()
  const { calls } = await pipelines.failedCalls.list(view, {})
  const [call = assert.fail(), ...more] = calls
  assert.deepEqual(more, [])
  assert.deepEqual([call.assetId, call.linkId], [asset.id, action.id])
  assert.deepEqual(call.request, acting.bodies('POST /process')[0])
  assert.deepEqual(await lines(asset.id), ['error The act: The module answered 500: no paper'])
  acting.answer({ 'POST /process': [[]] })
  await pipelines.failedCalls.retry(view, call.id)
  await pipelines.caughtUp()
  assert.deepEqual(acted()[1], acted()[0])
  assert.deepEqual((await pipelines.failedCalls.list(view, {})).calls, [])
  assert.deepEqual(await stage('functions.calls'), { taken: 3, done: 2, failed: 1 })
})

test('an action on no status is refused, and a rule is not removed below it', async (t) => {
  const { acting, a, link, makeStatus, pipelines, view, write, acted } = await linkedAsset(t)
  await assert.rejects(link(acting.url, 'act with value', [a.id, a.id]), {
    code: 'invalid_argument',
    detail: /runs when the level of a status changes/,
  })
  const action = await link(acting.url, 'act', [await makeStatus('builtin', 'threshold', a)])
  const [rule = assert.fail()] = await pipelines.links.ofAssets(view, [action.assetId])
  await assert.rejects(pipelines.links.remove(view, rule.id), {
    code: 'invalid_argument',
  })
  await pipelines.links.remove(view, action.id)
  await write(1, { '001': 25 })
  await pipelines.caughtUp()
  assert.deepEqual(acted(), [])
})
