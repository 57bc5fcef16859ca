import { strict as assert } from 'node:assert'
import { type TestContext, test } from 'node:test'
import { askOne, codes, getData, graphqlFixture } from '../../../../fixtures/wire/graphql.ts'

const update = `mutation($id: ID!, $input: UpdateSignalInput!) {
  updateSignal(id: $id, input: $input) {
    name description dataType dataUnit min max tags timeoutMs multiplier
    source { alias channel device { identity } } } }`
const move = 'mutation($id: ID!, $to: ID!) { moveSignal(id: $id, assetId: $to) { id assetId } }'
const link = `mutation($input: LinkFunctionInput!) { linkFunction(input: $input) {
  id outlets } }`

/** A boiler with a temperature that its device feeds, and an asset without signals. */
async function boilerFixture(t: TestContext) {
  const fixture = await graphqlFixture(t)
  const all = fixture.view
  const connector = await fixture.provisioning.connectors.create(fixture.business, { name: 'Heat' })
  const device = { connectorId: connector.id, identity: 'b-1' }
  const boiler = await fixture.assets.create(all, {
    name: 'Boiler',
    device,
    signals: [
      {
        name: 'temperature',
        primitiveType: 'NUMERIC',
        dataType: 'TEMPERATURE',
        dataUnit: 'DEG_CELSIUS',
        timeoutMs: 60_000,
        tags: { floor: '1' },
        source: { alias: 'data_in', channel: '001' },
      },
    ],
  })
  const yard = await fixture.assets.create(all, { name: 'Yard' })
  const [signal] = await fixture.assets.signals.ofAssets(all, [boiler.id])
  assert.ok(signal)
  return { ...fixture, all, boiler, yard, signal, device, connector }
}

test('a signal is changed in what is given, and null takes away', async (t) => {
  const { askFor, boiler, signal, operator } = await boilerFixture(t)
  const input = { name: 'flow', dataUnit: 'DEG_FAHRENHEIT', max: 120, timeoutMs: null }
  const changed = await askFor<object>(operator, update, { id: signal.id, input })
  assert.deepEqual(changed, {
    name: 'flow',
    description: '',
    dataType: 'TEMPERATURE',
    dataUnit: 'DEG_FAHRENHEIT',
    min: null,
    max: 120,
    tags: { floor: '1' },
    timeoutMs: null,
    multiplier: null,
    source: { alias: 'data_in', channel: '001', device: null },
  })
  const text = 'query($id: ID!) { asset(id: $id) { signals { name max } } }'
  const read = await askFor(operator, text, { id: boiler.id })
  assert.deepEqual(read, { signals: [{ name: 'flow', max: 120 }] })
})

test('a change that cannot be is refused by name', async (t) => {
  const { as, boiler, signal, operator, assets, all } = await boilerFixture(t)
  const refused = async (who: string, input: object, id = signal.id) =>
    codes(await as(who, update, { id, input }))
  assert.deepEqual(await refused(operator, { min: 5, max: 1 }), ['invalid_argument'])
  assert.deepEqual(await refused(operator, { name: '' }), ['invalid_argument'])
  assert.deepEqual(await refused(operator, { tags: { a: 1 } }), ['invalid_argument'])
  const device = { connectorId: 'none', identity: 'x' }
  const strange = { source: { alias: 'data_in', device } }
  assert.deepEqual(await refused(operator, strange), ['not_found'])
  await assets.update(all, boiler.id, { locked: true })
  assert.deepEqual(await refused(operator, { name: 'x' }), ['invalid_argument'])
})

test('a signal that a link takes stays what the link can take', async (t) => {
  const { askFor, as, yard, signal, operator, boiler } = await boilerFixture(t)
  const linked = await askFor<{ id: string; outlets: string[] }>(operator, link, {
    input: {
      assetId: boiler.id,
      moduleId: 'builtin',
      functionId: 'range',
      constants: { upper: 80 },
      inlets: [{ signalId: signal.id }],
    },
  })
  const [outlet] = linked.outlets
  const renamed = await as(operator, update, { id: outlet, input: { name: 'hot' } })
  assert.equal(getData<{ updateSignal: { name: string } }>(renamed).updateSignal.name, 'hot')
  const fed = { source: { alias: 'data_in' } }
  const refused = await as(operator, update, { id: outlet, input: fed })
  assert.deepEqual(codes(refused), ['invalid_argument'])
  const action = { moduleId: 'builtin', functionId: 'set_resource', constants: { alias: 'lamp' } }
  const inlets = [{ signalId: outlet }]
  await askFor(operator, link, { input: { assetId: boiler.id, ...action, inlets } })
  const other = await as(operator, update, { id: outlet, input: { dataType: 'TIME' } })
  assert.deepEqual(codes(other), ['invalid_argument'])
  assert.match(other.errors?.[0]?.message ?? '', /The link "Set a resource" uses the signal/)
  const to = yard.id
  assert.deepEqual(codes(await as(operator, move, { id: signal.id, to })), ['in_use'])
  assert.deepEqual(codes(await as(operator, move, { id: outlet, to })), ['in_use'])
})

test('a signal moves to another asset with its history and its device', async (t) => {
  const fixture = await boilerFixture(t)
  const { signal, operator, yard, all, assets, database, clock } = fixture
  await assets.ensurePartitions(clock.nowUs())
  const ts = clock.nowUs()
  await database.transaction((held) =>
    assets.writeValues(held, [{ key: signal.key, ts, value: 7 }]),
  )
  const moved = await askOne(fixture, operator, move, { id: signal.id, to: yard.id })
  assert.deepEqual(moved, { id: signal.id, assetId: yard.id })
  const text = `query($id: ID!) { asset(id: $id) {
    signals { id lastValue { value } source { channel device { identity } } } } }`
  const read = await askOne(fixture, operator, text, { id: yard.id })
  const source = { channel: '001', device: { identity: 'b-1' } }
  assert.deepEqual(read, { signals: [{ id: signal.id, lastValue: { value: 7 }, source }] })
  const owned = { businessId: fixture.business, ...fixture.device }
  const [feed] = await assets.feeds([owned])
  assert.equal(feed?.signal.assetId, yard.id)
  assert.deepEqual(await assets.signals.ofAssets(all, [fixture.boiler.id]), [])
})

test('a signal that is the location of its asset stays there', async (t) => {
  const { as, signal, operator, boiler, yard, all, assets } = await boilerFixture(t)
  await assets.update(all, boiler.id, { location: { signalId: signal.id } })
  const refused = await as(operator, move, { id: signal.id, to: yard.id })
  assert.deepEqual(codes(refused), ['in_use'])
})

test('a silent signal that moves is silent in the other asset alone', async (t) => {
  const fixture = await boilerFixture(t)
  const { signal, operator, boiler, yard, all, assets, database, clock } = fixture
  await assets.ensurePartitions(clock.nowUs())
  const ts = clock.nowUs() - 3_600_000_000
  await database.transaction((held) =>
    assets.writeValues(held, [{ key: signal.key, ts, value: 7 }]),
  )
  await assets.timeouts.look()
  const open = async (assetId: string) => {
    const filters = [{ assetId }]
    const { results } = await assets.conditions.query(all, { filters })
    return results.filter(({ endedAt }) => endedAt === null).length
  }
  assert.deepEqual([await open(boiler.id), await open(yard.id)], [1, 0])
  await askOne(fixture, operator, move, { id: signal.id, to: yard.id })
  await assets.timeouts.look()
  assert.deepEqual([await open(boiler.id), await open(yard.id)], [0, 1])
})
