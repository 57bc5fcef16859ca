import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../../../../../src/foundation/kernel/index.ts'
import {
  type Channel,
  type ModuleCallsFixture,
  moduleCallsFixture,
} from '../../../../fixtures/pipelines/module-calls.ts'
import { insight } from '../../../../fixtures/pipelines.ts'

// The rows of inlets and outlets, as links keep to them.

const kinds: readonly (readonly [primitiveType: string, channel: Channel])[] = [
  ['NUMERIC', 'n'],
  ['STRING', 's'],
  ['BOOLEAN', 'b'],
  ['JSON', 'j'],
]

for (const [primitiveType, own] of kinds) {
  test(`inlet.primitive_type ${primitiveType}: takes such signals, and no others`, async (t) => {
    const inlets = [{ name: 'in', primitive_type: primitiveType }]
    const { link, findId } = await moduleCallsFixture(t, {
      functions: [insight('f', { inlets })],
    })
    await link('f', [findId(own)])
    for (const [other, channel] of kinds.filter(([, one]) => one !== own)) {
      await assert.rejects(link('f', [findId(channel)]), {
        code: 'invalid_argument',
        message: new RegExp(`"${channel}" is ${other}, not ${primitiveType}`),
      })
    }
  })

  test(`outlet.primitive_type ${primitiveType}: its signal is of that type`, async (t) => {
    const outlets = [{ name: 'out', primitive_type: primitiveType }]
    const { link, findId, assets, view } = await moduleCallsFixture(t, {
      functions: [insight('f', { outlets })],
    })
    const { outlets: ids } = await link('f', [findId('n')])
    const made = await assets.signals.some(view, ids)
    assert.deepEqual(
      made.map((one) => one.primitiveType),
      [primitiveType],
    )
  })
}

/** A signal of the asset that no device feeds. */
async function makeSignal({ assets, view, asset }: ModuleCallsFixture, more: object) {
  const given = { name: 'x', primitiveType: 'NUMERIC' as const, ...more }
  return (await assets.signals.create(view, asset.id, given)).id
}

test('inlet.data_type: one of the required data types, and no other', async (t) => {
  const inlets = [{ name: 'in', data_type: ['TEMPERATURE', 'PRESSURE'] }]
  const fixture = await moduleCallsFixture(t, { functions: [insight('f', { inlets })] })
  for (const dataType of ['TEMPERATURE', 'PRESSURE']) {
    await fixture.link('f', [await makeSignal(fixture, { dataType })])
  }
  await assert.rejects(fixture.link('f', [await makeSignal(fixture, { dataType: 'HUMIDITY' })]), {
    code: 'invalid_argument',
    message: /is HUMIDITY, not TEMPERATURE or PRESSURE/,
  })
})

test('inlet.data_type alone implies the primitive type', async (t) => {
  const inlets = [{ name: 'in', data_type: ['TEMPERATURE'], data_unit: ['DEG_CELSIUS'] }]
  const { link, findId } = await moduleCallsFixture(t, { functions: [insight('f', { inlets })] })
  await assert.rejects(link('f', [findId('s')]), { message: /"s" is STRING, not NUMERIC/ })
  assert.deepEqual((await link('f', [findId('n')])).inlets, [findId('n')])
})

test('inlet.data_unit: one of the required units, and no other', async (t) => {
  const inlets = [{ name: 'in', data_unit: ['KELVIN', 'BAR'] }]
  const fixture = await moduleCallsFixture(t, { functions: [insight('f', { inlets })] })
  for (const dataUnit of ['KELVIN', 'BAR']) {
    await fixture.link('f', [await makeSignal(fixture, { dataUnit })])
  }
  await assert.rejects(fixture.link('f', [await makeSignal(fixture, { dataUnit: 'PERCENT' })]), {
    code: 'invalid_argument',
    message: /is in PERCENT, not KELVIN or BAR/,
  })
})

