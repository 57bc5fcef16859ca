import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { pipelinesFixture } from '../../../fixtures/pipelines.ts'

/** A device with a rule on its only signal. */
async function ruleFixture(t: TestContext) {
  const fixture = await pipelinesFixture(t)
  const { assets, view, pipelines } = fixture
  const [asset, signal] = await fixture.assetWith('d1', ['001'])
  assert.ok(signal)
  const link = await pipelines.links.create(view, {
    assetId: asset.id,
    moduleId: 'builtin',
    functionId: 'threshold',
    constants: { warning: 60 },
    inlets: [{ signalId: signal.id }],
  })
  const [outlet = ''] = link.outlets
  const write = async (value: number) => {
    await fixture.write('d1', { data_in: JSON.stringify({ '001': value }) })
    await pipelines.caughtUp()
  }
  const level = async () => (await assets.statuses(view, [asset.id])).get(asset.id)?.level
  const history = async (signalId = outlet) =>
    (await assets.history(view, signalId)).map(({ value }) => (value as { level: number }).level)
  return { ...fixture, asset, signal, link, outlet, write, level, history, links: pipelines.links }
}

describe('a link changes in place', () => {
  it('keeps its id, its signals and their history with other constants', async (t) => {
    const { links, view, link, write, level, history } = await ruleFixture(t)
    await write(70)
    assert.equal(await level(), 2)
    const changed = await links.update(view, link.id, {
      constants: { critical: 65 },
    })
    assert.deepEqual(changed.constants, {
      critical: 65,
      direction: 'above',
      hysteresis: 0,
      seconds: 0,
    })
    assert.deepEqual([changed.id, changed.outlets], [link.id, link.outlets])
    await write(70)
    assert.equal(await level(), 3)
    assert.deepEqual(await history(), [3, 2])
  })

  it('does not run, and has no status, while it is not enabled', async (t) => {
    const { links, view, link, write, level, history } = await ruleFixture(t)
    await write(70)
    assert.equal((await links.update(view, link.id, { enabled: false })).enabled, false)
    assert.equal(await level(), 0)
    await write(90)
    assert.deepEqual(await history(), [2])
    await links.update(view, link.id, { enabled: true })
    await write(80)
    assert.equal(await level(), 2)
    assert.deepEqual(await history(), [2, 2])
  })

  it('takes another signal of the asset', async (t) => {
    const { links, view, link, assets, asset, write, level } = await ruleFixture(t)
    const other = await assets.signals.create(view, asset.id, {
      name: 'other',
      primitiveType: 'NUMERIC',
    })
    const inlets = [{ signalId: other.id }]
    assert.deepEqual((await links.update(view, link.id, { inlets })).inlets, [other.id])
    await write(70)
    assert.equal(await level(), 0)
    await assert.rejects(links.update(view, link.id, { inlets: [] }), {
      code: 'invalid_argument',
      message: /has 1 inlet/,
    })
    await assert.rejects(links.update(view, 'nosuch', {}), { code: 'not_found' })
  })

  it('hands its signal to another link, with its history', async (t) => {
    const { links, view, link, asset, signal, outlet, write, history } = await ruleFixture(t)
    await write(70)
    const next = (over: object) =>
      links.create(view, {
        assetId: asset.id,
        moduleId: 'builtin',
        functionId: 'threshold',
        constants: { critical: 10 },
        inlets: [{ signalId: signal.id }],
        outlets: [{ signalId: outlet, name: 'Status of the pump' }],
        ...over,
      })
    await assert.rejects(next({}), { code: 'invalid_argument', message: /feeds this signal/ })
    await links.remove(view, link.id)
    assert.deepEqual(await history(), [2], 'the detached signal keeps its history')
    const second = await next({})
    assert.deepEqual(second.outlets, [outlet])
    await write(70)
    assert.deepEqual(await history(), [3, 2])
  })

  it('loses a signal only on demand', async (t) => {
    const { links, view, link, assets, signal, outlet } = await ruleFixture(t)
    for (const id of [outlet, signal.id]) {
      await assert.rejects(links.removeSignal(view, id), {
        code: 'invalid_argument',
        message: /uses the signal/,
      })
    }
    await links.remove(view, link.id)
    assert.equal((await links.removeSignal(view, outlet)).id, outlet)
    assert.deepEqual(await assets.signals.some(view, [outlet]), [])
    await assert.rejects(links.removeSignal(view, outlet), { code: 'not_found' })
  })

  it('is offered the signals that fit an inlet', async (t) => {
    const { links, view, asset, assets, signal } = await ruleFixture(t)
    await assets.signals.create(view, asset.id, {
      name: 'text',
      primitiveType: 'STRING',
    })
    const inlet = { moduleId: 'builtin', functionId: 'threshold', inlet: 0 }
    const found = await links.fitting(view, asset.id, inlet)
    assert.deepEqual(
      found.map(({ id }) => id),
      [signal.id],
    )
    await assert.rejects(links.fitting(view, asset.id, { ...inlet, inlet: 1 }), {
      code: 'invalid_argument',
    })
  })
})
