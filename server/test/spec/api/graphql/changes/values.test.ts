import { strict as assert } from 'node:assert'
import { type TestContext, test } from 'node:test'
import { toIso } from '../../../../../src/foundation/kernel/index.ts'
import { askOne, graphqlFixture } from '../../../../fixtures/wire/graphql.ts'

const write = `mutation($values: [SignalValueInput!]!) {
  writeSignalValues(values: $values) { signalId error { code } } }`
const link = 'mutation($input: LinkFunctionInput!) { linkFunction(input: $input) { outlets } }'

type Result = { readonly signalId: string; readonly error: { readonly code: string } | null }

/** A tank with a level in percent and a name. */
async function tankFixture(t: TestContext) {
  const fixture = await graphqlFixture(t)
  const all = fixture.view
  const tank = await fixture.assets.create(all, {
    name: 'Tank',
    signals: [
      { name: 'level', primitiveType: 'NUMERIC', multiplier: 100, dataUnit: 'PERCENT' },
      { name: 'content', primitiveType: 'STRING' },
    ],
  })
  const [level, content] = await fixture.assets.signals.ofAssets(all, [tank.id])
  assert.ok(level && content)
  await fixture.assets.ensurePartitions(fixture.clock.nowUs())
  /** Reads the counts of the stage of values since, and proves that all stages add up. */
  const counts = async () => {
    const { faults, stages } = await fixture.eventlog.ledger.verify()
    assert.deepEqual(faults, [])
    const values = stages.find(({ stage }) => stage === 'values')
    return { done: values?.done ?? 0, failed: values?.failed ?? 0, pending: values?.pending }
  }
  await fixture.pipelines.caughtUp()
  const before = await counts()
  const counted = async () => {
    const { done, failed, pending } = await counts()
    return { done: done - before.done, failed: failed - before.failed, pending }
  }
  return { ...fixture, all, tank, level, content, counted }
}

test('values that are written go through the log into the history and the functions', async (t) => {
  const { askFor, clock, operator, level, content, tank, pipelines, counted } = await tankFixture(t)
  const { outlets } = await askFor<{ outlets: string[] }>(operator, link, {
    input: {
      assetId: tank.id,
      moduleId: 'builtin',
      functionId: 'threshold',
      constants: { critical: 80 },
      inlets: [{ signalId: level.id }],
    },
  })
  const at = toIso(clock.nowUs() - 60_000_000)
  const values = [
    { signalId: level.id, value: 70, timestamp: at },
    { signalId: level.id, value: 90.5 },
    { signalId: content.id, value: 'milk' },
  ]
  const results = await askFor<Result[]>(operator, write, { values })
  assert.deepEqual(
    results.map(({ error }) => error),
    [null, null, null],
  )
  await pipelines.caughtUp()
  const text = `query($id: ID!) { asset(id: $id) { status { level }
    signals { name data(options: { order: asc }) { timestamp value } } } }`
  type Read = { status: object; signals: { data: { timestamp: string; value: unknown }[] }[] }
  const { status, signals } = await askFor<Read>(operator, text, { id: tank.id })
  assert.deepEqual(status, { level: 'critical' })
  assert.deepEqual(signals[0]?.data[0], { timestamp: at, value: 70 }, 'it is in its own unit')
  assert.equal(signals[0]?.data[1]?.value, 90.5)
  assert.equal(signals[1]?.data[0]?.value, 'milk')
  assert.deepEqual(await counted(), { done: 1, failed: 0, pending: 0 })
  const computed = { values: [{ signalId: outlets[0], value: 1 }] }
  const [refused] = await askFor<Result[]>(operator, write, computed)
  assert.equal(refused?.error?.code, 'invalid_argument', 'a function computes it')
})

test('each value that is refused has its error, and the others are written', async (t) => {
  const { askFor, operator, level, content, pipelines, assets, all } = await tankFixture(t)
  const values = [
    { signalId: level.id, value: 'high' },
    { signalId: 'nobody', value: 1 },
    { signalId: content.id, value: 7 },
    { signalId: level.id, value: 5 },
  ]
  const results = await askFor<Result[]>(operator, write, { values })
  assert.deepEqual(
    results.map(({ error }) => error?.code ?? null),
    ['value_refused', 'not_found', null, null],
  )
  await pipelines.caughtUp()
  const latest = await assets.lastValues(all, [level.id, content.id])
  assert.deepEqual([latest.get(level.id)?.value, latest.get(content.id)?.value], [5, '7'])
})

test('a value of a signal that is removed meanwhile is a counted failure', async (t) => {
  const fixture = await tankFixture(t)
  const { operator, level, content, pipelines, assets, all, counted, tank } = fixture
  await pipelines.stop()
  const values = [
    { signalId: level.id, value: 1 },
    { signalId: content.id, value: 'x' },
  ]
  await askOne(fixture, operator, write, { values })
  await assets.signals.remove(all, content.id)
  pipelines.start()
  await pipelines.caughtUp()
  assert.equal((await assets.lastValues(all, [level.id])).get(level.id)?.value, 1)
  assert.deepEqual(await counted(), { done: 0, failed: 1, pending: 0 })
  const [line] = await assets.logLines(all, tank.id)
  assert.match(line?.text ?? '', /there is no signal .* any more/)
})
