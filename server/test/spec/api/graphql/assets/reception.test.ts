import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { parseIso, toIso } from '../../../../../src/foundation/kernel/index.ts'
import type { NewValue } from '../../../../../src/insight/assets/index.ts'
import { testPlatform } from '../../../../fixtures/platform.ts'
import { graphqlFixture } from '../../../../fixtures/wire/graphql.ts'
import { mqttFleet } from '../../../../fixtures/wire/mqtt-fleet.ts'

type Point = {
  timestamp: string
  value: unknown
  protocol: string | null
  receivedTime: string | null
}
type Read = { name: string; lastValue: Point | null; data: Point[]; buckets: Point[] }

const point = '{ timestamp value protocol receivedTime }'
const query = `query($id: ID!) { asset(id: $id) { signals { name lastValue ${point}
  data(options: { order: asc }) ${point}
  buckets: data(options: { every: "1w", aggregate: last }) ${point} } } }`

/** A device with a signal of its temperature, one that people write, and one of a function. */
async function meterFixture(t: TestContext) {
  const millrace = await testPlatform(t)
  const { platform, view, connector, token } = millrace
  const fleet = mqttFleet(() => millrace)
  const device = await fleet.newOne()
  const meter = await platform.assets.create(view, {
    name: 'Meter',
    device: { connectorId: connector.id, identity: device.identity },
    signals: [
      { name: 'temperature', primitiveType: 'NUMERIC', source: { alias: 'temperature' } },
      { name: 'note', primitiveType: 'STRING' },
    ],
  })
  const [temperature, note] = await platform.assets.signals.ofAssets(view, [meter.id])
  assert.ok(temperature && note)
  const asked = async <Data>(text: string, variables: object) => {
    const response = await fetch(`${millrace.httpUrl}/api/graphql`, {
      method: 'POST',
      headers: { authorization: `Automation ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: text, variables }),
    })
    const { data, errors } = (await response.json()) as { data: Data; errors?: unknown }
    assert.equal(errors, undefined, JSON.stringify(errors))
    return data
  }
  const link = 'mutation($input: LinkFunctionInput!) { linkFunction(input: $input) { outlets } }'
  await asked(link, {
    input: {
      assetId: meter.id,
      moduleId: 'builtin',
      functionId: 'scale',
      constants: { multiplier: 2 },
      inlets: [{ signalId: temperature.id }],
    },
  })
  const read = async () => {
    await platform.pipelines.caughtUp()
    const { asset } = await asked<{ asset: { signals: Read[] } }>(query, { id: meter.id })
    return asset.signals
  }
  return { ...millrace, ...fleet, device, note, asked, read }
}

it('a value has the protocol of its device and the time of its reception', async (t) => {
  const { connect, device, read } = await meterFixture(t)
  const before = Date.now() * 1_000
  assert.equal((await device.write('temperature=21')).status, 204)
  const stamp = 1_700_000_000
  assert.equal((await device.record(`alias=temperature&${stamp}=1`)).status, 204)
  await (await connect(t, device)).write('$resource/temperature', '23')
  const [temperature, , computed] = await read()
  assert.ok(temperature && computed)
  const { data, lastValue, buckets } = temperature
  assert.deepEqual(
    data.map(({ value, protocol }) => [value, protocol]),
    [
      [1, 'http'],
      [21, 'http'],
      [23, 'mqtt'],
    ],
  )
  const [old, own] = data
  assert.equal(old?.timestamp, toIso(stamp * 1_000_000))
  assert.ok((parseIso(old.receivedTime ?? '') ?? 0) >= before)
  assert.equal(own?.receivedTime, own?.timestamp)
  assert.deepEqual(lastValue, data[2])
  for (const one of buckets) assert.deepEqual([one.protocol, one.receivedTime], [null, null])
  assert.ok(computed.data.length > 0)
  for (const one of computed.data) {
    assert.deepEqual([one.protocol, one.receivedTime], [null, null], 'a function computed it')
  }
})

it('a value that somebody writes has the time of its reception alone', async (t) => {
  const { asked, clock, note, read } = await meterFixture(t)
  const write = `mutation($values: [SignalValueInput!]!) {
    writeSignalValues(values: $values) { signalId } }`
  const past = toIso(clock.nowUs() - 60_000_000)
  const before = clock.nowUs()
  await asked(write, { values: [{ signalId: note.id, value: 'late', timestamp: past }] })
  await asked(write, { values: [{ signalId: note.id, value: 'now' }] })
  const [, written] = await read()
  const [late, now] = written?.data ?? []
  assert.equal(late?.timestamp, past)
  assert.ok((parseIso(late.receivedTime ?? '') ?? 0) >= before)
  assert.equal(now?.receivedTime, now?.timestamp)
  assert.deepEqual([late.protocol, now?.protocol], [null, null])
})

it('a value that moves to the next free time keeps that of its reception', async (t) => {
  const { assets, view, signal, database, found } = await storeFixture(t)
  const reader = { view, permissions: new Set(['View Asset Data']) }
  const received = { protocol: 'mqtts', at: then }
  const write = (values: readonly Omit<NewValue, 'key'>[]) =>
    database.transaction((held) => {
      const own = values.map((value) => ({ ...value, key: signal.key }))
      return assets.writeValues(held, own)
    })
  await write([
    { ts: then, value: 1, platformStamp: true, received },
    { ts: then, value: 2, platformStamp: true, received },
  ])
  await write([{ ts: then, value: 3, platformStamp: true, received: { protocol: 'x', at: then } }])
  assert.deepEqual(await found(), [
    { ts: then, value: 1, received },
    { ts: then + 1, value: 2, received },
    { ts: then + 2, value: 3, received: { protocol: null, at: then } },
  ])
  const unread = await assets.lastReceived({ view, permissions: new Set() }, [signal.id])
  assert.equal(unread.size, 0)
  const latest = await assets.lastReceived(reader, [signal.id])
  assert.deepEqual(latest.get(signal.id), (await found())[2])
  await write([{ ts: then, value: 4 }])
  assert.deepEqual((await found())[0], { ts: then, value: 4 }, 'a replaced value has its own')
  const place = { lat: 1, lng: 2 }
  await write([
    { ts: then + 5, value: place, platformStamp: true, received: { ...received, at: 7 } },
  ])
  const placed = { ts: then + 5, value: place, received: { protocol: 'mqtts', at: 7 } }
  assert.deepEqual((await assets.lastReceived(reader, [signal.id])).get(signal.id), placed)
})

const then = 1_700_000_000_000_000

/** A signal of JSON, and how its values are stored. */
async function storeFixture(t: TestContext) {
  const { assets, view, database } = await graphqlFixture(t)
  const signals = [{ name: 'any', primitiveType: 'JSON' as const }]
  const asset = await assets.create(view, { name: 'Store', signals })
  const [signal] = await assets.signals.ofAssets(view, [asset.id])
  assert.ok(signal)
  const found = async () =>
    (await assets.histories(view, [signal], { order: 'asc' })).get(signal.id) ?? []
  return { assets, view, signal, database, found }
}
