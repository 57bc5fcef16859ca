import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Assets,
  type ChannelSpec,
  createAssets,
  parseConfigIo,
  toSignalValue,
} from '../../../src/assets/index.ts'
import { limits, systemRandom } from '../../../src/kernel/index.ts'
import { assetsFixture, numeric } from '../../fixtures/assets.ts'

const device = { connectorId: 'kettles', identity: '01' }
const second = { connectorId: 'kettles', identity: '02' }

function channels(config: Record<string, object>): ChannelSpec[] {
  const read = parseConfigIo(JSON.stringify({ channels: config }))
  assert('channels' in read)
  return read.channels
}

test('one device serves several assets, one asset is served by several devices', async (t) => {
  const { assets, business } = await assetsFixture(t)
  const channel = { alias: 'data_in', channel: '001' }
  await assets.create(business, {
    name: 'A',
    device,
    signals: [
      numeric('a own', { source: channel }),
      numeric('a plain', { source: { alias: 'temperature' } }),
      numeric('a of second', { source: { ...channel, device: second } }),
      numeric('a of a link', { source: { linkId: 'l', outlet: 0 } }),
      numeric('a loose'),
    ],
  })
  await assets.create(business, { name: 'B', device, signals: [numeric('b', { source: channel })] })
  await assets.create(business, { name: 'C', signals: [numeric('c', { source: channel })] })
  const feeds = await assets.feeds([
    { ...device, businessId: business },
    { ...second, businessId: business },
    { ...device, businessId: business },
    { connectorId: 'kettles', identity: '03', businessId: business },
  ])
  assert.deepEqual(
    feeds.map(({ signal, ...feed }) => [signal.name, feed]),
    [
      ['a own', { ...device, ...channel }],
      ['a plain', { ...device, alias: 'temperature' }],
      ['a of second', { ...second, ...channel }],
      ['b', { ...device, ...channel }],
    ],
  )
  assert.deepEqual(await assets.feeds([]), [])
})

function namesOf(feeds: Awaited<ReturnType<Assets['feeds']>>): string[] {
  return feeds.map(({ identity, signal }) => `${identity} ${signal.name}`)
}

test('what devices feed is remembered until it changes, also by another process', async (t) => {
  const { assets, activity, database, business, clock } = await assetsFixture(t)
  const fresh = () => createAssets({ database, activity, clock, random: systemRandom })
  const theirs = fresh()
  const asked = [device, second].map((one) => ({ ...one, businessId: business }))
  const names = async (by = assets) => namesOf(await by.feeds(asked))
  const source = { alias: 'temperature' }
  assert.deepEqual(await names(), [])
  const asset = await theirs.create(business, { name: 'A', device })
  const signal = await theirs.signals.create(business, asset.id, numeric('own', { source }))
  assert.deepEqual(await names(), ['01 own'])
  await database.run("update assets_signal set name = 'behind its back'")
  assert.deepEqual(await names(), ['01 own'], 'it is kept in memory')

  const named = numeric('of second', { source: { ...source, device: second } })
  await theirs.signals.create(business, asset.id, named)
  assert.deepEqual(await names(), ['01 behind its back', '02 of second'])
  const sync = (words: string) => {
    const described = channels({ '1': { display_name: words } })
    return database.transaction((held) =>
      theirs.syncChannels(held, business, asset.id, device, described),
    )
  }
  for (const words of ['Heat', 'Warmth']) {
    await sync(words)
    assert.deepEqual(await names(), ['01 behind its back', '02 of second', `01 ${words}`])
  }
  await theirs.signals.remove(business, signal.id)
  assert.deepEqual(await names(), ['02 of second', '01 Warmth'])
  await database.transaction((held) => theirs.ensureDeviceAsset(held, business, second))
  const signals = [numeric('b', { source })]
  const other = await theirs.create(business, { name: 'B', device: second, signals })
  assert.deepEqual(await names(), ['02 of second', '01 Warmth', '02 b'])
  await theirs.remove(business, asset.id)
  assert.deepEqual(await names(), ['02 b'])
  await theirs.remove(business, other.id)
  assert.deepEqual(await names(), [])
  assert.deepEqual(await names(fresh()), [])
})

