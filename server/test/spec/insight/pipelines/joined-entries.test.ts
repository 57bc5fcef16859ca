import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ProcessRequest } from '@millrace/insight-sdk/protocol'
import type { Json } from '../../../../src/foundation/kernel/index.ts'
import { pipelineLimits } from '../../../../src/insight/pipelines/index.ts'
import { setLimits } from '../../../fixtures/bounds.ts'
import { until } from '../../../fixtures/engine.ts'
import { double, moduleCallsFixture } from '../../../fixtures/pipelines/module-calls.ts'
import { type Answer, insight } from '../../../fixtures/pipelines.ts'

/** A link whose module answers the first call once `open` is called. */
async function linked(t: TestContext, more: Readonly<Record<string, Json>> = {}) {
  setLimits(t, { functionRunValuesMax: 20, functionRunCharsMax: 100_000 }, pipelineLimits)
  const functions = [insight('f', more)]
  const fixture = await moduleCallsFixture(t, { functions, channels: ['001', '002'] })
  const { fake } = fixture
  const link = (ids: readonly string[]) => fixture.link('f', ids)
  const gate = Promise.withResolvers<void>()
  const answer = (after: Answer) => {
    fake.answer({
      'POST /process': async (response, body) => {
        await gate.promise
        if (typeof after === 'function') await after(response, body)
      },
    })
  }
  answer(double)
  /** Writes the values 1, 2, …; the first is with the module while the others come. */
  const writeWhileBusy = async (
    count: number,
    dataOf = (value: number): object => ({ '001': value }),
  ) => {
    for (let ts = 1; ts <= count; ts += 1) {
      await fixture.write('d1', { data_in: JSON.stringify(dataOf(ts)) }, ts)
      if (ts === 1) await until(async () => fake.bodies('POST /process').length > 0)
    }
    await until(async () => (await fixture.stage('functions')).done === count)
    gate.resolve()
  }
  const calls = () =>
    (fake.bodies('POST /process') as ProcessRequest[]).map(({ id, data }) => {
      return { id, values: data.map(({ value }) => value) }
    })
  const readValues = async ({ outlets }: { readonly outlets: readonly string[] }) =>
    (await fixture.history(outlets[0])).map(([, value]) => value)
  const signalIds = fixture.signals.map(({ id }) => id)
  return { ...fixture, link, signalIds, answer, writeWhileBusy, calls, readValues }
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

test('entries that wait for one link go in one call, up to a limit, in order', async (t) => {
  const { link, signalIds, writeWhileBusy, calls, readValues, pipelines, stage } = await linked(t)
  const made = await link(signalIds.slice(0, 1))
  await writeWhileBusy(50)
  await pipelines.caughtUp()
  assert.deepEqual(
    calls().map(({ values }) => values.length),
    [1, pipelineLimits.functionRunValuesMax, pipelineLimits.functionRunValuesMax, 9],
  )
  assert.deepEqual(
    calls().flatMap(({ values }) => values),
    upTo(50),
  )
  assert.deepEqual(
    await readValues(made),
    upTo(50).map((value) => value * 2),
  )
  assert.deepEqual(await stage('functions.calls'), { taken: 4, done: 4, failed: 0 })
  assert.deepEqual(await stage('functions.runs'), { taken: 51, done: 51, failed: 0 })
})

test('so do those of the links that they feed', async (t) => {
  const { link, signalIds, writeWhileBusy, calls, readValues, pipelines } = await linked(t)
  const first = await link(signalIds.slice(0, 1))
  const second = await link(first.outlets)
  await writeWhileBusy(10)
  await pipelines.caughtUp()
  assert.deepEqual(
    calls().map(({ id, values }) => [id, values.length]),
    [
      [first.id, 1],
      [second.id, 1],
      [first.id, 9],
      [second.id, 9],
    ],
  )
  assert.deepEqual(
    await readValues(second),
    upTo(10).map((value) => value * 4),
  )
})

test('large values make smaller calls', async (t) => {
  const outlets = [{ name: 'out', primitive_type: 'JSON' }]
  const inlets = [{ name: 'in', primitive_type: 'STRING' }]
  const { assets, view, writeWhileBusy, calls, pipelines, connectorId, moduleId } = await linked(
    t,
    { inlets, outlets },
  )
  const device = { connectorId, identity: 'd1' }
  const source = { alias: 'data_in', channel: '003' }
  const signals = [{ name: 'text', primitiveType: 'STRING' as const, source }]
  const asset = await assets.create(view, { name: 'texts', device, signals })
  const [signal] = await assets.signals.ofAssets(view, [asset.id])
  const inlet = { signalId: signal?.id ?? '' }
  const chosen = { assetId: asset.id, moduleId, functionId: 'f', inlets: [inlet] }
  await pipelines.links.create(view, chosen)
  await writeWhileBusy(7, () => ({ '003': 'x'.repeat(pipelineLimits.functionRunCharsMax / 4) }))
  await pipelines.caughtUp()
  assert.deepEqual(
    calls().map(({ values }) => values.length),
    [1, 4, 2],
  )
})

test('a failure of such a call is one failed call with its exact request', async (t) => {
  const { link, signalIds, writeWhileBusy, readValues, fake, answer, pipelines, view, stage } =
    await linked(t)
  const made = await link(signalIds.slice(0, 1))
  answer((response, body) => {
    const { data } = body as ProcessRequest
    if (data.length === 1) double(response, body)
    else response.writeHead(400).end('{"message":"not today"}')
  })
  await writeWhileBusy(11)
  await pipelines.caughtUp()
  const { calls } = await pipelines.failedCalls.list(view, {})
  assert.deepEqual(
    calls.map(({ request }) => request),
    fake.bodies('POST /process').slice(1),
  )
  assert.deepEqual(await readValues(made), [2])
  assert.deepEqual(await stage('functions.calls'), { taken: 2, done: 1, failed: 1 })
  answer(double)
  await pipelines.failedCalls.retryAll(view)
  await pipelines.caughtUp()
  assert.deepEqual(
    await readValues(made),
    upTo(11).map((value) => value * 2),
  )
  assert.deepEqual((await pipelines.failedCalls.list(view, {})).calls, [])
})

test('while its module is away such a call is made again as it was', async (t) => {
  const { link, signalIds, writeWhileBusy, readValues, fake, answer, pipelines, write, stage } =
    await linked(t)
  const made = await link(signalIds.slice(0, 1))
  answer((response, body) => {
    const { data } = body as ProcessRequest
    if (data.length === 1) double(response, body)
    else response.writeHead(503).end()
  })
  await writeWhileBusy(11)
  await until(async () => fake.bodies('POST /process').length > 2)
  await write('d1', { data_in: '{"001":12}' }, 12)
  answer(double)
  await pipelines.caughtUp()
  const sent = fake.requests.filter(({ call }) => call === 'POST /process')
  const together = sent.filter(({ body }) => (body as ProcessRequest).data.length > 1)
  const ids = together.map(({ headers }) => (headers as Record<string, string>)['x-request-id'])
  assert.equal(new Set(ids).size, 1)
  assert.ok(together.length > 1)
  for (const { body } of together) assert.deepEqual(body, together[0]?.body)
  assert.deepEqual(
    await readValues(made),
    upTo(12).map((value) => value * 2),
  )
  assert.deepEqual(await stage('functions.calls'), { taken: 3, done: 3, failed: 0 })
})

test('a function with several inlets gets the values of one entry in a call', async (t) => {
  const inlets = ['x', 'y'].map((tag) => ({ name: tag, tag, primitive_type: 'NUMERIC' }))
  const { link, signalIds, writeWhileBusy, calls, pipelines } = await linked(t, { inlets })
  await link(signalIds)
  await writeWhileBusy(5, (value) => ({ '001': value, '002': -value }))
  await pipelines.caughtUp()
  assert.deepEqual(
    calls().map(({ values }) => values),
    upTo(5).map((value) => [value, -value]),
  )
})
