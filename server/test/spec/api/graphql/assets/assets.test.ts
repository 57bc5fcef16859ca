import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { toIso } from '../../../../../src/foundation/kernel/index.ts'
import type { Signal } from '../../../../../src/insight/assets/index.ts'
import {
  ask,
  askOne,
  codes,
  type GraphqlFixture,
  graphqlFixture,
} from '../../../../fixtures/wire/graphql.ts'

/** An asset with one signal. */
async function makeAsset({ assets, view }: GraphqlFixture, name: string) {
  const signals = [{ name: 'temperature', primitiveType: 'NUMERIC' as const }]
  const { id } = await assets.create(view, { name, signals })
  const [signal = assert.fail()] = await assets.signals.ofAssets(view, [id])
  return { id, signal }
}

async function writeValues(
  { assets, clock, database }: GraphqlFixture,
  { key }: Signal,
  values: readonly [ts: number, value: number][],
) {
  await assets.ensurePartitions(clock.nowUs())
  const rows = values.map(([ts, value]) => ({ key, ts, value }))
  await database.transaction((held) => assets.writeValues(held, rows))
}

const pressure = {
  name: 'pressure',
  primitiveType: 'NUMERIC',
  dataType: 'PRESSURE',
  dataUnit: 'BAR',
  source: { alias: 'data_in', channel: '001' },
  timeoutMs: 60_000,
  tags: { floor: '1' },
}
const createWhole = `mutation($input: CreateAssetInput!) { createAsset(input: $input) {
  name description createdAt group { name } device { connectorId identity }
  status { level since type value timeout ruleId signalId category }
  statuses { level } links { id } events { id } log { text }
  signals { name primitiveType dataType dataUnit timeoutMs tags lastValue { timestamp }
    source { alias channel device { identity } linkId outlet } } } }`

test('an asset is made with its signals, and returned whole', async (t) => {
  const { askFor, business, groups, operator, provisioning, view } = await graphqlFixture(t)
  const { id: connectorId } = await provisioning.connectors.create(business, { name: 'Pumps' })
  const { id: groupId } = await groups.create(view, { name: 'Hall 1' })
  const own = { name: 'Pump', description: 'Old', device: { connectorId, identity: 'p-1' } }
  const input = { ...own, groupId, signals: [pressure] }
  const made = await askFor<Record<string, unknown>>(operator, createWhole, { input })
  const { createdAt, ...rest } = made
  assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  const source = { ...pressure.source, device: null, linkId: null, outlet: null }
  const noRule = { type: null, value: null, ruleId: null, signalId: null, category: null }
  assert.deepEqual(rest, {
    ...own,
    group: { name: 'Hall 1' },
    status: { level: 'normal', since: null, timeout: false, ...noRule },
    statuses: [],
    links: [],
    events: [],
    log: [],
    signals: [{ ...pressure, lastValue: null, source }],
  })
})

test('values are read newest first, by range, limit and order; the latest at hand', async (t) => {
  const fixture = await graphqlFixture(t)
  const { id, signal } = await makeAsset(fixture, 'Pump')
  const now = fixture.clock.nowUs()
  const times = [now - 3_000_000, now - 2_000_000, now - 1_000_000]
  await writeValues(
    fixture,
    signal,
    times.map((ts, index) => [ts, index + 0.5]),
  )
  const text = `query($id: ID!, $from: Timestamp, $to: Timestamp) { asset(id: $id) { signals {
    lastValue { timestamp value } all: data { value }
    two: data(options: { limit: 2, order: asc }) { value }
    range: data(options: { from: $from, to: $to }) { timestamp value } } } }`
  const variables = { id, from: toIso(times[1]), to: times[2] }
  const read = await askOne<{ signals: object[] }>(fixture, fixture.viewer, text, variables)
  assert.deepEqual(read.signals[0], {
    lastValue: { timestamp: toIso(times[2]), value: 2.5 },
    all: [{ value: 2.5 }, { value: 1.5 }, { value: 0.5 }],
    two: [{ value: 0.5 }, { value: 1.5 }],
    range: [{ timestamp: toIso(times[1]), value: 1.5 }],
  })
})

test('a field of a mutation that fails stops none after it', async (t) => {
  const fixture = await graphqlFixture(t)
  const { id } = await makeAsset(fixture, 'Pump')
  const text = `mutation($id: ID!) {
    one: createSignal(assetId: $id, input: { name: "one", primitiveType: STRING }) { name }
    fails: createSignal(assetId: "none", input: { name: "two", primitiveType: STRING }) { id }
    third: createSignal(assetId: $id, input: { name: "three", primitiveType: STRING }) { name } }`
  const answer = await ask(fixture, fixture.operator, text, { id })
  assert.deepEqual(codes(answer), ['not_found'])
  assert.deepEqual(answer.errors?.[0]?.path, ['fails'])
  const made = { one: { name: 'one' }, fails: null, third: { name: 'three' } }
  assert.deepEqual(answer.data, made)
})

test('signals of several assets are read by their ids, in the order of the ids', async (t) => {
  const fixture = await graphqlFixture(t)
  const [pump, fan] = [await makeAsset(fixture, 'Pump'), await makeAsset(fixture, 'Fan')]
  await writeValues(fixture, fan.signal, [[fixture.clock.nowUs(), 21]])
  const text = 'query($ids: [ID!]!) { signals(ids: $ids) { id assetId data { value } } }'
  const ids = [fan.signal.id, 'none', pump.signal.id, fan.signal.id]
  assert.deepEqual(await askOne(fixture, fixture.viewer, text, { ids }), [
    { id: fan.signal.id, assetId: fan.id, data: [{ value: 21 }] },
    { id: pump.signal.id, assetId: pump.id, data: [] },
  ])
})
