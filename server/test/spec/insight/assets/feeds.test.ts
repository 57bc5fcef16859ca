import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault, limits } from '../../../../src/foundation/kernel/index.ts'
import {
  type Assets,
  assetLimits,
  type ChannelSpec,
  type DeviceRef,
  parseConfigIo,
  type SyncedChannels,
  toSignalValue,
} from '../../../../src/insight/assets/index.ts'
import { type AssetsFixture, assetsFixture, numeric } from '../../../fixtures/assets.ts'

const device = { connectorId: 'kettles', identity: '01' }
const second = { connectorId: 'kettles', identity: '02' }

function channels(config: Record<string, object>): ChannelSpec[] {
  const read = parseConfigIo(JSON.stringify({ channels: config }))
  assert('channels' in read)
  return read.channels
}

test('one device serves several assets, one asset is served by several devices', async (t) => {
  const { assets, business, view } = await assetsFixture(t)
  const channel = { alias: 'data_in', channel: '001' }
  await assets.create(view, {
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
  await assets.create(view, {
    name: 'B',
    device,
    signals: [numeric('b', { source: channel })],
  })
  await assets.create(view, {
    name: 'C',
    signals: [numeric('c', { source: channel })],
  })
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

/** Follows a single description. */
async function syncOne(
  { assets, database, business }: Pick<AssetsFixture, 'assets' | 'database' | 'business'>,
  assetId: string,
  from: DeviceRef,
  specs: readonly ChannelSpec[],
): Promise<SyncedChannels> {
  const description = { businessId: business, assetId, device: from, channels: specs }
  const [result] = await database.transaction((held) => assets.syncChannels(held, [description]))
  assert(result)
  if (result instanceof Fault) throw result
  return result
}

/** The asset of one device alone. */
async function ensureOne(
  { assets, database }: Pick<AssetsFixture, 'assets' | 'database'>,
  businessId: string,
  own: DeviceRef,
) {
  const devices = [{ ...own, businessId }]
  const [made] = await database.transaction((held) => assets.ensureDeviceAssets(held, devices))
  assert(made)
  return made
}

function listNames(feeds: Awaited<ReturnType<Assets['feeds']>>): string[] {
  return feeds.map(({ identity, signal }) => `${identity} ${signal.name}`)
}

const renameUnnoticed = "update assets_signal set name = 'behind its back' where id = $1"

test('what devices feed is remembered until it changes, also by another process', async (t) => {
  const { assets, another: fresh, database, business, view } = await assetsFixture(t)
  const theirs = fresh()
  const asked = [device, second].map((one) => ({ ...one, businessId: business }))
  const names = async (by = assets) => listNames(await by.feeds(asked))
  const source = { alias: 'temperature' }
  assert.deepEqual(await names(), [])
  const asset = await theirs.create(view, { name: 'A', device })
  const signal = await theirs.signals.create(view, asset.id, numeric('own', { source }))
  assert.deepEqual(await names(), ['01 own'])
  await database.run(renameUnnoticed, [signal.id])
  assert.deepEqual(await names(), ['01 own'], 'it is kept in memory')

  const named = numeric('of second', { source: { ...source, device: second } })
  await theirs.signals.create(view, asset.id, named)
  assert.deepEqual(await names(), ['01 behind its back', '02 of second'])
  const sync = (words: string) => {
    const described = channels({ '1': { display_name: words } })
    return syncOne({ assets: theirs, database, business }, asset.id, device, described)
  }
  for (const words of ['Heat', 'Warmth']) {
    await sync(words)
    assert.deepEqual(await names(), ['01 behind its back', '02 of second', `01 ${words}`])
  }
  await theirs.signals.remove(view, signal.id)
  assert.deepEqual(await names(), ['02 of second', '01 Warmth'])
  await ensureOne({ assets: theirs, database }, business, second)
  const signals = [numeric('b', { source })]
  const other = await theirs.create(view, { name: 'B', device: second, signals })
  assert.deepEqual(await names(), ['02 of second', '01 Warmth', '02 b'])
  await theirs.remove(view, asset.id)
  assert.deepEqual(await names(), ['02 b'])
  await theirs.remove(view, other.id)
  assert.deepEqual(await names(), [])
  assert.deepEqual(await names(fresh()), [])
})

test('a change that is not committed is not known, and not forgotten either', async (t) => {
  const { assets, database, business, view } = await assetsFixture(t)
  const asset = await assets.create(view, { name: 'A', device })
  const names = async () =>
    (await assets.feeds([{ ...device, businessId: business }])).map(({ signal }) => signal.name)
  const added = numeric('added', { source: { alias: 'temperature' } })
  await database.transaction(async (held) => {
    await assets.signals.create(view, asset.id, added, held)
    assert.deepEqual(await names(), [])
  })
  assert.deepEqual(await names(), ['added'])
})

test('channels become signals once, are brought up to date, and are never removed', async (t) => {
  const fixture = await assetsFixture(t)
  const { assets, view } = fixture
  const asset = await assets.create(view, { name: 'A', device })
  const sync = (config: Record<string, object>, from = device) =>
    syncOne(fixture, asset.id, from, channels(config))
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
  assert.deepEqual(first.created, await assets.signals.ofAssets(view, [asset.id]))
  const [heat] = first.created
  assert.deepEqual(heat?.source, { alias: 'data_in', channel: '001' })
  assert.deepEqual([heat?.timeoutMs, heat?.multiplier, heat?.offset], [60_000, 0.1, 2])

  const renamed = { '001': { display_name: 'Hot', protocol_config: { timeout: 5 } }, '003': {} }
  const next = await sync(renamed)
  assert.deepEqual([next.created.map((signal) => signal.name), next.updated], [['003'], 1])
  const again = await sync(renamed)
  assert.deepEqual(again, { created: [], updated: 0 })
  const signals = await assets.signals.ofAssets(view, [asset.id])
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
  const fixture = await assetsFixture(t)
  const { assets, view } = fixture
  const asset = await assets.create(view, { name: 'A', device })
  const specs = channels({ '001': {}, '002': {} })
  const made = await Promise.all(
    Array.from({ length: 6 }, () => syncOne(fixture, asset.id, device, specs)),
  )
  assert.equal(made.flatMap((one) => one.created).length, 2)
})

test('of several descriptions each that cannot be followed fails alone', async (t) => {
  const { assets, database, business, view, other, otherView } = await assetsFixture(t)
  const full = Array.from({ length: limits.signalsPerAssetMax }, (_, at) => numeric(`s${at}`))
  const [crowded, good, theirs] = [
    await assets.create(view, { name: 'crowded', device, signals: full }),
    await assets.create(view, { name: 'good', device: second }),
    await assets.create(otherView, { name: 'theirs', device }),
  ]
  const describe = (businessId: string, assetId: string, config: Record<string, object>) => {
    const own = assetId === good.id ? second : device
    return { businessId, assetId, device: own, channels: channels(config) }
  }
  const sync = () =>
    database.transaction((held) =>
      assets.syncChannels(held, [
        describe(business, crowded.id, { '001': {} }),
        describe(business, good.id, { '001': {}, '002': {} }),
        describe(other, good.id, { '001': {} }),
        describe(other, theirs.id, { ' ': {} }),
        describe(business, 'none', {}),
      ]),
    )
  const outcomes = async () =>
    (await sync()).map((result) =>
      result instanceof Fault ? result.detail : [result.created.length, result.updated],
    )
  const faults = ['a name is missing', 'there is no asset none']
  const tooMany = `an asset has at most ${limits.signalsPerAssetMax} signals`
  assert.deepEqual(await outcomes(), [tooMany, [2, 0], `there is no asset ${good.id}`, ...faults])
  assert.deepEqual(await outcomes(), [tooMany, [0, 0], `there is no asset ${good.id}`, ...faults])
  assert.equal((await assets.signals.ofAssets(view, [good.id])).length, 2)
  assert.equal((await assets.signals.ofAssets(otherView, [theirs.id])).length, 0)
})

test('a new device gets one asset, in the group of the intake, however many ask', async (t) => {
  const fixture = await assetsFixture(t)
  const { assets, groups, business, view, otherView, connectorId } = fixture
  const intake = async () => (await assets.intake.of([connectorId])).get(connectorId) ?? null
  const device = { connectorId, identity: '01' }
  assert.equal(await intake(), null)
  const hall = await groups.create(view, { name: 'Hall' })
  await assets.intake.set(view, connectorId, { groupId: hall.id })
  assert.deepEqual(await intake(), { businessId: business, groupId: hall.id })
  const ensure = () => ensureOne(fixture, business, device)
  const made = await Promise.all(Array.from({ length: 8 }, ensure))
  assert.equal(made.filter((one) => one.created).length, 1)
  assert.equal(new Set(made.map((one) => one.asset.id)).size, 1)
  assert.deepEqual(
    [made[0]?.asset.name, made[0]?.asset.device, made[0]?.asset.groupId],
    ['01', device, hall.id],
  )
  assert.equal(await assets.count(view), 1)

  await assert.rejects(assets.intake.set(otherView, connectorId, {}), {
    code: 'already_exists',
  })
  await assert.rejects(assets.intake.set(view, connectorId, { groupId: 'none' }), {
    code: 'not_found',
  })
  await assets.intake.set(otherView, connectorId, null)
  await assets.intake.set(view, connectorId, {})
  assert.deepEqual(await intake(), { businessId: business, groupId: null })
  await assets.intake.set(view, connectorId, null)
  assert.equal(await intake(), null)
})

test('an asset made by hand for a device is its asset, in its own business only', async (t) => {
  const fixture = await assetsFixture(t)
  const { assets, groups, business, view, other, otherView } = fixture
  const byHand = await assets.create(view, { name: 'mine', device })
  const ensure = (of: string) => ensureOne(fixture, of, device)
  assert.deepEqual(await ensure(business), { asset: byHand, created: false })
  const owned = [business, other].map((businessId) => ({ businessId, ...device }))
  assert.deepEqual(await assets.ofDevices(owned), [byHand, undefined])
  const theirs = await ensure(other)
  assert.equal(theirs.created, true)
  assert.equal(theirs.asset.groupId, (await groups.root(otherView)).id)
})

test('several devices get their assets together, each one', async (t) => {
  const { assets, groups, database, business, view, other, otherView, connectorId } =
    await assetsFixture(t)
  const hall = await groups.create(view, { name: 'Hall' })
  await assets.intake.set(view, connectorId, { groupId: hall.id })
  const second = { connectorId, identity: '02' }
  const byHand = await assets.create(view, { name: 'mine', device: second })
  const devices = ['03', '02', '01', '03'].map((identity) => {
    return { businessId: business, connectorId, identity }
  })
  const theirs = { businessId: other, connectorId, identity: '01' }
  const ensure = () =>
    database.transaction((held) => assets.ensureDeviceAssets(held, [...devices, theirs]))
  const made = await ensure()
  assert.deepEqual(
    made.map(({ asset, created }) => [asset.name, asset.groupId, created]),
    [
      ['03', hall.id, true],
      ['mine', byHand.groupId, false],
      ['01', hall.id, true],
      ['03', hall.id, true],
      ['01', (await groups.root(otherView)).id, true],
    ],
  )
  const names = (await assets.list(view)).map(({ name }) => name)
  assert.deepEqual(names, ['mine', '03', '01'])
  const again = await ensure()
  assert.deepEqual(
    again,
    made.map(({ asset }) => ({ asset, created: false })),
  )
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
    ['NUMERIC', ['warm', '', null, {}, '1e999', '0x10', 'Infinity']],
    ['BOOLEAN', ['maybe', 2]],
    ['STRING', [null]],
    ['JSON', [`[${'1,'.repeat(assetLimits.deviceJsonValuesMax)}1]`]],
  ] as const
  for (const [primitiveType, all] of refused) {
    for (const raw of all) {
      assert('complaint' in toSignalValue({ primitiveType, ...plain }, raw), String(raw))
    }
  }
  const scaled = { primitiveType: 'NUMERIC', multiplier: 0.5, offset: -10 } as const
  assert.deepEqual(toSignalValue(scaled, '50'), { value: 15 })
  assert('complaint' in toSignalValue({ ...scaled, multiplier: 1e308 }, 1e10))
})
