import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pipelineLimits } from '../../../../src/insight/pipelines/index.ts'
import { type PipelinesFixture, pipelinesFixture } from '../../../fixtures/pipelines.ts'

const channels = {
  '001': {
    display_name: 'Temperature',
    properties: { data_type: 'TEMPERATURE', data_unit: 'DEG_CELSIUS' },
    iot_properties: { multiplier: 0.1, offset: -40 },
  },
  '002': { display_name: 'DeviceHttp', properties: { primitive_type: 'BOOLEAN' } },
}
const configIo = JSON.stringify({ last_edited: 1, channels })

async function history(fixture: PipelinesFixture, signalId: string) {
  const values = await fixture.assets.history(fixture.view, signalId, {
    order: 'asc',
  })
  return values.map(({ ts, value }) => [ts, value])
}

test('config_io makes the signals of the device, data_in their values', async (t) => {
  const fixture = await pipelinesFixture(t)
  const { assets, view, connectorId, pipelines, write } = fixture
  const device = { connectorId, identity: 'd1' }
  const asset = await assets.create(view, { name: 'A', device })
  await write('d1', { config_io: configIo })
  await pipelines.caughtUp()
  const [temperature, open] = await assets.signals.ofAssets(view, [asset.id])
  assert.ok(temperature && open)
  assert.deepEqual([temperature.name, open.name], ['Temperature', 'DeviceHttp'])

  await write('d1', { data_in: '{"001":650,"002":true,"009":1}' }, 1_000_001)
  await write('d1', { data_in: '{"001":"651"}', other: 'x' }, 1_000_002)
  await write('d2', { data_in: '{"001":1}' }, 1_000_003)
  await pipelines.caughtUp()
  assert.deepEqual(await history(fixture, temperature.id), [
    [1_000_001, 25],
    [1_000_002, 651 * 0.1 - 40],
  ])
  assert.deepEqual(await history(fixture, open.id), [[1_000_001, true]])
  assert.deepEqual(await fixture.stage('values'), { taken: 4, done: 4, failed: 0 })
})

test('config_io that the cloud sets makes signals, too; data that it sets is none', async (t) => {
  const fixture = await pipelinesFixture(t)
  const { assets, view, connectorId, pipelines, appendValues } = fixture
  const device = { connectorId, identity: 'd1' }
  const asset = await assets.create(view, { name: 'A', device })
  const set = (values: Record<string, string>) =>
    appendValues('set', 'd1', { ip: '', protocol: 'cloud', payload: [{ timestamp: 7, values }] })
  await set({ config_io: configIo })
  await pipelines.caughtUp()
  const [signal] = await assets.signals.ofAssets(view, [asset.id])
  assert.ok(signal)
  await set({ data_in: '{"001":650}' })
  await pipelines.caughtUp()
  assert.deepEqual(await history(fixture, signal.id), [])
})

test('a value that is set counts as reported for the aliases that the entry names', async (t) => {
  const fixture = await pipelinesFixture(t)
  const [, signal] = await fixture.assetWith('d1', ['001'])
  const values = { data_in: '{"001":650}', other: '1' }
  const body = { ip: '', protocol: 'api', payload: [{ timestamp: 7, values }] }
  await fixture.appendValues('set', 'd1', { ...body, reported: ['other'] })
  await fixture.appendValues('set', 'd1', { ...body, reported: ['data_in'] })
  await fixture.pipelines.caughtUp()
  assert.deepEqual(await history(fixture, signal?.id ?? ''), [[7, 650]])
  assert.deepEqual(await fixture.stage('values'), { taken: 2, done: 2, failed: 0 })
})

test('a resource without channels is a signal as well, in each of its types', async (t) => {
  const fixture = await pipelinesFixture(t)
  const { assets, view, connectorId, pipelines, write } = fixture
  const kinds = ['NUMERIC', 'STRING', 'BOOLEAN', 'JSON'] as const
  const asset = await assets.create(view, {
    name: 'A',
    device: { connectorId, identity: 'd1' },
    signals: kinds.map((primitiveType) => ({
      name: primitiveType,
      primitiveType,
      source: { alias: primitiveType.toLowerCase() },
    })),
  })
  const values = { numeric: '21.50', string: 'a b', boolean: '1', json: '{"a":[1]}' }
  await write('d1', values, 5_000_000)
  await pipelines.caughtUp()
  const signals = await assets.signals.ofAssets(view, [asset.id])
  const histories = await Promise.all(signals.map((signal) => history(fixture, signal.id)))
  assert.deepEqual(histories, [
    [[5_000_000, 21.5]],
    [[5_000_000, 'a b']],
    [[5_000_000, true]],
    [[5_000_000, { a: [1] }]],
  ])
})

