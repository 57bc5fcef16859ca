import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Json, limits } from '../../../../src/foundation/kernel/index.ts'
import type { Signal } from '../../../../src/insight/assets/index.ts'
import { pipelineLimits } from '../../../../src/insight/pipelines/index.ts'
import { moduleCallsFixture } from '../../../fixtures/pipelines/module-calls.ts'
import { insight } from '../../../fixtures/pipelines.ts'

async function linked(t: TestContext, functions: readonly Json[], info = {}) {
  const answers = { 'POST /lifecycle': {} }
  const fixture = await moduleCallsFixture(t, {
    functions,
    info,
    answers,
    channels: ['001', '002'],
  })
  const [signal] = fixture.signals
  assert.ok(signal)
  const create = (functionId: string, inlets: readonly Signal[], over = {}) => {
    const ids = inlets.map(({ id }) => id)
    return fixture.link(functionId, ids, over)
  }
  return { ...fixture, links: fixture.pipelines.links, signal, create }
}

test('a link makes one signal for each outlet, with the suggested name', async (t) => {
  const outlets = [
    { name: 'mean', primitive_type: 'NUMERIC', data_type: ['TEMPERATURE'], data_unit: ['KELVIN'] },
    { name: 'b', suggested_name: '{} of all $& {}', primitive_type: 'STRING' },
    {},
  ]
  const { create, links, signal, assets, view, otherView, asset } = await linked(t, [
    insight('stats', { outlets }),
  ])
  const link = await create('stats', [signal], { name: 'Mine' })
  const made = await assets.signals.some(view, link.outlets)
  const shown = link.outlets.map((id) => {
    const one = made.find((each) => each.id === id)
    return [one?.name, one?.primitiveType, one?.dataType, one?.dataUnit, one?.source]
  })
  assert.deepEqual(shown, [
    ['Mine mean', 'NUMERIC', 'TEMPERATURE', 'KELVIN', { linkId: link.id, outlet: 0 }],
    ['The stats of all $& The stats', 'STRING', null, null, { linkId: link.id, outlet: 1 }],
    ['Mine 2', 'JSON', null, null, { linkId: link.id, outlet: 2 }],
  ])
  assert.deepEqual(await links.ofAssets(view, [asset.id]), [link])
  assert.deepEqual(await links.get(view, link.id), link)
  assert.deepEqual(await links.ofAssets(otherView, [asset.id]), [])
  await assert.rejects(links.get(otherView, link.id), { code: 'not_found' })
})

test('signals of two links of one function have distinct names', async (t) => {
  const outlets = [{ suggested_name: '{} result', primitive_type: 'NUMERIC' }, { name: 'rest' }]
  const { create, signal, assets, view } = await linked(t, [insight('scale', { outlets })])
  const made = []
  for (const _ of [1, 2, 3]) made.push(await create('scale', [signal]))
  const ids = made.flatMap((link) => link.outlets)
  const signals = await assets.signals.some(view, ids)
  assert.deepEqual(
    ids.map((id) => signals.find((one) => one.id === id)?.name),
    ['The scale result', 'The scale rest', 'The scale result 2', 'The scale rest 2'].concat([
      'The scale result 3',
      'The scale rest 3',
    ]),
  )
})

test('an outlet with a data type alone has the primitive type that it implies', async (t) => {
  const outlets = [
    { data_type: 'NUMBER' },
    { data_type: ['LOCATION'] },
    { data_type: ['DURATION'] },
    { data_type: ['KARMA'] },
    { data_type: ['NUMBER'], primitive_type: 'STRING' },
  ]
  const { create, signal, assets, view } = await linked(t, [insight('one', { outlets })])
  const { outlets: ids } = await create('one', [signal])
  const made = await Promise.all(ids.map((id) => assets.signals.get(view, id)))
  assert.deepEqual(
    made.map(({ primitiveType, dataType }) => [primitiveType, dataType]),
    [
      ['NUMERIC', 'NUMBER'],
      ['JSON', 'LOCATION'],
      ['NUMERIC', 'DURATION'],
      ['JSON', 'KARMA'],
      ['STRING', 'NUMBER'],
    ],
  )
})

