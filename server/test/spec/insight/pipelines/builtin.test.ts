import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Json } from '../../../../src/foundation/kernel/index.ts'
import { type BuiltinCase, builtinCases } from '../../../fixtures/pipelines/builtin-cases.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { askGraphql } from '../../../fixtures/wire/ask.ts'
import { newDevice, type TestDevice } from '../../../fixtures/wire/device.ts'

const channels = ['a', 'b', 'c', 'd', 'e']

type Made = { readonly device: TestDevice; readonly assetId: string; readonly outlet: string }

/** A device, its asset with the signals of a case, and the function linked to them. */
async function made(millrace: TestPlatform, at: number, one: BuiltinCase): Promise<Made> {
  const { platform, view, connector, httpUrl, token } = millrace
  const identity = `${one.functionId}-${at}`
  const device = await newDevice(httpUrl, connector.id, identity)
  const { id: assetId } = await platform.assets.create(view, {
    name: identity,
    device: { connectorId: connector.id, identity },
    signals: one.inlets.map((primitiveType, place) => {
      const source = { alias: 'data_in', channel: channels[place] ?? '' }
      return { name: channels[place] ?? '', primitiveType, source }
    }),
  })
  const signals = await platform.assets.signals.ofAssets(view, [assetId])
  const { linkFunction } = await askGraphql<{ linkFunction: { outlets: string[] } }>(
    httpUrl,
    token,
    'mutation($input: LinkFunctionInput!) { linkFunction(input: $input) { outlets } }',
    {
      input: {
        assetId,
        moduleId: 'builtin',
        functionId: one.functionId,
        constants: one.constants ?? {},
        inlets: signals.map(({ id }) => ({ signalId: id })),
      },
    },
  )
  return { device, assetId, outlet: linkFunction.outlets[0] ?? '' }
}

const read = `query ($id: ID!) {
  asset(id: $id) { signals { id data { timestamp value } } }
}`

type Read = {
  asset: { signals: { id: string; data: { timestamp: string; value: Json }[] }[] }
}

/** The values of the outlet by second, oldest first. */
async function readValues(
  { httpUrl, token }: TestPlatform,
  { assetId, outlet }: Made,
  fromSeconds: number,
) {
  const { asset } = await askGraphql<Read>(httpUrl, token, read, { id: assetId })
  const values = asset.signals.find(({ id }) => id === outlet)?.data ?? []
  return values.reverse().map(({ timestamp, value }) => {
    const level = (value as { level?: Json } | null)?.level
    return [Date.parse(timestamp) / 1_000 - fromSeconds, level ?? value] as const
  })
}

const list = Array.from({ length: 1_000 }, (_, at) => at)
const tenYears = 10 * 366 * 86_400
const hostile: readonly (readonly [string, Readonly<Record<string, Json>>, RegExp])[] = [
  ['sum', { window: 0 }, /"window" is at least 1/],
  ['sum', { window: 1e308 }, /"window" is at most 1000/],
  ['sum', { window: 1.5 }, /"window" must be a whole number/],
  ['sum', { window: '5' }, /"window" is a number/],
  ['sum', { window: [5] }, /"window" is a number/],
  ['sum', { seconds: tenYears }, /"seconds" is at most/],
  ['sum', { seconds: -1 }, /"seconds" is at least 0/],
  ['sum', { other: 1 }, /has no constant "other"/],
  ['debounce', { seconds: tenYears }, /"seconds" is at most/],
  ['threshold', { warning: 1, seconds: tenYears }, /"seconds" is at most/],
  ['calculate_1', { expression: '1+'.repeat(5_000) }, /"expression"/],
  ['calculate_1', { expression: 'constructor("x")' }, /"constructor" is not known/],
  ['convert', { from: 'PARSEC', to: 'METERS' }, /"from" is one of/],
  ['text', { texts: list.map(String) }, /"texts" has at most 100 values/],
  ['geofence_area', { latitudes: list, longitudes: list }, /"latitudes" has at most 100/],
  ['geofence_area', { latitudes: [0, 0, 91], longitudes: [0, 1, 2] }, /is at most 90/],
  ['range', { lower: 1e308, upper: -1e308 }, /"lower" must not exceed "upper"/],
]

