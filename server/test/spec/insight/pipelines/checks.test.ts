import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Json } from '../../../../src/foundation/kernel/index.ts'
import { type Channel, echo, moduleCallsFixture } from '../../../fixtures/pipelines/module-calls.ts'
import { insight } from '../../../fixtures/pipelines.ts'
import { codes, graphqlFixture } from '../../../fixtures/wire/graphql.ts'

type Check = Readonly<Record<string, unknown>>

/** A device with a signal of each type, and functions that answer what they get. */
async function checkedFixture(t: TestContext) {
  const outlets = [{ name: 'out', primitive_type: 'JSON' }]
  const [a, b] = ['a', 'b'].map((name) => ({ name, data_unit: [] }))
  const functions = [
    insight('one', { inlets: [a as Json], outlets }),
    insight('two', { inlets: [a as Json, b as Json], outlets }),
    insight('rule', { type: 'rule', inlets: [a as Json], outlets }),
  ]
  const answers = { 'POST /process': echo }
  const fixture = await moduleCallsFixture(t, { functions, answers })
  return {
    ...fixture,
    assetId: fixture.asset.id,
    link: (functionId: string, inlets: readonly Channel[], checks: readonly Check[]) =>
      fixture.link(functionId, inlets.map(fixture.findId), { checks }),
    received: () => fixture.calls().map(({ data }) => data.map(({ value }) => value)),
  }
}

const range = { type: 'number', minimum: 10, maximum: 20 }
const level = { type: 'number', path: '$.state.level', minimum: 2 }
const open = { type: 'json', path: "$['valves'][0].open" }

/** The name, the check, the channel, values that meet it, and values that do not. */
const kinds: readonly (readonly [string, Check, Channel, readonly Json[], readonly Json[]])[] = [
  ['a number inside a range, its ends included', range, 'n', [10, 15, 20], [9.9, 20.1]],
  ['a number outside a range', { ...range, not: true }, 'n', [9.9, 20.1], [10, 15, 20]],
  ['a number above a bound', { type: 'number', minimum: 0 }, 'n', [0, 7], [-1]],
  ['a boolean', { type: 'boolean', is: true }, 'b', [true], [false]],
  ['a string that contains a text', { type: 'string', contains: 'on' }, 's', ['only'], ['off']],
  ['a string that does not', { type: 'string', contains: 'on', not: true }, 's', ['off'], ['on']],
  ['a number at a JSON path', level, 'j', [{ state: { level: 2 } }], [{ state: {} }, 2, {}]],
  ['something at a JSON path', open, 'j', [{ valves: [{ open: 0 }] }], [{ valves: [] }, {}]],
  [
    'a value at a JSON path',
    { ...open, equals: { a: [1] } },
    'j',
    [{ valves: [{ open: { a: [1] } }] }],
    [{ valves: [{ open: { a: [2] } }] }],
  ],
]

/** Monday, 3 January 2000. */
const monday = Date.UTC(2000, 0, 3) * 1_000
const hour = 3_600_000_000
const day = 24 * hour

/** The name, the check, times in it and out of it, in microseconds. */
const windows: readonly (readonly [string, Check, readonly number[], readonly number[]])[] = [
  [
    'in a weekly window; its end is no part of it',
    { type: 'time', days: ['mon', 'wed'], from: '08:00', to: '17:30' },
    [monday + 8 * hour, monday + 2 * day + 17 * hour],
    [monday + 8 * hour - 1, monday + 17.5 * hour, monday + day + 9 * hour],
  ],
  [
    'in a window that goes on to the next day',
    { type: 'time', days: ['mon'], from: '22:00', to: '06:00' },
    [monday + 22 * hour, monday + day + 5 * hour],
    [monday + 5 * hour, monday + day + 6 * hour, monday + day + 23 * hour],
  ],
  [
    'outside of a window',
    { type: 'time', days: ['sat', 'sun'], not: true },
    [monday],
    [monday - 1, monday + 5 * day],
  ],
  [
    'in a window of a time zone',
    { type: 'time', days: ['mon'], from: '00:00', to: '01:00', timeZone: 'Asia/Tokyo' },
    [monday - 9 * hour],
    [monday],
  ],
]

describe('a check must hold before a function runs', () => {
  for (const [what, check, channel, met, missed] of kinds) {
    it(`is of ${what}`, async (t) => {
      const { link, send, received } = await checkedFixture(t)
      await link('one', [channel], [{ inlet: 0, ...check }])
      for (const value of [...missed, ...met]) await send({ [channel]: value })
      assert.deepEqual(
        received(),
        met.map((value) => [value]),
      )
    })
  }

  for (const [what, check, met, missed] of windows) {
    it(`is of a time ${what}`, async (t) => {
      const { link, send, received } = await checkedFixture(t)
      await link('one', ['n'], [check])
      for (const [at, ts] of missed.entries()) await send({ n: -1 - at }, ts)
      for (const [at, ts] of met.entries()) await send({ n: at }, ts)
      assert.deepEqual(
        received(),
        met.map((_, at) => [at]),
      )
    })
  }

  it('all of several, of each inlet its own', async (t) => {
    const { link, send, received } = await checkedFixture(t)
    const even = { type: 'number', inlet: 1, minimum: 5 }
    await link('two', ['n', 'm'], [{ inlet: 0, ...range }, even])
    await send({ n: 15, m: 4 })
    await send({ n: 5, m: 6 })
    await send({ m: 7 })
    assert.deepEqual(received(), [], 'the last value of an inlet is checked, too')
    await send({ n: 16 })
    assert.deepEqual(received(), [[16, 7]])
  })

  it('of a rule: the status stays as it was', async (t) => {
    const { link, send, assets, view, assetId } = await checkedFixture(t)
    const status = (value: number) => ({ level: value })
    await link('rule', ['j'], [{ type: 'number', path: 'level', maximum: 3 }])
    await send({ j: status(3) })
    await send({ j: status(4) })
    assert.equal((await assets.statuses(view, [assetId])).get(assetId)?.level, 3)
  })
})