test('an alias of a data type or a unit fits as the name that it stands for', async (t) => {
  const inlets = [{ name: 'I', data_type: ['PARTICLES'], data_unit: ['PPM'] }]
  const { create, assets, view, asset } = await linked(t, [insight('one', { inlets })])
  const primitiveType = 'NUMERIC'
  const of = (dataType: string, dataUnit: string) =>
    assets.signals.create(view, asset.id, {
      name: 's',
      primitiveType,
      dataType,
      dataUnit,
    })
  await create('one', [await of('CONCENTRATION', 'PARTS_PER_MILLION')])
  const other = await of('CONCENTRATION', 'MICROGRAM_PER_M3')
  await assert.rejects(create('one', [other]), { code: 'invalid_argument' })
})

test('what does not fit an inlet is refused, and the inlet is named', async (t) => {
  const inlets = [
    { name: 'T', primitive_type: 'NUMERIC', data_type: ['TEMPERATURE'], data_unit: ['KELVIN'] },
  ]
  const { create, signal, assets, view, asset } = await linked(t, [
    insight('one', { inlets }),
    insight('two', { inlets: [{ name: 'a' }, { name: 'b' }] }),
  ])
  const make = (more: object) =>
    assets.signals.create(view, asset.id, {
      name: 's',
      primitiveType: 'NUMERIC',
      ...more,
    })
  const refused = (functionId: string, signals: readonly Signal[], message: RegExp) =>
    assert.rejects(create(functionId, signals), { code: 'invalid_argument', message })

  await refused('two', [signal], /has 2 inlets/)
  await refused('one', [], /has 1 inlet\./)
  await refused('one', [await make({ primitiveType: 'STRING' })], /Inlet 0 \("T"\).*STRING/)
  await refused('one', [await make({ dataType: 'PRESSURE' })], /PRESSURE, not TEMPERATURE/)
  await refused('one', [await make({ dataUnit: 'PASCAL' })], /in PASCAL, not KELVIN/)
  await refused('one', [await make({ dataUnit: 'REAUMUR' })], /in REAUMUR, not KELVIN/)
  const message = /Inlet 0 \("T"\): no such signal of this asset/
  const missing = (one: Signal) =>
    assert.rejects(create('one', [one]), { code: 'not_found', message })
  await missing({ ...signal, id: 'nosuch' })
  const elsewhere = await assets.create(view, { name: 'other' })
  const foreign = await assets.signals.create(view, elsewhere.id, {
    name: 's',
    primitiveType: 'NUMERIC',
  })
  await missing(foreign)

  await create('one', [signal], { name: 'a signal that says nothing of itself fits' })
  await create('one', [await make({ dataType: 'TEMPERATURE', dataUnit: 'KELVIN' })])
  await assert.rejects(create('three', [signal]), { code: 'not_found' })
  await assert.rejects(create('one', [signal], { moduleId: 'nosuch' }), { code: 'not_found' })
  await assert.rejects(create('one', [signal], { assetId: 'nosuch' }), { code: 'not_found' })
})

const constants = [
  { name: 'n', type: 'number', default: 5, minimum: 1, maximum: 10 },
  { name: 'mode', type: 'string', enum: ['fast', 'slow'] },
  { name: 'on', type: 'boolean' },
  { name: 'many', type: 'number', multiple: true, minimum: 0, default: 1 },
]

/** Constants as they are given, and as they are stored. */
const takenConstants: [object, object][] = [
  [{}, { n: 5, many: [1] }],
  [
    { n: 1, mode: 'slow', on: false, many: [] },
    { n: 1, mode: 'slow', on: false, many: [] },
  ],
  [
    { n: 10, many: [0, 2, 3] },
    { n: 10, many: [0, 2, 3] },
  ],
  [{ n: null }, { n: 5, many: [1] }],
]

const refusedConstants: [object, RegExp][] = [
  [{ n: 0.99 }, /"n" is at least 1/],
  [{ n: 10.01 }, /"n" is at most 10/],
  [{ n: '5' }, /"n" is a number/],
  [{ n: Number.NaN }, /"n" is a number/],
  [{ mode: 'idle' }, /"mode" is one of fast, slow/],
  [{ on: 'true' }, /"on" is a boolean/],
  [{ many: 1 }, /"many" is a list/],
  [{ many: [1, -1] }, /"many" is at least 0/],
  [{ many: [1, 2, 3, 4] }, /"many" has at most 3 values/],
  [{ x: 1 }, /no constant "x"/],
  [{ mode: 'f'.repeat(limits.settingCharsMax + 1) }, /"mode" is a string/],
]

