import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ProcessRequest, SignalData } from '@millrace/insight-sdk/protocol'
import type { Json } from '../../../../src/foundation/kernel/index.ts'
import type { Signal } from '../../../../src/insight/assets/index.ts'
import { pipelineLimits } from '../../../../src/insight/pipelines/index.ts'
import { answering, double, moduleCallsFixture } from '../../../fixtures/pipelines/module-calls.ts'
import { insight } from '../../../fixtures/pipelines.ts'

/** Answers each datum with what `of` makes of its value, by the first outlet. */
const mapping = (of: (value: number) => Json) =>
  answering((one) => ({ ...one, value: of(Number(one.value)) }))

async function running(t: TestContext, functions: readonly Json[]) {
  const answers = { 'POST /process': double }
  const fixture = await moduleCallsFixture(t, { functions, answers, channels: ['001', '002'] })
  const { assets, view } = fixture
  const [a, b] = fixture.signals
  assert.ok(a && b)
  const link = async (functionId: string, inlets: readonly Signal[], over: object = {}) => {
    const ids = inlets.map(({ id }) => id)
    const made = await fixture.link(functionId, ids, over)
    return { ...made, out: await assets.signals.some(view, made.outlets) }
  }
  const history = (signal: Signal | undefined) => fixture.history(signal?.id)
  const write = (data: object, ts: number, identity = 'd1') =>
    fixture.write(identity, { data_in: JSON.stringify(data) }, ts)
  return { ...fixture, a, b, link, history, write }
}

/** The description of the channel 001 of the device d1 for a module. */
const described = { identity: 'd1', resource: 'data_in', metric: '001', primitive_type: 'NUMERIC' }

test('one process call a link and entry, as the protocol defines', async (t) => {
  const inlets = [{ name: 'in', primitive_type: 'NUMERIC', tag: 'speed' }]
  const constants = [{ name: 'k', type: 'number', default: 2 }]
  const { link, write, calls, history, pipelines, connectorId, a, asset, stage } = await running(
    t,
    [insight('rms', { inlets, constants }), insight('plain')],
  )
  const tagged = await link('rms', [a], { groupId: 'g1' })
  const plain = await link('plain', [a])
  await write({ '001': 4 }, 1_000)
  await pipelines.caughtUp()

  const [first, second, ...more] = calls()
  assert.deepEqual(more, [])
  const { gts, ...datum } = first?.data[0] ?? ({} as SignalData)
  assert.ok(Number.isSafeInteger(gts))
  const origin = `${connectorId}.d1.data_in.001`
  assert.deepEqual(datum, {
    ts: 1_000,
    value: 4,
    origin,
    generated: origin,
    ttl: pipelineLimits.pipelineStepsMax,
    tags: { inlet: 'speed', ...described, pid: connectorId, signal: a.id, asset: asset.id },
  })
  assert.equal(first?.id, tagged.id)
  const rest = { type: 'transform', insight_id: plain.moduleId }
  const ofRms = { name: 'The rms', function_id: 'rms', group_id: 'g1', constants: { k: 2 } }
  assert.deepEqual(first?.args, { ...rest, ...ofRms })
  assert.equal(second?.id, plain.id)
  const ofPlain = { name: 'The plain', function_id: 'plain', constants: {} }
  assert.deepEqual(second?.args, { ...rest, ...ofPlain })
  assert.equal(second?.data[0]?.tags?.inlet, '0')
  assert.deepEqual(Object.keys(first ?? {}).sort(), ['args', 'data', 'id'])

  assert.deepEqual(await history(tagged.out[0]), [[1_000, 8]])
  assert.deepEqual(await stage('functions'), { taken: 1, done: 1, failed: 0 })
  assert.deepEqual(await stage('functions.calls'), { taken: 2, done: 2, failed: 0 })
})

test('nothing new at an inlet is no call', async (t) => {
  const { link, write, calls, pipelines, b } = await running(t, [insight('f')])
  await link('f', [b])
  await write({ '001': 4 }, 1_000)
  await write({ '001': 4 }, 1_000, 'd2')
  await pipelines.caughtUp()
  assert.deepEqual(calls(), [])
})

