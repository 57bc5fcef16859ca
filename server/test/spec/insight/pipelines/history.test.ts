import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { defineFunction, defineModule, serve } from '@millrace/insight-sdk'
import type { ProcessRequest } from '@millrace/insight-sdk/protocol'
import type { Json } from '../../../../src/foundation/kernel/index.ts'
import type { Signal } from '../../../../src/insight/assets/index.ts'
import { until } from '../../../fixtures/engine.ts'
import { double, moduleCallsFixture } from '../../../fixtures/pipelines/module-calls.ts'
import { insight, pipelinesFixture } from '../../../fixtures/pipelines.ts'

/** A module with a function that has a history, and an asset with the signals `a` and `b`. */
async function linked(t: TestContext, history: Json, more: Readonly<Record<string, Json>> = {}) {
  const functions = [insight('f', { history, ...more })]
  const answers = { 'POST /process': double }
  const fixture = await moduleCallsFixture(t, { functions, answers, channels: ['001', '002'] })
  const [a, b] = fixture.signals
  assert.ok(a && b)
  const link = (inlets: readonly Signal[], constants?: object) => {
    const ids = inlets.map(({ id }) => id)
    return fixture.link('f', ids, constants)
  }
  const write = (ts: number, data: object) =>
    fixture.write('d1', { data_in: JSON.stringify(data) }, ts)
  const readPoints = (call: ProcessRequest | undefined, { id }: { readonly id: string }) =>
    call?.history?.[id]?.map(({ ts, value }) => [ts, value])
  return { ...fixture, a, b, link, write, readPoints }
}

test('each point of an inlet has its tag, the newest is the one of the call', async (t) => {
  const inlets = ['x', 'y'].map((tag) => ({ name: tag, tag, primitive_type: 'NUMERIC' }))
  const { a, b, link, write, calls, pipelines } = await linked(
    t,
    { limit: { value: 1 } },
    { inlets },
  )
  await link([a, b])
  await write(1_000, { '001': 1, '002': 10 })
  await pipelines.caughtUp()
  await write(2_000, { '001': 2 })
  await pipelines.caughtUp()
  assert.deepEqual(calls()[1]?.history, {
    [a.id]: [{ ts: 2_000, value: 2, tags: { inlet: 'x' } }],
    [b.id]: [{ ts: 1_000, value: 10, tags: { inlet: 'y' } }],
  })
})

test('an inlet without a tag has its index', async (t) => {
  const { a, link, write, calls, pipelines } = await linked(t, true)
  await link([a])
  await write(1_000, { '001': 1 })
  await pipelines.caughtUp()
  assert.deepEqual(calls()[0]?.history, { [a.id]: [{ ts: 1_000, value: 1, tags: { inlet: '0' } }] })
})

test('limit and relative_start count back from the entry, not from now', async (t) => {
  const history = { limit: { constant: 'count' }, relative_start: { template: '-{{back}}u' } }
  const constants = [
    { name: 'count', type: 'number', default: 3 },
    { name: 'back', type: 'number', default: 100 },
  ]
  const { a, link, write, calls, readPoints, pipelines } = await linked(t, history, { constants })
  for (const ts of [100, 950, 960, 970]) await write(ts, { '001': ts })
  await pipelines.caughtUp()
  await link([a])
  await link([a], { constants: { count: 10 } })
  await link([a], { constants: { count: 10, back: 1_000 } })
  await write(1_000, { '001': 1 })
  await pipelines.caughtUp()
  const near = [
    [950, 950],
    [960, 960],
    [970, 970],
    [1_000, 1],
  ]
  const sent = calls().map((call) => readPoints(call, a))
  assert.deepEqual(sent, [near.slice(1), near, [[100, 100], ...near]])
})

