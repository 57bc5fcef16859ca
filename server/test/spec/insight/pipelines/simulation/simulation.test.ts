import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { LinkSpec, SimulationRequest } from '../../../../../src/insight/pipelines/index.ts'
import { wholeView } from '../../../../../src/people/groups/index.ts'
import { moduleCallsFixture, double as twice } from '../../../../fixtures/pipelines/module-calls.ts'
import { insight } from '../../../../fixtures/pipelines.ts'

const startUs = 1_767_225_600_000_000
const secondUs = 1_000_000
const at = (second: number) => startUs + second * secondUs
const range = { from: at(0), to: at(1_000) }

/** A device whose values rise and fall, a rule on them, and a module that doubles and acts. */
async function recordedFixture(t: TestContext) {
  const act = insight('act', { type: 'action', inlets: [{ name: 's' }], outlets: [] })
  const functions = [insight('double'), act]
  const fixture = await moduleCallsFixture(t, { functions, channels: ['001'] })
  const { asset, link, pipelines, view } = fixture
  const [signal = assert.fail()] = fixture.signals
  const builtin = (functionId: string, constants: object, more: LinkSpec = {}): LinkSpec =>
    Object.assign(
      { moduleId: 'builtin', functionId, constants, inlets: [{ signalId: signal.id }] },
      more,
    )
  const rule = await pipelines.links.create(view, {
    ...builtin('threshold', { warning: 60 }, { name: 'Too hot' }),
    assetId: asset.id,
  })
  await link('act', rule.outlets, { name: 'Tell' })
  const record = async (...values: number[]) => {
    for (const [second, value] of values.entries()) {
      await fixture.write('d1', { data_in: JSON.stringify({ '001': value }) }, at(second))
    }
    await pipelines.caughtUp()
  }
  const simulate = (change?: SimulationRequest['change'], more: Partial<SimulationRequest> = {}) =>
    pipelines.simulations.run(view, asset.id, { ...range, change, ...more })
  return { ...fixture, signal, rule, builtin, record, simulate }
}

describe('a simulation of a pipeline', () => {
  it('runs what was recorded through the changed pipeline beside the live one', async (t) => {
    const { record, simulate, rule } = await recordedFixture(t)
    await record(50, 70, 50, 45, 70, 45)
    const change = { links: [{ id: rule.id, constants: { warning: 46 } }] }
    const { values, live, changed, difference, notes } = await simulate(change)
    assert.equal(values, 6)
    assert.deepEqual(
      live.rules.map(({ name, fired }) => [name, fired]),
      [['Too hot', 2]],
    )
    assert.deepEqual(
      changed.rules[0]?.changes.map(({ ts, level, previous }) => [ts, previous, level]),
      [
        [at(0), 0, 2],
        [at(3), 2, 0],
        [at(4), 0, 2],
        [at(5), 2, 0],
      ],
    )
    assert.deepEqual(difference.rules, [
      {
        linkId: rule.id,
        name: 'Too hot',
        liveOnly: [at(1), at(2)],
        changedOnly: [at(0), at(3)],
      },
    ])
    assert.deepEqual(
      changed.actions.map(({ name, at: times }) => [name, times]),
      [['Tell', [at(0), at(3), at(4), at(5)]]],
    )
    assert.deepEqual(
      difference.signals.map(({ count, first }) => [count, first.ts]),
      [[2, at(0)]],
    )
    assert.deepEqual(notes, [])
  })

  it('tests a rule before it is switched on, with functions that keep a state', async (t) => {
    const { record, simulate, builtin } = await recordedFixture(t)
    await record(10, 20, 60, 10, 10)
    const links = [
      builtin('moving_average', { window: 2 }, { ref: 'mean', name: 'Mean' }),
      builtin('threshold', { critical: 34 }, { name: 'New', inlets: [{ link: 'mean' }] }),
    ]
    const { changed } = await simulate({ links })
    const added = changed.rules.find(({ name }) => name === 'New')
    assert.deepEqual(
      added?.changes.map(({ ts, level }) => [ts, level]),
      [
        [at(2), 3],
        [at(4), 0],
      ],
    )
    assert.equal(added?.fired, 1)
    assert.equal(changed.signals.find(({ name }) => /average/i.test(name))?.count, 5)
  })

  it('stores nothing, calls no module, and raises no alarm', async (t) => {
    const { record, simulate, builtin, fake, assets, asset, view, signal } =
      await recordedFixture(t)
    await record(50)
    const calls = fake.requests.length
    const before = await assets.signals.ofAssets(view, [asset.id])
    await simulate({ links: [builtin('threshold', { critical: 1 }), builtin('delta', {})] })
    assert.deepEqual(await assets.signals.ofAssets(view, [asset.id]), before)
    assert.deepEqual(await assets.events(view, asset.id), [])
    assert.equal((await assets.history(view, signal.id)).length, 1)
    assert.equal(fake.requests.filter(({ call }) => call === 'POST /process').length, 0)
    assert.ok(fake.requests.length <= calls + 2)
  })

  it('gives equal bytes for the same recording and the same change', async (t) => {
    const { record, simulate, builtin } = await recordedFixture(t)
    await record(1, 99, 2, 98, 3)
    const once = async () =>
      JSON.stringify(await simulate({ links: [builtin('threshold', { info: 3 })] }))
    assert.equal(await once(), await once())
  })
})