describe('a check must hold after a function ran', () => {
  it('values that do not meet it are no output', async (t) => {
    const { link, send, received, assets, view } = await checkedFixture(t)
    const { outlets } = await link('one', ['n'], [{ outlet: 0, ...range }])
    for (const n of [5, 15, 25]) await send({ n })
    assert.deepEqual(received(), [[5], [15], [25]])
    const history = await assets.history(view, outlets[0] ?? '')
    assert.deepEqual(
      history.map(({ value }) => value),
      [15],
    )
  })

  it('of a rule: such a status is not taken', async (t) => {
    const { link, send, assets, view, assetId } = await checkedFixture(t)
    await link('rule', ['j'], [{ type: 'number', outlet: 0, path: '$.level', maximum: 2 }])
    await send({ j: { level: 2 } })
    await send({ j: { level: 4 } })
    assert.equal((await assets.statuses(view, [assetId])).get(assetId)?.level, 2)
  })
})

const fields = 'links { id checks { type inlet outlet minimum days not } } version'
const saving = `mutation($asset: ID!, $input: PipelineInput!) {
  savePipeline(assetId: $asset, input: $input) { ${fields} } }`

/** An asset with a signal, and a server of the graph API. */
async function pumpFixture(t: TestContext) {
  const fixture = await graphqlFixture(t)
  const { assets, view } = fixture
  const signals = [{ name: 'in', primitiveType: 'NUMERIC' as const }]
  const { id: asset } = await assets.create(view, { name: 'Pump', signals })
  const [signal] = await assets.signals.ofAssets(view, [asset])
  return { ...fixture, asset, signalId: signal?.id }
}

describe('checks are a part of the pipeline of an asset', () => {
  it('are saved, kept, replaced, and restored with a version', async (t) => {
    const { askFor, asset, operator, signalId } = await pumpFixture(t)
    type Row = { links: { id: string; checks: unknown[] }[]; version: number }
    const run = (document: string, variables: Record<string, unknown>) =>
      askFor<Row>(operator, document, variables)
    const given = { type: 'number', inlet: 0, minimum: 1 }
    const link = {
      moduleId: 'builtin',
      functionId: 'threshold',
      constants: { warning: 60 },
      inlets: [{ signalId }],
      checks: [given],
    }
    const shown = { outlet: null, days: null, not: null, ...given }
    const first = await run(saving, { asset, input: { links: [link] } })
    assert.deepEqual(first.links[0]?.checks, [shown])
    const id = first.links[0]?.id
    const kept = await run(saving, { asset, input: { links: [{ id, name: 'Hot' }] } })
    assert.deepEqual(kept.links[0]?.checks, [shown])
    const none = await run(saving, { asset, input: { links: [{ id, checks: [] }] } })
    assert.deepEqual(none.links[0]?.checks, [])
    const back = `mutation($asset: ID!, $version: Int!) {
      restorePipeline(assetId: $asset, version: $version) { ${fields} } }`
    const restored = await run(back, { asset, version: first.version })
    assert.deepEqual(restored.links[0]?.checks, [shown])
  })

  it('are refused with all that is wrong', async (t) => {
    const { link } = await checkedFixture(t)
    const wrong: readonly [Check, RegExp][] = [
      [{ type: 'number' }, /has minimum or maximum/],
      [{ type: 'number', minimum: 2, maximum: 1 }, /The minimum must not exceed/],
      [{ type: 'number', minimum: '2' }, /It is a number/],
      [{ type: 'number', minimum: 2, contains: 'x' }, /type number has no such field/],
      [{ type: 'number', minimum: 2, constructor: 'x' }, /no such field/],
      [{ ...range, inlet: 1 }, /no inlet 1/],
      [{ ...range, outlet: 1 }, /no outlet 1/],
      [{ ...range, inlet: 0, outlet: 0 }, /an inlet or an outlet/],
      [{ ...range, path: 'a..b' }, /It is a path/],
      [{ type: 'json' }, /has path/],
      [{ type: 'time', from: '24:00' }, /It is a time/],
      [{ type: 'time', days: ['someday'] }, /It is a list of mon/],
      [{ type: 'time', from: '01:00', timeZone: 'Moon/Base' }, /name of a time zone/],
      [{ type: 'constructor' }, /It is one of number/],
      [{}, /needs a type/],
    ]
    for (const [check, message] of wrong) {
      const refusal = { code: 'invalid_argument', message }
      await assert.rejects(link('one', ['n'], [check]), refusal, JSON.stringify(check))
    }
    const many = Array.from({ length: 21 }, () => range)
    await assert.rejects(link('one', ['n'], many), /at most 20 checks/)
  })

  it('name the place of each fault', async (t) => {
    const { as, asset, operator, signalId } = await pumpFixture(t)
    const checks = [{ type: 'time', from: '8' }, { type: 'string' }]
    const link = { moduleId: 'builtin', functionId: 'threshold', constants: { warning: 1 } }
    const links = [{ ...link, inlets: [{ signalId }], checks }]
    const answer = await as(operator, saving, { asset, input: { links } })
    assert.deepEqual(codes(answer), ['pipeline_refused'])
    const { problems } = answer.errors?.[0]?.extensions as unknown as {
      problems: { pointer: string }[]
    }
    assert.deepEqual(
      problems.map(({ pointer }) => pointer),
      ['/links/0/checks/0/from', '/links/0/checks/1'],
    )
  })
})
