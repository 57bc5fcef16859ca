import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  fakeModule,
  insight,
  module,
  type PipelinesFixture,
  pipelinesFixture,
} from '../../../fixtures/pipelines.ts'

/** The statements that a write costs both consumers, beside those of the log. */
async function traceCost(fixture: PipelinesFixture, value: number, identity = 'd1') {
  const { asked, pipelines, write } = fixture
  const before = asked.texts().length
  await write(identity, { data_in: `{"001":${value}}` })
  await pipelines.caughtUp()
  return asked.texts().slice(before)
}

const generation = /from assets_structure/

test('while no structure changes, a pass asks for its generation alone', async (t) => {
  const fixture = await pipelinesFixture(t)
  const { pipelines, view } = fixture
  const addRule = async (identity: string, constants: Readonly<Record<string, number>>) => {
    const [asset, signal] = await fixture.assetWith(identity, ['001'])
    await pipelines.links.create(view, {
      assetId: asset.id,
      moduleId: 'builtin',
      functionId: 'threshold',
      constants: { direction: 'above', warning: 16, critical: 19, ...constants },
      inlets: [{ signalId: signal?.id ?? '' }],
    })
  }
  await addRule('d1', { hysteresis: 1 })
  await fixture.assetWith('d2', ['001'])
  await addRule('d3', {})
  for (const identity of ['d1', 'd2', 'd3']) await traceCost(fixture, 1, identity)

  const plain = await traceCost(fixture, 2, 'd2')
  assert(plain.length > 0 && plain.length <= 2, JSON.stringify(plain))
  for (const text of plain) assert.match(text, generation)
  const traceOthers = async (identity: string) => {
    const texts = await traceCost(fixture, 2, identity)
    return texts.filter((text) => !generation.test(text))
  }
  // With a hysteresis a rule compares with its last value, and without it does not.
  const others = await traceOthers('d1')
  assert.equal(others.length, 1, JSON.stringify(others))
  assert.match(others[0] ?? '', /from assets_signal s\njoin assets_latest/)
  assert.deepEqual(await traceOthers('d3'), [])
})

test('consumers that ask at once share the statement', async (t) => {
  const { assets, asked, business, connectorId, assetWith } = await pipelinesFixture(t)
  await assetWith('d1', ['001'])
  const device = { businessId: business, connectorId, identity: 'd1' }
  assert.equal((await assets.feeds([device])).length, 1)
  const before = asked.texts().length
  const found = await Promise.all(Array.from({ length: 8 }, () => assets.feeds([device])))
  assert.deepEqual(
    found.map((feeds) => feeds.length),
    Array.from({ length: 8 }, () => 1),
  )
  assert.equal(asked.texts().length - before, 1)
})

test('a link that another process makes or removes counts from the next pass on', async (t) => {
  const functions = [insight('f'), insight('silent', { outlets: [] })]
  const fake = await fakeModule(t, module(functions))
  const fixture = await pipelinesFixture(t)
  const { theirs, business, view } = fixture
  const { id: moduleId } = await theirs.modules.add(business, { url: fake.url })
  const [asset, signal] = await fixture.assetWith('d1', ['001'])
  const calls = async (value: number) => {
    const before = fake.bodies('POST /process').length
    await traceCost(fixture, value)
    return fake.bodies('POST /process').length - before
  }
  assert.equal(await calls(1), 0)
  for (const functionId of ['f', 'silent']) {
    const link = await theirs.links.create(view, {
      assetId: asset.id,
      moduleId,
      functionId,
      inlets: [{ signalId: signal?.id ?? '' }],
    })
    assert.equal(await calls(2), 1, `${functionId} is made`)
    await theirs.links.remove(view, link.id)
    assert.equal(await calls(3), 0, `${functionId} is removed`)
  }
})