test('every point of a write with several stamps is stored', async (t) => {
  const fixture = await pipelinesFixture(t)
  const [, signal] = await fixture.assetWith('d1', ['001'])
  const payload = [3, 1, 2].map((timestamp) => ({
    timestamp,
    values: { data_in: `{"001":${timestamp * 10}}` },
  }))
  await fixture.appendValues('write', 'd1', { ip: '', protocol: 'http', payload })
  await fixture.pipelines.caughtUp()
  assert.deepEqual(await history(fixture, signal?.id ?? ''), [
    [1, 10],
    [2, 20],
    [3, 30],
  ])
})

test('data_in that is no JSON is a failure with its reason; the next one goes on', async (t) => {
  const fixture = await pipelinesFixture(t)
  const [asset, signal] = await fixture.assetWith('d1', ['001', '002'])
  for (const data of ['{"001":1', '[1]', 'NaN', '']) await fixture.write('d1', { data_in: data })
  await fixture.write('d1', { data_in: '{"001":"warm","002":2}' }, 8)
  await fixture.write('d1', { data_in: '{"001":3}' }, 9)
  await fixture.pipelines.caughtUp()
  assert.deepEqual(await history(fixture, signal?.id ?? ''), [[9, 3]])
  assert.deepEqual(await fixture.stage('values'), { taken: 6, done: 1, failed: 5 })
  assert.deepEqual(await fixture.stage('functions'), { taken: 6, done: 6, failed: 0 })
  assert.deepEqual(await fixture.lines(asset.id), [
    'warning data_in is not a JSON object',
    'warning "001": "warm" is not a finite number',
  ])
  const [, , second] = [asset, ...(await fixture.assets.signals.ofAssets(fixture.view, [asset.id]))]
  assert.deepEqual(await history(fixture, second?.id ?? ''), [[8, 2]], 'what can be read is kept')
})

test('what a channel could not convert is in the log, and again only after a while', async (t) => {
  const fixture = await pipelinesFixture(t)
  const [asset] = await fixture.assetWith('d1', ['001'])
  const write = () => fixture.write('d1', { data_in: '{"__error":{"001":"no sensor"}}' })
  await write()
  await write()
  await fixture.pipelines.caughtUp()
  const line = 'warning channel 001 reports: no sensor'
  assert.deepEqual(await fixture.lines(asset.id), [line])
  fixture.clock.advance(pipelineLimits.moduleNoteRepeatMs)
  await write()
  await fixture.pipelines.caughtUp()
  assert.deepEqual(await fixture.lines(asset.id), [line, line])
  assert.equal((await fixture.stage('values')).failed, 0)
})

test('config_io that cannot be read is a failure; one that is odd is followed', async (t) => {
  const fixture = await pipelinesFixture(t)
  const [asset] = await fixture.assetWith('d1', [])
  await fixture.write('d1', { config_io: 'channels: none' })
  await fixture.pipelines.caughtUp()
  const odd = {
    '001': { properties: { data_type: 'TEMPERATURE', data_unit: 'FURLONG' } },
    '002': 7,
  }
  await fixture.write('d1', { config_io: JSON.stringify({ channels: odd }) })
  await fixture.pipelines.caughtUp()
  assert.deepEqual(await fixture.stage('values'), { taken: 2, done: 1, failed: 1 })
  assert.equal((await fixture.assets.signals.ofAssets(fixture.view, [asset.id])).length, 1)
  const lines = (await fixture.lines(asset.id)).join('\n')
  assert.match(lines, /warning config_io: config_io is not a JSON object/)
  assert.match(lines, /FURLONG is not in the catalogue/)
  assert.match(lines, /channel "002": it is not an object/)
})

test('a device of an intake gets an asset when it is provisioned; no other does', async (t) => {
  const fixture = await pipelinesFixture(t)
  const { assets, groups, view, connectorId, appendProvisioned, write, pipelines } = fixture
  await appendProvisioned('early')
  await write('early', { config_io: configIo })
  await pipelines.caughtUp()
  assert.equal(await assets.count(view), 0)
  assert.equal((await fixture.stage('values')).failed, 0)

  const group = await groups.create(view, { name: 'New' })
  await assets.intake.set(view, connectorId, { groupId: group.id })
  await appendProvisioned('d1')
  await appendProvisioned('d1')
  await write('d1', { config_io: configIo })
  await write('d1', { data_in: '{"002":false}' })
  await pipelines.caughtUp()
  const [asset, ...others] = await assets.list(view)
  assert.ok(asset)
  assert.deepEqual([asset.name, asset.groupId, others], ['d1', group.id, []])
  assert.deepEqual(asset.device, { connectorId, identity: 'd1' })
  assert.equal((await assets.signals.ofAssets(view, [asset.id])).length, 2)
})