test("a function with two inlets waits for both, then uses the other's last value", async (t) => {
  const inlets = ['x', 'y'].map((name) => ({ name, tag: name, primitive_type: 'NUMERIC' }))
  const { link, write, calls, pipelines, a, b, connectorId } = await running(t, [
    insight('sum', { inlets }),
  ])
  await link('sum', [a, b])
  await write({ '001': 1 }, 1_000)
  // In a batch of its own, which has no effects.
  await pipelines.caughtUp()
  await write({ '002': 10 }, 2_000)
  await pipelines.caughtUp()
  await write({ '001': 2, '002': 20 }, 3_000)
  await write({ '001': 3 }, 4_000)
  await pipelines.caughtUp()
  const sent = calls().map(({ data }) =>
    data.map((one) => [one.tags?.inlet, one.value, one.ts, one.origin.split('.').at(-1)]),
  )
  assert.deepEqual(sent, [
    [
      ['x', 1, 1_000, '001'],
      ['y', 10, 2_000, '002'],
    ],
    [
      ['x', 2, 3_000, '001'],
      ['y', 20, 3_000, '002'],
    ],
    [
      ['x', 3, 4_000, '001'],
      ['y', 20, 3_000, '002'],
    ],
  ])
  assert.ok(calls()[0]?.data[1]?.origin.startsWith(connectorId))
})

test('after a restart the last value of the other inlet is the stored one', async (t) => {
  const inlets = [{ name: 'x' }, { name: 'y' }]
  const { link, write, calls, pipelines, a, b } = await running(t, [insight('sum', { inlets })])
  await write({ '002': 7 }, 1_000)
  await pipelines.caughtUp()
  await pipelines.stop()
  await link('sum', [a, b])
  pipelines.start()
  await write({ '001': 1 }, 2_000)
  await pipelines.caughtUp()
  const sent = calls().map(({ data }) => data.map((one) => [one.tags?.inlet, one.value]))
  assert.deepEqual(sent, [
    [
      ['0', 1],
      ['1', 7],
    ],
  ])
})

test('outlets feed further functions, each step with a smaller ttl', async (t) => {
  const { link, write, calls, history, pipelines, a } = await running(t, [insight('f')])
  const first = await link('f', [a])
  const [middle] = first.out
  assert.ok(middle)
  const second = await link('f', [middle])
  await write({ '001': 3 }, 1_000)
  await pipelines.caughtUp()
  assert.deepEqual(await history(middle), [[1_000, 6]])
  assert.deepEqual(await history(second.out[0]), [[1_000, 12]])
  const sent = calls().map((one) => [one.id, one.data[0]?.ttl, one.data[0]?.tags?.signal])
  assert.deepEqual(sent, [
    [first.id, pipelineLimits.pipelineStepsMax, a.id],
    [second.id, pipelineLimits.pipelineStepsMax - 1, middle.id],
  ])
})

test('a value whose ttl is used up goes no further', async (t) => {
  const { link, write, calls, pipelines, history, fake, a } = await running(t, [insight('f')])
  fake.answer({
    'POST /process': (response, body) => {
      const { data } = body as ProcessRequest
      response.end(JSON.stringify([data.map((one) => ({ ...one, ttl: 1 }))]))
    },
  })
  const first = await link('f', [a])
  const second = await link('f', first.out)
  await write({ '001': 3 }, 1_000)
  await pipelines.caughtUp()
  assert.deepEqual(
    calls().map((one) => one.id),
    [first.id],
  )
  assert.deepEqual(await history(first.out[0]), [[1_000, 3]], 'its value is kept all the same')
  assert.deepEqual(await history(second.out[0]), [])
})

test('several outlets, several values each, with the times that the module answers', async (t) => {
  const outlets = [
    { name: 'n', primitive_type: 'NUMERIC' },
    { name: 's', primitive_type: 'STRING' },
    { name: 'any' },
  ]
  const { link, write, history, pipelines, fake, a, assets, view } = await running(t, [
    insight('f', { outlets }),
  ])
  const datum = (ts: number, value: Json) => ({ ts, value, origin: 'o', generated: 'g' })
  fake.answer({
    'POST /process': [[datum(5, 1), datum(4, 2)], [], [datum(6, { deep: [1] }), datum(7, 'x')]],
  })
  const made = await link('f', [a])
  await write({ '001': 3 }, 1_000)
  await pipelines.caughtUp()
  const sent = []
  for (const id of made.outlets) sent.push(await history(await assets.signals.get(view, id)))
  assert.deepEqual(sent, [
    [
      [4, 2],
      [5, 1],
    ],
    [],
    [
      [6, { deep: [1] }],
      [7, 'x'],
    ],
  ])
})

