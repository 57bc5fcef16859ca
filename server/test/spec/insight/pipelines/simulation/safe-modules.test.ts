import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { LinkSpec } from '../../../../../src/insight/pipelines/index.ts'
import { pipelineLimits } from '../../../../../src/insight/pipelines/index.ts'
import { double, moduleCallsFixture } from '../../../../fixtures/pipelines/module-calls.ts'
import { insight } from '../../../../fixtures/pipelines.ts'

const startUs = 1_767_225_600_000_000
const at = (second: number) => startUs + second * 1_000_000
const range = { from: at(0), to: at(1_000) }

/** A device with three recorded values, and a module that doubles them. */
async function recordedFixture(t: TestContext) {
  const functions = [insight('double'), insight('past', { history: { limit: { value: 2 } } })]
  const answers = { 'POST /process': double }
  const fixture = await moduleCallsFixture(t, { functions, answers, channels: ['001'] })
  const { asset, business, calls: sent, findId, moduleId, pipelines, view } = fixture
  for (const [second, value] of [10, 20, 30].entries()) {
    await fixture.write('d1', { data_in: `{"001":${value}}` }, at(second))
  }
  await pipelines.caughtUp()
  const spec = (functionId = 'double', more: LinkSpec = {}): LinkSpec =>
    Object.assign({ moduleId, functionId, inlets: [{ signalId: findId('001') }] }, more)
  const mark = (simulationSafe: boolean) =>
    pipelines.modules.configure(business, moduleId, { simulationSafe })
  const simulate = (links: readonly LinkSpec[], store = false) =>
    pipelines.simulations.run(view, asset.id, { ...range, change: { links }, store })
  return { ...fixture, spec, mark, simulate, sent }
}

const onDouble = { moduleId: 'builtin', functionId: 'threshold', constants: { warning: 50 } }

describe('a module that is marked safe for simulation', () => {
  it('is called with the recorded values, and its values go on', async (t) => {
    const { mark, simulate, spec, sent } = await recordedFixture(t)
    await mark(true)
    const rule = { ...onDouble, name: 'Hot', inlets: [{ link: 'double' }] }
    const { changed, notes } = await simulate([spec('double', { ref: 'double' }), rule])
    assert.deepEqual(
      sent().map(({ data }) => data.map(({ ts, value }) => [ts, value])),
      [[[at(0), 10]], [[at(1), 20]], [[at(2), 30]]],
    )
    const [hot] = changed.rules
    assert.deepEqual(
      [hot?.fired, hot?.changes.map(({ ts, level }) => [ts, level])],
      [1, [[at(2), 2]]],
    )
    assert.match(notes.join(), /its module is called, since it is marked safe for simulation/)
  })

  it('is called by an id of its own, once for what both pipelines ask', async (t) => {
    const { mark, simulate, spec, sent, pipelines, view, asset } = await recordedFixture(t)
    const link = await pipelines.links.create(view, { ...spec(), assetId: asset.id })
    await mark(true)
    await simulate([])
    assert.deepEqual(
      sent().map(({ id }) => id),
      Array.from({ length: 3 }, () => `simulation-${link.id}`),
    )
  })

  it('gives equal bytes for the same recording, the same change and the same code', async (t) => {
    const { mark, simulate, spec } = await recordedFixture(t)
    await mark(true)
    const once = async () => JSON.stringify(await simulate([spec()]))
    assert.equal(await once(), await once())
  })

  it('that fails is a failure with its reason, and rests for no run', async (t) => {
    const { mark, simulate, spec, fake, pipelines, business, moduleId } = await recordedFixture(t)
    await mark(true)
    fake.answer({ 'POST /process': (response) => void response.writeHead(500).end('{}') })
    const { changed } = await simulate([spec()])
    const [failure] = changed.failures
    assert.equal(failure?.count, 3)
    assert.match(failure?.reason ?? '', /500/)
    const { failuresInRow } = await pipelines.modules.report(business, moduleId)
    assert.equal(failuresInRow, 0)
  })

  it('fills the outlets of a new function from history', async (t) => {
    const { mark, simulate, spec, pipelines, view, asset, assets } = await recordedFixture(t)
    const { outlets } = await pipelines.links.create(view, { ...spec(), assetId: asset.id })
    await mark(true)
    const { stored } = await simulate([], true)
    assert.equal(stored.length, 1)
    const values = await assets.history(view, outlets[0] ?? '', { order: 'asc' })
    assert.deepEqual(
      values.map(({ ts, value }) => [ts, value]),
      [
        [at(0), 20],
        [at(1), 40],
        [at(2), 60],
      ],
    )
  })
})

describe('a simulation calls no module', () => {
  it('that is not marked, or not any more', async (t) => {
    const { mark, simulate, spec, sent } = await recordedFixture(t)
    await simulate([spec()])
    await mark(true)
    await mark(false)
    await simulate([spec()])
    assert.deepEqual(sent(), [])
  })

  it('of which the function takes past values: these are not those of the recording', async (t) => {
    const { mark, simulate, spec, sent } = await recordedFixture(t)
    await mark(true)
    const { notes } = await simulate([spec('past')])
    assert.deepEqual(sent(), [])
    assert.match(notes.join(), /its module is not called/)
  })

  it('more often than it may', async (t) => {
    const before = pipelineLimits.simulationCallsMax
    t.after(() => Object.assign(pipelineLimits, { simulationCallsMax: before }))
    const { mark, simulate, spec, sent } = await recordedFixture(t)
    await mark(true)
    Object.assign(pipelineLimits, { simulationCallsMax: 2 })
    await assert.rejects(simulate([spec()]), { code: 'invalid_argument' })
    assert.equal(sent().length, 2)
  })
})