test('earlier values of outlets come where include_from names them', async (t) => {
  const history = { include_from: { value: ['inlets', 'outlets'] } }
  const outlets = ['double', 'other'].map((name) => ({ name, primitive_type: 'NUMERIC' }))
  const { a, link, write, calls, pipelines } = await linked(t, history, { outlets })
  const { outlets: made } = await link([a])
  for (const ts of [1_000, 2_000]) {
    await write(ts, { '001': ts })
    await pipelines.caughtUp()
  }
  const first = { ts: 1_000, value: 1_000, tags: { inlet: '0' } }
  assert.deepEqual(calls()[0]?.history, { [a.id]: [first] }, 'an empty list is never sent')
  assert.deepEqual(calls()[1]?.history, {
    [a.id]: [first, { ts: 2_000, value: 2_000, tags: { inlet: '0' } }],
    [made[0] ?? '']: [{ ts: 1_000, value: 2_000, tags: { outlet: '0' } }],
  })
})

test('values that are not stored yet are waited for', async (t) => {
  const { a, link, write, calls, readPoints, pipelines, database, stage } = await linked(t, true)
  await link([a])
  await pipelines.caughtUp()
  const locked = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const holding = database.transaction(async (transaction) => {
    await transaction.run('lock table assets_value in share mode')
    locked.resolve()
    await gate.promise
  })
  await locked.promise
  for (const ts of [1, 2, 3]) await write(ts, { '001': ts })
  // The link's `create` was one, and the run of the first entry has begun by then.
  await until(async () => (await stage('functions.runs')).taken === 4)
  assert.deepEqual(calls(), [])
  gate.resolve()
  await holding
  await pipelines.caughtUp()
  assert.deepEqual(
    calls().map((call) => readPoints(call, a)),
    [
      [[1, 1]],
      [
        [1, 1],
        [2, 2],
      ],
      [
        [1, 1],
        [2, 2],
        [3, 3],
      ],
    ],
  )
})

test('values that came after the entry are not sent with it', async (t) => {
  const { a, link, write, calls, readPoints, pipelines, fake, assets, view } = await linked(t, true)
  await link([a])
  const gate = Promise.withResolvers<void>()
  fake.answer({
    'POST /process': async (response) => {
      await gate.promise
      response.end('[[]]')
    },
  })
  for (const ts of [1, 2, 3]) await write(ts, { '001': ts })
  await until(async () => (await assets.lastValues(view, [a.id])).get(a.id)?.value === 3)
  gate.resolve()
  await pipelines.caughtUp()
  assert.deepEqual(
    calls().map((call) => readPoints(call, a)?.at(-1)),
    [
      [1, 1],
      [2, 2],
      [3, 3],
    ],
  )
})

test('a module of the SDK reads the earlier values of its outlet', async (t) => {
  const total = defineFunction({
    id: 'total',
    name: 'Total',
    description: 'The sum of all values.',
    history: { limit: { value: 1 }, include_from: ['outlets'] },
    inlets: { in: { name: 'In', primitive_type: 'NUMERIC' } },
    outlets: { sum: { primitive_type: 'NUMERIC' } },
    process({ inlet, earlier, emit }) {
      let sum = earlier('sum').at(-1)?.value ?? 0
      for (const source of inlet('in')) {
        sum += source.value
        emit('sum', source, sum)
      }
    },
  })
  const sums = defineModule({ name: 'Sums', description: 'Sums.', functions: [total] })
  const served = await serve(sums, { host: '127.0.0.1', port: 0 })
  t.after(() => served.close())
  const { assetWith, write, business, view, pipelines, assets } = await pipelinesFixture(t)
  const { id: moduleId } = await pipelines.modules.add(business, { url: served.url })
  assert.deepEqual((await pipelines.modules.report(business, moduleId)).complaints, [])
  const [asset, signal] = await assetWith('d1', ['001'])
  const { outlets } = await pipelines.links.create(view, {
    assetId: asset.id,
    moduleId,
    functionId: 'total',
    inlets: [{ signalId: signal?.id ?? '' }],
  })
  for (const ts of [1, 2, 3, 4]) await write('d1', { data_in: `{"001":${ts}}` }, ts)
  await pipelines.caughtUp()
  const history = await assets.history(view, outlets[0] ?? '', { order: 'asc' })
  assert.deepEqual(
    history.map(({ value }) => value),
    [1, 3, 6, 10],
  )
})
