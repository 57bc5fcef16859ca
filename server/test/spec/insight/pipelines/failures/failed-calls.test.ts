import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ProcessRequest } from '@millrace/insight-sdk/protocol'
import type { Json } from '../../../../../src/foundation/kernel/index.ts'
import { moduleCallsFixture } from '../../../../fixtures/pipelines/module-calls.ts'
import { type Answer, insight } from '../../../../fixtures/pipelines.ts'

const functions = [
  insight('double'),
  insight('sum', { inlets: [{ name: 'x' }, { name: 'y' }] }),
  insight('judge', { type: 'rule', outlets: [{ name: 'status' }] }),
]

/** Values of the module's functions; of one entry the newest of each inlet counts. */
const results: Readonly<Record<string, (values: number[]) => Json>> = {
  double: ([value = 0]) => value * 2,
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  judge: ([value = 0]) => ({ level: value > 40 ? 2 : 0 }),
}

/** Answers as the functions do, unless `isBroken` says that the module fails. */
function answering(isBroken: (request: ProcessRequest) => boolean): Answer {
  return (response, body) => {
    const request = body as ProcessRequest
    if (isBroken(request)) {
      response.writeHead(500).end('{"message":"out of order"}')
      return
    }
    const { data, args } = request
    const value = results[args.function_id]?.(data.map((one) => Number(one.value))) ?? null
    const latest = data.toSorted((a, b) => a.ts - b.ts).at(-1)
    response.end(JSON.stringify([[{ ...latest, value }]]))
  }
}

/** `a` is doubled, the result is added to `b` and judged. */
async function linkedAsset(t: TestContext) {
  const answers = { 'POST /process': answering(() => false) }
  const fixture = await moduleCallsFixture(t, { functions, answers, channels: ['001', '002'] })
  const { assets, asset, history, findId, link, send, view } = fixture
  const double = await link('double', [findId('001')])
  const sum = await link('sum', [...double.outlets, findId('002')])
  const judge = await link('judge', sum.outlets)
  const write = (ts: number, data: Readonly<Record<string, Json>>) => send(data, ts)
  /** All that the functions made, and the asset's level. */
  const state = async () => {
    const values = []
    for (const { outlets } of [double, sum, judge]) values.push(await history(outlets[0]))
    const status = (await assets.statuses(view, [asset.id])).get(asset.id)
    return { values, level: status?.level }
  }
  return { ...fixture, double, sum, write, state }
}

type Linked = Awaited<ReturnType<typeof linkedAsset>>

const first = { '001': 10, '002': 5 }
const second = { '001': 20, '002': 6 }

/** Returns the state if nothing fails. */
async function undisturbed(t: TestContext) {
  const { write, state } = await linkedAsset(t)
  await write(1_000, first)
  await write(2_000, second)
  return state()
}

async function listed({ pipelines, view }: Linked) {
  return (await pipelines.failedCalls.list(view, {})).calls
}

test('a call that failed is kept with its exact request', async (t) => {
  const linked = await linkedAsset(t)
  const { fake, pipelines, view, otherView, write, double, moduleId, asset, calls, stage } = linked
  fake.answer({ 'POST /process': answering(() => true) })
  await write(1_000, first)
  const [call = assert.fail(), ...more] = await listed(linked)
  assert.deepEqual(more, [], 'what it feeds is not called')
  const { id, name } = double
  assert.deepEqual(
    [call.linkId, call.linkName, call.moduleId, call.functionId],
    [id, name, moduleId, 'double'],
  )
  assert.deepEqual(call.request, calls()[0])
  const sent = fake.requests.at(-1)?.headers as Record<string, string>
  assert.equal(call.trackingId, sent['x-request-id'])
  assert.equal(call.assetId, asset.id)
  const reason = 'The module answered 500: out of order'
  assert.deepEqual(call.error, { code: 'module_failed', reason })
  assert.equal(call.tries, 1)
  assert.deepEqual(await pipelines.failedCalls.get(view, call.id), call)
  await assert.rejects(pipelines.failedCalls.get(otherView, call.id), { code: 'not_found' })
  assert.deepEqual((await pipelines.failedCalls.list(otherView, {})).calls, [])
  assert.deepEqual(await stage('functions.calls'), { taken: 1, done: 0, failed: 1 })
})

test('retried calls give what would have been without the failure', async (t) => {
  const linked = await linkedAsset(t)
  const { fake, pipelines, view, write, state, calls } = linked
  const isFirst = ({ args, data }: ProcessRequest) =>
    args.function_id === 'double' && data[0]?.ts === 1_000
  fake.answer({ 'POST /process': answering(isFirst) })
  await write(1_000, first)
  assert.deepEqual((await state()).values, [[], [], []])
  await write(2_000, second)
  const [call = assert.fail()] = await listed(linked)
  fake.answer({ 'POST /process': answering(() => false) })
  await pipelines.failedCalls.retry(view, call.id)
  await pipelines.caughtUp()
  assert.deepEqual(await listed(linked), [])
  assert.deepEqual(await state(), await undisturbed(t))
  const repeated = calls().filter(isFirst)
  assert.equal(repeated.length, 2)
  assert.deepEqual(repeated[1], repeated[0])
})