test('a change that is not committed is not known, and not forgotten either', async (t) => {
  const { assets, database, business } = await assetsFixture(t)
  const asset = await assets.create(business, { name: 'A', device })
  const names = async () =>
    (await assets.feeds([{ ...device, businessId: business }])).map(({ signal }) => signal.name)
  const added = numeric('added', { source: { alias: 'temperature' } })
  await database.transaction(async (held) => {
    await assets.signals.create(business, asset.id, added, held)
    assert.deepEqual(await names(), [])
  })
  assert.deepEqual(await names(), ['added'])
})

test('channels become signals once, are brought up to date, and are never removed', async (t) => {
  const { assets, database, business } = await assetsFixture(t)
  const asset = await assets.create(business, { name: 'A', device })
  const sync = (config: Record<string, object>, from = device) =>
    database.transaction((held) =>
      assets.syncChannels(held, business, asset.id, from, channels(config)),
    )
  const first = await sync({
    '001': {
      display_name: 'Heat',
      properties: { data_type: 'TEMPERATURE', data_unit: 'DEG_CELSIUS', min: 0, max: 99 },
      protocol_config: { timeout: 60_000 },
      iot_properties: { multiplier: 0.1, offset: 2 },
    },
    '002': { properties: { primitive_type: 'BOOLEAN' } },
  })
  assert.deepEqual([first.created.length, first.updated], [2, 0])
  assert.deepEqual(first.created, await assets.signals.ofAssets(business, [asset.id]))
  const [heat] = first.created
  assert.deepEqual(heat?.source, { alias: 'data_in', channel: '001' })
  assert.deepEqual([heat?.timeoutMs, heat?.multiplier, heat?.offset], [60_000, 0.1, 2])

  const renamed = { '001': { display_name: 'Hot', protocol_config: { timeout: 5 } }, '003': {} }
  const next = await sync(renamed)
  assert.deepEqual([next.created.map((signal) => signal.name), next.updated], [['003'], 1])
  const again = await sync(renamed)
  assert.deepEqual(again, { created: [], updated: 0 })
  const signals = await assets.signals.ofAssets(business, [asset.id])
  assert.deepEqual(
    signals.map((signal) => [signal.name, signal.timeoutMs, signal.dataUnit]),
    [
      ['Hot', 5, null],
      ['002', null, null],
      ['003', null, null],
    ],
  )
  const other = await sync({ '001': {} }, second)
  assert.deepEqual(other.created[0]?.source, { alias: 'data_in', channel: '001', device: second })
  assert.deepEqual(await sync({ '001': {} }, second), { created: [], updated: 0 })
})

test('two descriptions at once make each signal once', async (t) => {
  const { assets, database, business } = await assetsFixture(t)
  const asset = await assets.create(business, { name: 'A', device })
  const specs = channels({ '001': {}, '002': {} })
  const made = await Promise.all(
    Array.from({ length: 6 }, () =>
      database.transaction((held) => assets.syncChannels(held, business, asset.id, device, specs)),
    ),
  )
  assert.equal(made.flatMap((one) => one.created).length, 2)
})

test('channels past the limit of signals are refused together', async (t) => {
  const { assets, database, business } = await assetsFixture(t)
  const full = Array.from({ length: limits.signalsPerAssetMax }, (_, at) => numeric(`s${at}`))
  const asset = await assets.create(business, { name: 'A', device, signals: full })
  await assert.rejects(
    database.transaction((held) =>
      assets.syncChannels(held, business, asset.id, device, channels({ '001': {} })),
    ),
    { code: 'invalid_argument' },
  )
  await assert.rejects(
    database.transaction((held) => assets.syncChannels(held, business, 'none', device, [])),
    { code: 'not_found' },
  )
})