describe('built-in functions, from a write to a value', async () => {
  it('of each kind give what their descriptions say', async (t) => {
    const millrace = await testPlatform(t)
    const { platform, clock } = millrace
    const fromSeconds = Math.floor(clock.nowMs() / 1_000) - 3_600
    const all: (readonly [BuiltinCase, Made])[] = []
    for (const [at, one] of builtinCases.entries()) all.push([one, await made(millrace, at, one)])
    for (const [one, { device }] of all) {
      for (const [seconds, values] of one.writes) {
        const value = encodeURIComponent(JSON.stringify(values))
        const answer = await device.record(`alias=data_in&${fromSeconds + seconds}=${value}`)
        assert.equal(answer.status, 204, answer.text)
      }
    }
    await platform.pipelines.caughtUp()
    for (const [one, asset] of all) {
      const found = await readValues(millrace, asset, fromSeconds)
      const wanted = new Set(one.values.map(([seconds]) => seconds))
      const isAll = one.functionId !== 'standard_deviation'
      const shown = isAll ? found : found.filter(([seconds]) => wanted.has(seconds))
      assert.deepEqual(shown, one.values, `${one.functionId} ${JSON.stringify(one.constants)}`)
    }
    const { faults } = await platform.eventlog.ledger.verify()
    assert.deepEqual(faults, [])
  })

  it('refuse constants that they cannot work with, and say which', async (t) => {
    const millrace = await testPlatform(t)
    const { httpUrl, token } = millrace
    for (const [at, [functionId, constants, message]] of hostile.entries()) {
      const known = builtinCases.find((one) => one.functionId === functionId)
      const inlets = known?.inlets ?? ['NUMERIC']
      const one = { functionId, constants, inlets, writes: [], values: [] }
      await assert.rejects(made(millrace, at, one), (error: Error) => {
        assert.match(error.message, /"code":"invalid_argument"/)
        assert.match(error.message.replaceAll('\\', ''), message)
        return true
      })
    }
    const { assets } = await askGraphql<{ assets: { links: object[] }[] }>(
      httpUrl,
      token,
      '{ assets { links { id } } }',
    )
    assert.ok(assets.every(({ links }) => links.length === 0))
  })

  it('are listed by group, and all without one', async (t) => {
    const { httpUrl, token } = await testPlatform(t)
    const list = async (more: string) => {
      const document = `{ functions(moduleId: "builtin"${more}) { id } }`
      type Listed = { functions: { id: string }[] }
      return (await askGraphql<Listed>(httpUrl, token, document)).functions.map(({ id }) => id)
    }
    const groups = ['calculate', 'statistics', 'changes', 'logic', 'rules', 'actions']
    const byGroup = await Promise.all(groups.map((group) => list(`, groupId: "${group}"`)))
    assert.deepEqual(byGroup.flat(), await list(''))
    assert.deepEqual(byGroup[2]?.slice(0, 3), ['delta', 'rate_of_change', 'counter'])
    assert.deepEqual(await list(', groupId: "none"'), [])
  })

  it('are all among the uses of this test, or the same for more signals', async (t) => {
    const { httpUrl, token } = await testPlatform(t)
    const document = '{ functions(moduleId: "builtin") { id } }'
    const { functions } = await askGraphql<{ functions: { id: string }[] }>(
      httpUrl,
      token,
      document,
    )
    const used = new Set(builtinCases.map(({ functionId }) => functionId))
    const builtinKind = (id: string) => id.replace(/_\d$/, '')
    const kinds = new Set([...used].map(builtinKind))
    // The actions are in builtin-actions.test.ts.
    const actions = new Set(['send_notification', 'call_solution', 'set_resource'])
    const unused = functions.filter(
      ({ id }) => !actions.has(id) && !used.has(id) && !kinds.has(builtinKind(id)),
    )
    assert.deepEqual(unused, [])
    assert.ok(functions.length > 30)
  })
})