test('all are retried in the order in which they failed', async (t) => {
  const linked = await linkedAsset(t)
  const { fake, pipelines, view, write, state, calls, stage } = linked
  fake.answer({ 'POST /process': answering(() => true) })
  await write(1_000, first)
  await write(2_000, second)
  const failed = calls().length
  fake.answer({ 'POST /process': answering(() => false) })
  assert.equal(await pipelines.failedCalls.retryAll(view), 2)
  await pipelines.caughtUp()
  assert.deepEqual(await stage('functions.calls'), { taken: 8, done: 6, failed: 2 })
  assert.deepEqual(await state(), await undisturbed(t))
  const times = calls()
    .slice(failed)
    .map(({ args, data }) => [args.function_id, data[0]?.ts])
  assert.deepEqual(times, [
    ['double', 1_000],
    ['sum', 1_000],
    ['judge', 1_000],
    ['double', 2_000],
    ['sum', 2_000],
    ['judge', 2_000],
  ])
})

test('a call is corrected, then made with the other data', async (t) => {
  const linked = await linkedAsset(t)
  const { fake, pipelines, view, write, state } = linked
  const isTooLarge = ({ data }: ProcessRequest) => Number(data[0]?.value) > 100
  fake.answer({ 'POST /process': answering(isTooLarge) })
  await write(1_000, { '001': 1_000, '002': 5 })
  const [call = assert.fail()] = await listed(linked)
  const sent = call.request as ProcessRequest
  const { failedCalls } = pipelines
  for (const [data, detail] of [
    [[], /^data must have at least 1 item/],
    [[{ value: 1 }], /^The request: data 0/],
    [['x'], /^The request: data 0/],
  ] as const) {
    const refused = failedCalls.correct(view, call.id, data)
    await assert.rejects(refused, { code: 'invalid_argument', detail })
  }
  const data = sent.data.map((one) => ({ ...one, value: 10 }))
  await failedCalls.correct(view, call.id, data)
  const corrected = await failedCalls.get(view, call.id)
  assert.deepEqual(corrected.request, { ...sent, data })
  assert.deepEqual((await state()).values, [[], [], []], 'it is not made yet')
  await failedCalls.retry(view, call.id)
  await pipelines.caughtUp()
  await write(2_000, second)
  assert.deepEqual(await state(), await undisturbed(t))
})

test('a call that fails again stays the same failed call', async (t) => {
  const linked = await linkedAsset(t)
  const { fake, pipelines, view, write, stage, double } = linked
  const { failedCalls } = pipelines
  fake.answer({ 'POST /process': answering(() => true) })
  await write(1_000, first)
  const [call = assert.fail()] = await listed(linked)
  fake.answer({ 'POST /process': {} })
  await failedCalls.retry(view, call.id)
  await pipelines.caughtUp()
  const [again = assert.fail(), ...more] = await listed(linked)
  assert.deepEqual(more, [])
  assert.deepEqual([again.id, again.request, again.tries], [call.id, call.request, 2])
  assert.match(again.error.reason, /an object, not an array/)
  assert.deepEqual(await stage('functions.calls'), { taken: 2, done: 0, failed: 2 })

  for (const { id } of (await pipelines.links.ofAssets(view, [call.assetId])).toReversed()) {
    await pipelines.links.remove(view, id)
  }
  const data = again.request && 'data' in again.request ? again.request.data : []
  await failedCalls.retry(view, call.id, { data })
  await pipelines.caughtUp()
  assert.equal((await failedCalls.get(view, call.id)).error.reason, 'The link is gone.')
  assert.equal(call.linkId, double.id)
  await failedCalls.discard(view, call.id)
  await assert.rejects(failedCalls.discard(view, call.id), { code: 'not_found' })
  assert.equal(await failedCalls.discardAll(view), 0)
})

test('of two branches that failed the last one retried joins both results', async (t) => {
  const linked = await linkedAsset(t)
  const { fake, pipelines, view, link, write, assets, double } = linked
  const other = await link('double', [linked.findId('002')])
  const joined = await link('sum', [...double.outlets, ...other.outlets])
  fake.answer({ 'POST /process': answering(({ args }) => args.function_id === 'double') })
  await write(1_000, first)
  fake.answer({ 'POST /process': answering(() => false) })
  const ofOther = await pipelines.failedCalls.list(view, { linkId: other.id })
  assert.deepEqual(
    ofOther.calls.map((call) => call.linkId),
    [other.id],
  )
  for (const { id } of await listed(linked)) {
    await pipelines.failedCalls.retry(view, id)
    await pipelines.caughtUp()
  }
  const [value, ...more] = await assets.history(view, joined.outlets[0] ?? '')
  assert.deepEqual([value?.ts, value?.value, more], [1_000, 30, []])
})