test('a new device gets one asset, in the group of the intake, however many ask', async (t) => {
  const { assets, database, business, other } = await assetsFixture(t)
  assert.equal(await assets.intake.of('kettles'), null)
  const hall = await assets.groups.create(business, { name: 'Hall' })
  await assets.intake.set(business, 'kettles', { groupId: hall.id })
  assert.deepEqual(await assets.intake.of('kettles'), { businessId: business, groupId: hall.id })
  const ensure = () =>
    database.transaction((held) => assets.ensureDeviceAsset(held, business, device))
  const made = await Promise.all(Array.from({ length: 8 }, ensure))
  assert.equal(made.filter((one) => one.created).length, 1)
  assert.equal(new Set(made.map((one) => one.asset.id)).size, 1)
  assert.deepEqual(
    [made[0]?.asset.name, made[0]?.asset.device, made[0]?.asset.groupId],
    ['01', device, hall.id],
  )
  assert.equal(await assets.count(business), 1)

  await assert.rejects(assets.intake.set(other, 'kettles', {}), { code: 'already_exists' })
  await assert.rejects(assets.intake.set(business, 'kettles', { groupId: 'none' }), {
    code: 'not_found',
  })
  await assets.intake.set(other, 'kettles', null)
  await assets.intake.set(business, 'kettles', {})
  assert.deepEqual(await assets.intake.of('kettles'), { businessId: business, groupId: null })
  await assets.intake.set(business, 'kettles', null)
  assert.equal(await assets.intake.of('kettles'), null)
})

test('an asset made by hand for a device is its asset, in its own business only', async (t) => {
  const { assets, database, business, other } = await assetsFixture(t)
  const byHand = await assets.create(business, { name: 'mine', device })
  const ensure = (of: string) =>
    database.transaction((held) => assets.ensureDeviceAsset(held, of, device))
  assert.deepEqual(await ensure(business), { asset: byHand, created: false })
  assert.deepEqual(await assets.ofDevice(business, device), byHand)
  assert.equal(await assets.ofDevice(other, device), undefined)
  const theirs = await ensure(other)
  assert.equal(theirs.created, true)
  assert.equal(theirs.asset.groupId, (await assets.groups.root(other)).id)
})

test('a reading is converted to the type of its signal', () => {
  const plain = { multiplier: null, offset: null }
  const kept = [
    ['NUMERIC', 21.5, 21.5],
    ['NUMERIC', ' 21.50 ', 21.5],
    ['NUMERIC', '1e3', 1000],
    ['NUMERIC', true, 1],
    ['BOOLEAN', true, true],
    ['BOOLEAN', 'FALSE', false],
    ['BOOLEAN', '1', true],
    ['BOOLEAN', 0, false],
    ['STRING', 'text', 'text'],
    ['STRING', 7, '7'],
    ['STRING', '', ''],
    ['JSON', '{"a":1}', { a: 1 }],
    ['JSON', 'plain', 'plain'],
    ['JSON', [1], [1]],
  ] as const
  for (const [primitiveType, raw, value] of kept) {
    assert.deepEqual(toSignalValue({ primitiveType, ...plain }, raw), { value })
  }
  const refused = [
    ['NUMERIC', 'warm'],
    ['NUMERIC', ''],
    ['NUMERIC', null],
    ['NUMERIC', {}],
    ['NUMERIC', '1e999'],
    ['BOOLEAN', 'maybe'],
    ['BOOLEAN', 2],
    ['STRING', null],
  ] as const
  for (const [primitiveType, raw] of refused) {
    assert('complaint' in toSignalValue({ primitiveType, ...plain }, raw), String(raw))
  }
  const scaled = { primitiveType: 'NUMERIC', multiplier: 0.5, offset: -10 } as const
  assert.deepEqual(toSignalValue(scaled, '50'), { value: 15 })
  assert('complaint' in toSignalValue({ ...scaled, multiplier: 1e308 }, 1e10))
})
