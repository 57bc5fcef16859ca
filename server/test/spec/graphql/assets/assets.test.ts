import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { wholeView } from '../../../../src/groups/index.ts'
import { isoOf, microsOf } from '../../../../src/kernel/index.ts'
import {
  type Answer,
  ask,
  codes,
  type GraphqlFixture,
  graphqlFixture,
} from '../../../fixtures/wire/graphql.ts'

const usPerDay = 86_400_000_000

/** One object of an answer, however deep. */
function at(answer: Answer, ...path: (string | number)[]): unknown {
  assert.equal(answer.errors, undefined, JSON.stringify(answer.errors))
  let here: unknown = answer.data
  for (const key of path) here = (here as Record<string | number, unknown>)[key]
  return here
}

async function makeAsset(fixture: GraphqlFixture, name: string, who = fixture.operator) {
  const made = await ask(
    fixture,
    who,
    'mutation($input: CreateAssetInput!) { createAsset(input: $input) { id signals { id } } }',
    { input: { name, signals: [{ name: 'temperature', primitiveType: 'NUMERIC' }] } },
  )
  const id = at(made, 'createAsset', 'id') as string
  return { id, signalId: at(made, 'createAsset', 'signals', 0, 'id') as string }
}

async function writeValues(fixture: GraphqlFixture, signalId: string, values: [number, number][]) {
  const { key } = await fixture.assets.signals.get(wholeView(fixture.business), signalId)
  await fixture.assets.ensurePartitions(fixture.clock.nowUs())
  await fixture.database.transaction((transaction) =>
    fixture.assets.writeValues(
      transaction,
      values.map(([ts, value]) => ({ key, ts, value })),
    ),
  )
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

/** Creates an asset of a group and a device, and returns all of its fields. */
async function makeWholeAsset(fixture: GraphqlFixture) {
  const connector = await fixture.provisioning.connectors.create(fixture.business, {
    name: 'Pumps',
  })
  const device = { connectorId: connector.id, identity: 'p-1' }
  const group = await ask(
    fixture,
    fixture.operator,
    'mutation { createGroup(input: { name: "Hall 1" }) { id name parentId } }',
  )
  const groupId = at(group, 'createGroup', 'id') as string
  const input = { name: 'Pump', description: 'Old', groupId, device, signals: [pressure] }
  const made = await ask(
    fixture,
    fixture.operator,
    `mutation($input: CreateAssetInput!) { createAsset(input: $input) {
      id name description createdAt group { id name parentId } device { connectorId identity }
      status { level since type value timeout ruleId signalId category }
      statuses { level } links { id } events { id } log { text }
      signals { name primitiveType dataType dataUnit timeoutMs tags lastValue { timestamp }
        source { alias channel device { identity } linkId outlet } } } }`,
    { input },
  )
  return { device, asset: at(made, 'createAsset') as Record<string, unknown> }
}

test('an asset is made with its signals, and returned whole', async (t) => {
  const fixture = await graphqlFixture(t)
  const { device, asset } = await makeWholeAsset(fixture)
  const { id, createdAt, group, ...rest } = asset
  assert.match(String(id), /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  const age = fixture.clock.nowUs() - (microsOf(String(createdAt)) ?? 0)
  assert(Math.abs(age) < usPerDay)
  assert.deepEqual((group as { name: string }).name, 'Hall 1')
  const source = { ...pressure.source, device: null, linkId: null, outlet: null }
  assert.deepEqual(rest, {
    name: 'Pump',
    description: 'Old',
    device,
    status: {
      level: 'normal',
      since: null,
      type: null,
      value: null,
      timeout: false,
      ruleId: null,
      signalId: null,
      category: null,
    },
    statuses: [],
    links: [],
    events: [],
    log: [],
    signals: [{ ...pressure, lastValue: null, source }],
  })
})

test('an asset that was made is read back', async (t) => {
  const fixture = await graphqlFixture(t)
  const { id } = await makeAsset(fixture, 'Pump')
  const read = await ask(fixture, fixture.viewer, `{ asset(id: "${id}") { id name } assetCount }`)
  assert.deepEqual(read, { data: { asset: { id, name: 'Pump' }, assetCount: 1 } })
})

test('values are read newest first, by range, limit and order; the latest at hand', async (t) => {
  const fixture = await graphqlFixture(t)
  const { id, signalId } = await makeAsset(fixture, 'Pump')
  const now = fixture.clock.nowUs()
  const times = [now - 3_000_000, now - 2_000_000, now - 1_000_000]
  await writeValues(
    fixture,
    signalId,
    times.map((ts, index) => [ts, index + 0.5]),
  )
  const answer = await ask(
    fixture,
    fixture.viewer,
    `query($id: ID!, $from: Timestamp, $to: Timestamp) { asset(id: $id) { signals {
      lastValue { timestamp value } all: data { value }
      two: data(options: { limit: 2, order: asc }) { value }
      range: data(options: { from: $from, to: $to }) { timestamp value } } } }`,
    { id, from: isoOf(times[1]), to: times[2] },
  )
  assert.deepEqual(at(answer, 'asset', 'signals', 0), {
    lastValue: { timestamp: isoOf(times[2]), value: 2.5 },
    all: [{ value: 2.5 }, { value: 1.5 }, { value: 0.5 }],
    two: [{ value: 0.5 }, { value: 1.5 }],
    range: [{ timestamp: isoOf(times[1]), value: 1.5 }],
  })
  const wrong = await ask(
    fixture,
    fixture.viewer,
    'query($from: Timestamp) { assets { signals { data(options: { from: $from }) { value } } } }',
    { from: 'yesterday' },
  )
  assert.deepEqual(codes(wrong), ['invalid_argument'])
})

test('deleteAsset answers with the asset as it was', async (t) => {
  const fixture = await graphqlFixture(t)
  const { id } = await makeAsset(fixture, 'Pump')
  const text = `mutation { deleteAsset(id: "${id}") { id name signals { id } } }`
  const gone = await ask(fixture, fixture.operator, text)
  assert.deepEqual(gone, { data: { deleteAsset: { id, name: 'Pump', signals: [] } } })
  assert.deepEqual(codes(await ask(fixture, fixture.operator, text)), ['not_found'])
  assert.deepEqual(await ask(fixture, fixture.viewer, `{ asset(id: "${id}") { id } }`), {
    data: { asset: null },
  })
})

test('fields of one mutation run in series, and a failure stops none after it', async (t) => {
  const fixture = await graphqlFixture(t)
  const { id } = await makeAsset(fixture, 'Pump')
  const answer = await ask(
    fixture,
    fixture.operator,
    `mutation($id: ID!) {
      one: createSignal(assetId: $id, input: { name: "one", primitiveType: STRING }) { id name }
      fails: createSignal(assetId: "none", input: { name: "two", primitiveType: STRING }) { id }
      third: createSignal(assetId: $id, input: { name: "three", primitiveType: STRING }) { name }
    }`,
    { id },
  )
  assert.deepEqual(codes(answer), ['not_found'])
  const { one, fails, third } = answer.data as Record<string, { name: string } | null>
  assert.deepEqual([one?.name, fails, third?.name], ['one', null, 'three'])
  assert.deepEqual(answer.errors?.[0]?.path, ['fails'])
  const series = await ask(
    fixture,
    fixture.operator,
    `mutation($id: ID!) {
      a: createSignal(assetId: $id, input: { name: "a", primitiveType: STRING }) { name }
      b: createSignal(assetId: $id, input: { name: "b", primitiveType: STRING }) { name }
      c: deleteAsset(id: $id) { name }
      d: createAsset(input: { name: "Next" }) { name signals { name } }
    }`,
    { id },
  )
  const d = { name: 'Next', signals: [] }
  assert.deepEqual(series, {
    data: { a: { name: 'a' }, b: { name: 'b' }, c: { name: 'Pump' }, d },
  })
})

test('signals of several assets are read by their ids, in the order of the ids', async (t) => {
  const fixture = await graphqlFixture(t)
  const [pump, fan] = [await makeAsset(fixture, 'Pump'), await makeAsset(fixture, 'Fan')]
  await writeValues(fixture, fan.signalId, [[fixture.clock.nowUs(), 21]])
  const text = 'query($ids: [ID!]!) { signals(ids: $ids) { id assetId data { value } } }'
  const ids = [fan.signalId, 'none', pump.signalId, fan.signalId]
  assert.deepEqual(at(await ask(fixture, fixture.viewer, text, { ids }), 'signals'), [
    { id: fan.signalId, assetId: fan.id, data: [{ value: 21 }] },
    { id: pump.signalId, assetId: pump.id, data: [] },
  ])
  const elsewhere = wholeView(fixture.other)
  const other = await fixture.assets.create(elsewhere, {
    name: 'Theirs',
    signals: [{ name: 'secret', primitiveType: 'NUMERIC' }],
  })
  const [theirs] = await fixture.assets.signals.ofAssets(elsewhere, [other.id])
  const none = await ask(fixture, fixture.viewer, text, { ids: [theirs?.id ?? ''] })
  assert.deepEqual(at(none, 'signals'), [])
  const many = Array.from({ length: 1001 }, (_, at) => `${at}`)
  assert.deepEqual(codes(await ask(fixture, fixture.viewer, text, { ids: many })), [
    'list_too_long',
  ])
})