test('constants: defaults, types, allowed values, bounds and lists', async (t) => {
  const { create, signal } = await linked(t, [
    insight('f', { constants, constants_multiple_maximum: 3, outlets: [] }),
  ])
  for (const [given, kept] of takenConstants) {
    assert.deepEqual((await create('f', [signal], { constants: given })).constants, kept)
  }
  for (const [given, message] of refusedConstants) {
    const refusal = { code: 'invalid_argument', message }
    await assert.rejects(create('f', [signal], { constants: given }), refusal)
  }
})

test('a lifecycle event that cannot be sent stops nothing and is logged', async (t) => {
  const { create, signal, fake, lines, asset, pipelines } = await linked(t, [insight('f')], {
    wants_lifecycle_events: true,
  })
  fake.answer({ 'POST /lifecycle': (response) => void response.socket?.resetAndDestroy() })
  await create('f', [signal])
  await pipelines.caughtUp()
  assert.match((await lines(asset.id)).join(), /warning The f: the module did not receive "create"/)
})

test('removing a link keeps its signals, or removes those that feed no other link', async (t) => {
  const { create, links, view, otherView, assets, signal, asset } = await linked(t, [insight('f')])
  const first = await create('f', [signal])
  const [between] = await assets.signals.some(view, first.outlets)
  assert.ok(between)
  const second = await create('f', [between], { name: 'Second' })
  await assert.rejects(links.remove(view, first.id, { removeSignals: true }), {
    code: 'invalid_argument',
    message: /feeds the link "Second"/,
  })
  await assert.rejects(links.remove(otherView, second.id), { code: 'not_found' })
  await links.remove(view, second.id, { removeSignals: true })
  await links.remove(view, first.id)
  await assert.rejects(links.remove(view, first.id), { code: 'not_found' })
  const left = await assets.signals.ofAssets(view, [asset.id])
  assert.deepEqual(
    left.map(({ id, source }) => [id, source]).slice(2),
    [[between.id, null]],
    'the signal of the first link is detached',
  )

  const again = await create('f', [signal])
  const [made] = await assets.signals.some(view, again.outlets)
  assert.ok(made)
  await create('f', [made])
  assert.equal((await links.removeAsset(view, asset.id)).id, asset.id)
  assert.deepEqual(await links.ofAssets(view, [asset.id]), [])
  assert.deepEqual(await assets.signals.ofAssets(view, [asset.id]), [])
  await assert.rejects(links.removeAsset(view, asset.id), { code: 'not_found' })
})

test('a module that wants lifecycle events gets a link anew whose args changed', async (t) => {
  const { create, links, view, signal, fake, pipelines } = await linked(
    t,
    [insight('f', { constants: [{ name: 'n', type: 'number', default: 1 }] })],
    { wants_lifecycle_events: true },
  )
  const { id, moduleId: insight_id } = await create('f', [signal])
  const name = 'Another name'
  await links.update(view, id, { name })
  await links.update(view, id, { constants: { n: 2 } })
  await pipelines.caughtUp()
  const of = { type: 'transform', name, insight_id, function_id: 'f' }
  const args = (n: number) => ({ ...of, constants: { n } })
  assert.deepEqual(fake.bodies('POST /lifecycle'), [
    { event: 'create', id, args: { ...args(1), name: 'The f' } },
    { event: 'delete', id, args: args(1) },
    { event: 'create', id, args: args(2) },
  ])
})

test('a pipeline has pipelineStepsMax steps and not one more', async (t) => {
  const { create, assets, view, signal } = await linked(t, [insight('f')])
  let end = signal
  for (let step = 0; step < pipelineLimits.pipelineStepsMax; step += 1) {
    const link = await create('f', [end])
    end = await assets.signals.get(view, link.outlets[0] ?? '')
  }
  await assert.rejects(create('f', [end]), {
    code: 'invalid_argument',
    message: /at most 20 steps, not 21/,
  })
})