describe('what a simulation takes from the recording', () => {
  it('is what functions of modules answered, and it says so', async (t) => {
    const { record, simulate, pipelines, view, asset, signal, moduleId, fake } =
      await recordedFixture(t)
    fake.answer({ 'POST /process': twice })
    const double = await pipelines.links.create(view, {
      assetId: asset.id,
      moduleId,
      functionId: 'double',
      name: 'Double',
      inlets: [{ signalId: signal.id }],
    })
    await record(10, 40)
    const inlets = [{ link: double.id }]
    const rule = { moduleId: 'builtin', functionId: 'threshold', name: 'On double', inlets }
    const links = [
      { ...rule, constants: { warning: 50 } },
      { moduleId, functionId: 'double', name: 'Second', inlets: [{ signalId: signal.id }] },
    ]
    const { changed, notes } = await simulate({ links })
    const added = changed.rules.find(({ name }) => name === 'On double')
    assert.deepEqual(
      added?.changes.map(({ ts, level }) => [ts, level]),
      [[at(1), 2]],
    )
    assert.deepEqual(notes, [
      'Double: its module is not called; its outlets have what was recorded.',
      'Second: its module is not called, so its outlets have no values.',
    ])
  })
})

describe('a simulation that stores', () => {
  it('fills the outlets of a new function from history, each once', async (t) => {
    const { record, simulate, builtin, pipelines, assets, view, asset } = await recordedFixture(t)
    await record(1, 2, 4, 8)
    const link = await pipelines.links.create(view, { ...builtin('delta', {}), assetId: asset.id })
    const outlet = link.outlets[0] ?? ''
    const { stored, changed } = await simulate(undefined, { store: true })
    const made = changed.signals.find(({ id }) => id === outlet)
    assert.deepEqual(stored, [made])
    const values = await assets.history(view, outlet, { order: 'asc' })
    assert.deepEqual(
      values.map(({ ts, value }) => [ts, value]),
      [
        [at(1), 1],
        [at(2), 2],
        [at(3), 4],
      ],
    )
    const again = await simulate(undefined, { store: true })
    assert.deepEqual(again.stored, [])
    assert.match(again.notes.join(), /not stored, because it has values in the range/)
    assert.deepEqual(await assets.history(view, outlet, { order: 'asc' }), values)
  })

  it('raises no alarm, makes no signal, and runs no action', async (t) => {
    const { record, simulate, builtin, pipelines, assets, view, asset, fake } =
      await recordedFixture(t)
    await record(10, 20)
    const links = [builtin('threshold', { critical: 1 }), builtin('delta', {})]
    await pipelines.links.create(view, { ...links[0], assetId: asset.id })
    const reader = { view, permissions: new Set(['View Asset Data']) }
    const read = async () => [
      await assets.signals.withLatest(reader, [asset.id]),
      await assets.events(view, asset.id),
      await assets.allStatuses(view, [asset.id]),
    ]
    const before = await read()
    const { stored, notes } = await simulate({ links }, { store: true })
    assert.deepEqual(stored, [])
    assert.match(notes.join(), /not stored, because the change that makes it is not saved/)
    assert.deepEqual(await read(), before)
    assert.equal(fake.requests.filter(({ call }) => call === 'POST /process').length, 0)
  })

  it('leaves signals with a timeout alone', async (t) => {
    const { record, simulate, builtin, pipelines, assets, view, asset } = await recordedFixture(t)
    await record(1, 2)
    const { id: signalId } = await assets.signals.create(view, asset.id, {
      name: 'Watched',
      primitiveType: 'NUMERIC',
      timeoutMs: 60_000,
    })
    const outlets = [{ signalId }]
    await pipelines.links.create(view, { ...builtin('delta', {}, { outlets }), assetId: asset.id })
    const { stored, notes } = await simulate(undefined, { store: true })
    assert.deepEqual(stored, [])
    assert.match(notes.join(), /not stored, because it has a timeout/)
    assert.deepEqual(await assets.history(view, signalId), [])
  })
})

describe('bad input of a simulation', () => {
  it('is refused as a change that is saved would be', async (t) => {
    const { simulate, pipelines, business, other, asset, builtin } = await recordedFixture(t)
    await assert.rejects(simulate({ links: [builtin('nosuch', {})] }), { code: 'pipeline_refused' })
    const run = (businessId: string, request: SimulationRequest) =>
      pipelines.simulations.run(wholeView(businessId), asset.id, request)
    await assert.rejects(run(business, { from: at(1), to: at(1) }), { code: 'invalid_argument' })
    await assert.rejects(run(other, range), { code: 'not_found' })
  })
})