test('outlet.data_type, data_unit and description are those of its signal', async (t) => {
  const outlets = [
    {
      name: 'out',
      primitive_type: 'NUMERIC',
      data_type: ['TEMPERATURE', 'PRESSURE'],
      data_unit: ['KELVIN', 'BAR'],
      description: 'The mean of an hour.',
    },
  ]
  const { link, findId, assets, view } = await moduleCallsFixture(t, {
    functions: [insight('f', { outlets })],
  })
  const { outlets: ids } = await link('f', [findId('n')])
  const [made] = await assets.signals.some(view, ids)
  assert.deepEqual(
    [made?.dataType, made?.dataUnit, made?.description],
    ['TEMPERATURE', 'KELVIN', 'The mean of an hour.'],
  )
})

const five = [0, 1, 2, 3, 4]
const types = ['NUMERIC', 'NUMERIC', 'STRING', 'BOOLEAN', 'JSON']
const inlets = (count: number): Json[] =>
  Array.from({ length: count }, (_, at) => {
    return { name: `in ${at}`, tag: `in${at}`, primitive_type: types[at] ?? 'JSON' }
  })
const outlets = (count: number): Json[] =>
  Array.from({ length: count }, (_, at) => ({ name: `out ${at}` }))
/** Five signals of the asset, each once. */
const channels = ['n', 'm', 's', 'b', 'j'] as const
const written = { n: 1, m: 2, s: 'x', b: true, j: { a: 1 } }

test('at most 5 inlets: a function of 5 gets the data of each by its tag', async (t) => {
  const { link, findId, send, calls, lines, asset, moduleId, ...fixture } =
    await moduleCallsFixture(t, { functions: [insight('f', { inlets: inlets(5) })] })
  await link('f', channels.map(findId))
  await send(written)
  assert.deepEqual(
    calls().map(({ data }) => data.map(({ tags, value }) => [tags?.inlet, value])),
    [five.map((at) => [`in${at}`, written[channels[at] ?? 'n']])],
  )
  const { complaints } = await fixture.pipelines.modules.report(fixture.business, moduleId)
  assert.deepEqual([complaints, await lines(asset.id)], [[], []])
})

test('at most 5 inlets: the sixth is left out, and reported', async (t) => {
  const { link, findId, pipelines, business, moduleId } = await moduleCallsFixture(t, {
    functions: [insight('f', { inlets: inlets(6) })],
  })
  const ids = channels.map(findId)
  await assert.rejects(link('f', [...ids, findId('n')]), { message: /has 5 inlets/ })
  await link('f', ids)
  const { complaints } = await pipelines.modules.report(business, moduleId)
  assert.match(complaints.join(), /6 inlets, more than 5/)
})

/** Answers so many outlets, each with a value that is its number. */
const ts = Date.UTC(2026, 0, 1) * 1_000
const numbered = (count: number) =>
  Array.from({ length: count }, (_, value) => [{ ts, value, origin: 'o', generated: 'g' }])

test('at most 5 outlets: those of a function of 5 are in their order', async (t) => {
  const { link, findId, send, history, lines, asset, assets, view } = await moduleCallsFixture(t, {
    functions: [insight('f', { outlets: outlets(5) })],
    answers: { 'POST /process': numbered(5) },
  })
  const made = await link('f', [findId('n')], { name: 'L' })
  await send({ n: 1 })
  const signals = await Promise.all(made.outlets.map((id) => assets.signals.get(view, id)))
  assert.deepEqual(
    signals.map(({ name }) => name),
    five.map((at) => `L out ${at}`),
  )
  for (const at of five) assert.deepEqual(await history(made.outlets[at]), [[ts, at]])
  assert.deepEqual(await lines(asset.id), [])
})

test('at most 5 outlets: the sixth is left out, and reported', async (t) => {
  const { link, findId, send, lines, asset, pipelines, business, moduleId, history } =
    await moduleCallsFixture(t, {
      functions: [insight('f', { outlets: outlets(6) })],
      answers: { 'POST /process': numbered(6) },
    })
  const made = await link('f', [findId('n')])
  assert.equal(made.outlets.length, 5)
  await send({ n: 1 })
  assert.deepEqual(await history(made.outlets[4]), [[ts, 4]])
  assert.match((await lines(asset.id)).join(), /6 outlets answered, 5 declared/)
  const { complaints } = await pipelines.modules.report(business, moduleId)
  assert.match(complaints.join(), /6 outlets, more than 5/)
})
