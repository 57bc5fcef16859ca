import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Signal } from '../../../../src/insight/assets/index.ts'
import { type PipelinesFixture, pipelinesFixture } from '../../../fixtures/pipelines.ts'

type LinkFixture = Pick<PipelinesFixture, 'pipelines' | 'assets' | 'view'>

/** Links a built-in function to signals; returns the first outlet's signal. */
async function link(
  { pipelines, assets, view }: LinkFixture,
  functionId: string,
  inlets: readonly Signal[],
  constants: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly id: string; readonly out: Signal }> {
  const [first = assert.fail()] = inlets
  const made = await pipelines.links.create(view, {
    assetId: first.assetId,
    moduleId: 'builtin',
    functionId,
    constants,
    inlets: inlets.map(({ id }) => ({ signalId: id })),
  })
  return { id: made.id, out: await assets.signals.get(view, made.outlets[0] ?? '') }
}

/** A device's signal, and what a write of it is. */
async function counted(t: TestContext) {
  const fixture = await pipelinesFixture(t)
  const [, signal = assert.fail()] = await fixture.assetWith('d1', ['001'])
  const take = (value: number, ts: number) =>
    fixture.write('d1', { data_in: JSON.stringify({ '001': value }) }, ts)
  const history = async ({ id }: Signal) => {
    const values = await fixture.assets.history(fixture.view, id, { order: 'asc' })
    return values.map(({ ts, value }) => [ts, value])
  }
  return { ...fixture, signal, take, history }
}

test('a function goes on where it was in another process', async (t) => {
  const fixture = await counted(t)
  const { pipelines, theirs, eventlog, signal, take, history } = fixture
  const counter = await link(fixture, 'counter', [signal])
  const average = await link(fixture, 'moving_average', [signal], { window: 2 })
  await take(10, 1)
  await pipelines.caughtUp()
  await take(20, 2)
  await pipelines.caughtUp()
  await pipelines.stop()
  theirs.start()
  await take(40, 3)
  await theirs.caughtUp()
  assert.deepEqual(await history(counter.out), [
    [1, 1],
    [2, 2],
    [3, 3],
  ])
  assert.deepEqual(await history(average.out), [
    [1, 10],
    [2, 15],
    [3, 30],
  ])
  assert.deepEqual((await eventlog.ledger.verify()).faults, [])
})

test('a batch that is run again after its transaction failed counts once', async (t) => {
  const fixture = await counted(t)
  const { pipelines, database, signal, take, history } = fixture
  const counter = await link(fixture, 'counter', [signal])
  await take(1, 1)
  await pipelines.caughtUp()
  // The first attempt to store a state fails: all before it is undone. A sequence is not.
  await database.run('create sequence attempts')
  t.after(async () => {
    await database.run('drop function refuse_once cascade')
    await database.run('drop sequence attempts')
  })
  await database.run(`
    create function refuse_once() returns trigger language plpgsql as $$ begin
      if nextval('attempts') = 1 then raise exception 'refused'; end if;
      return new;
    end $$`)
  await database.run(`
    create trigger refuse_once before insert or update on pipelines_state for each row
    execute function refuse_once()`)
  await take(2, 2)
  await pipelines.caughtUp()
  await take(3, 3)
  await pipelines.caughtUp()
  const tries = await database.one<{ n: number }>('select last_value::int as n from attempts')
  assert.ok((tries?.n ?? 0) > 2, 'it was refused once, and stored twice')
  assert.deepEqual(await history(counter.out), [
    [1, 1],
    [2, 2],
    [3, 3],
  ])
})

test('devices in several partitions feed one state, and no step of it is lost', async (t) => {
  const fixture = await counted(t)
  const { pipelines, assets, eventlog, view, connectorId, signal, history } = fixture
  const part = eventlog.partitionFor(connectorId, 'd1')
  const names = Array.from({ length: 100 }, (_, at) => `other${at}`)
  const other =
    names.find((name) => eventlog.partitionFor(connectorId, name) !== part) ?? assert.fail()
  const second = await assets.signals.create(view, signal.assetId, {
    name: 'b',
    primitiveType: 'NUMERIC',
    source: { alias: 'b', device: { connectorId, identity: other } },
  })
  const sum = await link(fixture, 'calculate_2', [signal, second])
  const counter = await link(fixture, 'counter', [sum.out])
  const writes = Array.from({ length: 200 }, (_, at) => at + 1).flatMap((at) => [
    fixture.write('d1', { data_in: JSON.stringify({ '001': at }) }, at * 10),
    fixture.write(other, { b: String(at) }, at * 10 + 1),
  ])
  await Promise.all(writes)
  await pipelines.caughtUp()
  const counts = (await history(counter.out)).map(([, count]) => count)
  assert.ok(counts.length > 0)
  assert.deepEqual(
    counts,
    counts.map((_, at) => at + 1),
  )
})

test('the state of a link goes with it, and a new one begins anew', async (t) => {
  const fixture = await counted(t)
  const { pipelines, database, view, signal, take, history } = fixture
  const counter = await link(fixture, 'counter', [signal])
  await take(1, 1)
  await pipelines.caughtUp()
  const stored = 'select link_id from pipelines_state where link_id = $1'
  const rows = () => database.rows(stored, [counter.id])
  assert.equal((await rows()).length, 1)
  await pipelines.links.remove(view, counter.id)
  assert.deepEqual(await rows(), [])
  const next = await link(fixture, 'counter', [signal])
  await take(1, 2)
  await pipelines.caughtUp()
  assert.deepEqual(await history(next.out), [[2, 1]])
})

test('a signal that a function makes is of the kind of the one that it takes', async (t) => {
  const fixture = await counted(t)
  const { assets, view, signal } = fixture
  const celsius = await assets.signals.create(view, signal.assetId, {
    name: 'T',
    primitiveType: 'NUMERIC',
    dataType: 'TEMPERATURE',
    dataUnit: 'DEG_CELSIUS',
  })
  const text = await assets.signals.create(view, signal.assetId, {
    name: 'S',
    primitiveType: 'STRING',
  })
  const readKind = async (functionId: string, inlet: Signal, constants = {}) => {
    const { out } = await link(fixture, functionId, [inlet], constants)
    return [out.name, out.primitiveType, out.dataType, out.dataUnit]
  }
  const kinds = [
    await readKind('moving_average', celsius),
    await readKind('debounce', text),
    await readKind('standard_deviation', celsius),
    await readKind('convert', celsius, { from: 'DEG_CELSIUS', to: 'KELVIN' }),
    await readKind('duration_in_state', text),
  ]
  assert.deepEqual(kinds, [
    ['Moving average', 'NUMERIC', 'TEMPERATURE', 'DEG_CELSIUS'],
    ['Debounce', 'STRING', null, null],
    ['Standard deviation', 'NUMERIC', null, null],
    ['Convert unit', 'NUMERIC', 'TEMPERATURE', 'KELVIN'],
    ['Duration in a state', 'NUMERIC', 'TIME', 'SECONDS'],
  ])
})