test("a device's entries are run in order, devices of one batch side by side", async (t) => {
  const fixture = await running(t, [insight('f')])
  const { link, write, calls, pipelines, eventlog, connectorId, a, fake } = fixture
  const part = eventlog.partitionFor(connectorId, 'd1')
  const names = Array.from({ length: 100 }, (_, at) => `other${at}`)
  const neighbour = names.find((name) => eventlog.partitionFor(connectorId, name) === part) ?? ''
  const [, signal] = await fixture.assetWith(neighbour, ['001'])
  const own = await link('f', [a])
  const theirs = await pipelines.links.create(fixture.view, {
    assetId: signal?.assetId ?? '',
    moduleId: own.moduleId,
    functionId: 'f',
    inlets: [{ signalId: signal?.id ?? '' }],
  })
  const met = Promise.withResolvers<void>()
  fake.answer({
    'POST /process': async (response, body) => {
      // The first call of the one device is answered only once the other device's has come.
      if ((body as ProcessRequest).id === theirs.id) met.resolve()
      else await met.promise
      response.end('[[]]')
    },
  })
  await pipelines.stop()
  for (let at = 1; at <= 10; at += 1) await write({ '001': at }, at)
  await write({ '001': 0 }, 11, neighbour)
  pipelines.start()
  await pipelines.caughtUp()
  const order = calls().filter((one) => one.id === own.id)
  assert.deepEqual(
    order.flatMap((one) => one.data.map(({ value }) => value)),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  )
  assert.equal((await fixture.stage('functions')).failed, 0)
})

test('a rule sets the status, and an event is recorded only when the level changes', async (t) => {
  const outlets = [{ name: 'status' }]
  const { link, write, pipelines, assets, view, asset, a, fake, history } = await running(t, [
    insight('judge', { type: 'rule', outlets }),
  ])
  const judged = mapping((value) => ({ level: value, type: 'fake', category: 'heat', value }))
  fake.answer({ 'POST /process': judged })
  const rule = await link('judge', [a])
  for (const [ts, level] of [0, 2, 2, 3, 0].entries()) await write({ '001': level }, ts + 1)
  await pipelines.caughtUp()
  const events = await assets.events(view, asset.id)
  assert.deepEqual(
    events.map((one) => [one.ruleId, one.ts, one.level, one.previous, one.type]).reverse(),
    [
      [rule.id, 2, 2, 0, 'fake'],
      [rule.id, 4, 3, 2, 'fake'],
      [rule.id, 5, 0, 3, 'fake'],
    ],
  )
  await write({ '001': 4 }, 9)
  await pipelines.caughtUp()
  const status = (await assets.statuses(view, [asset.id])).get(asset.id)
  assert.deepEqual([status?.level, status?.name, status?.type], [4, 'error', 'fake'])
  assert.deepEqual(
    [status?.ruleId, status?.signalId, status?.category],
    [rule.id, a.id, 'heat'],
    'with its rule, signal and category',
  )
  const value = { level: 4, type: 'fake', category: 'heat', value: 4 }
  assert.deepEqual((await history(rule.out[0])).at(-1), [9, value])

  await pipelines.links.remove(view, rule.id)
  const after = (await assets.statuses(view, [asset.id])).get(asset.id)
  assert.equal(after?.level, 0)
})

test('the built-in threshold remembers its level over batches', async (t) => {
  const { pipelines, view, assets, asset, a, link, write } = await running(t, [])
  const constants = { warning: 70, critical: 80, hysteresis: 5 }
  await link('threshold', [a], { moduleId: 'builtin', constants })
  const levels = []
  for (const [ts, value] of [70, 70.5, 66, 65, 81, 76, 20].entries()) {
    await write({ '001': value }, ts + 1)
    await pipelines.caughtUp()
    levels.push((await assets.statuses(view, [asset.id])).get(asset.id)?.level)
  }
  assert.deepEqual(levels, [0, 2, 2, 0, 3, 3, 0])
})

test('a business sees nothing of another: a device feeds the assets of its own only', async (t) => {
  const { assets, otherView, connectorId, pipelines, write } = await running(t, [])
  const foreign = await assets.create(otherView, {
    name: 'theirs',
    device: { connectorId, identity: 'd1' },
    signals: [
      { name: 's', primitiveType: 'NUMERIC', source: { alias: 'data_in', channel: '001' } },
    ],
  })
  const [signal] = await assets.signals.ofAssets(otherView, [foreign.id])
  const inlets = [{ signalId: signal?.id ?? '' }]
  const constants = { warning: 0 }
  const where = { assetId: foreign.id, moduleId: 'builtin', functionId: 'threshold' }
  await pipelines.links.create(otherView, { ...where, inlets, constants })
  await write({ '001': 5 }, 1_000)
  await pipelines.caughtUp()
  assert.deepEqual(await assets.history(otherView, signal?.id ?? ''), [])
  assert.deepEqual(await assets.events(otherView, foreign.id), [])
})
