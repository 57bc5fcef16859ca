import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { parseConfigIo, type Signal } from '../../../../src/insight/assets/index.ts'
import { type AssetsFixture, assetsFixture, noon, numeric } from '../../../fixtures/assets.ts'

const minuteUs = 60 * 1_000_000
const device = { connectorId: 'kettles', identity: '01' }

/** An asset with signals that are silent after a minute without a value. */
async function assetFixture(t: Parameters<typeof assetsFixture>[0], names = ['x', 'y']) {
  const fixture = await assetsFixture(t)
  const { assets, view, clock } = fixture
  const signals = names.map((name) => numeric(name, { timeoutMs: 60_000 }))
  const asset = await assets.create(view, { name: 'A', device, signals })
  const [x, y] = await assets.signals.ofAssets(view, [asset.id])
  assert(x)
  /** Returns the events that were recorded by a look at a time, oldest first. */
  const eventsAt = async (us: number, by = assets) => {
    clock.set(us)
    await by.timeouts.look()
    const events = await assets.events(view, asset.id, { limit: limits.pageMax })
    return events
      .map(({ signalId, ts, level, previous }) => [signalId, ts, level, previous])
      .reverse()
  }
  const write = (signal: Signal | undefined, ts: number) => writeTo(fixture, signal, ts)
  return { ...fixture, asset, x, y, eventsAt, write }
}

function writeTo({ database, assets }: AssetsFixture, signal: Signal | undefined, ts: number) {
  const key = signal?.key ?? assert.fail()
  return database.transaction((held) => assets.writeValues(held, [{ key, ts, value: 1 }]))
}

test('a signal silent past its timeout: its begin and its end are events, each once', async (t) => {
  const { assets, view, asset, x, y, eventsAt, write } = await assetFixture(t)
  assert.deepEqual(await eventsAt(noon + 5 * minuteUs), [], 'one that never spoke is not silent')
  const start = noon + 5 * minuteUs
  await write(x, start)
  await write(y, start + 1)
  assert.deepEqual(await eventsAt(start + minuteUs), [])
  const begin = [x.id, start + minuteUs, 2, 0]
  assert.deepEqual(await eventsAt(start + minuteUs + 1), [begin])
  await write(y, start + minuteUs)
  assert.deepEqual(await eventsAt(start + 2 * minuteUs), [begin])
  await write(x, start + 2 * minuteUs)
  const end = [x.id, start + 2 * minuteUs, 0, 2]
  assert.deepEqual(await eventsAt(start + 2 * minuteUs), [begin, end])
  const [event] = await assets.events(view, asset.id, { limit: 1 })
  assert.deepEqual([event?.ruleId, event?.category, event?.type], [null, 'timeout', 'timeout'])
  const status = (await assets.statuses(view, [asset.id])).get(asset.id)
  assert.deepEqual([status?.level, status?.since], [0, null], 'the level of the asset stays')
  await write(y, start + 3 * minuteUs)
  const again = [x.id, start + 3 * minuteUs, 2, 0]
  assert.deepEqual(await eventsAt(start + 3 * minuteUs + 1), [begin, end, again])
})

test('of several processes that look at once one records a silence', async (t) => {
  const { x, eventsAt, write, clock, assets, another } = await assetFixture(t)
  await write(x, noon)
  const others = [another(), another(), assets]
  clock.set(noon + 2 * minuteUs)
  await Promise.all(others.map((one) => one.timeouts.look()))
  const begin = [x.id, noon + minuteUs, 2, 0]
  assert.deepEqual(await eventsAt(noon + 2 * minuteUs), [begin])
  await write(x, noon + 2 * minuteUs)
  await Promise.all(others.map((one) => one.timeouts.look()))
  const end = [x.id, noon + 2 * minuteUs, 0, 2]
  assert.deepEqual(await eventsAt(noon + 2 * minuteUs), [begin, end])
})

test('after a restart a silence that began meanwhile is recorded, a known one not', async (t) => {
  const { x, y, eventsAt, write, another } = await assetFixture(t)
  await write(x, noon)
  await write(y, noon + 5 * minuteUs)
  const first = [x.id, noon + minuteUs, 2, 0]
  assert.deepEqual(await eventsAt(noon + 5 * minuteUs), [first])
  const second = [y?.id, noon + 6 * minuteUs, 2, 0]
  assert.deepEqual(await eventsAt(noon + 9 * minuteUs, another()), [first, second])
})

test('a late value of a signal that is silent is no end', async (t) => {
  const { x, eventsAt, write } = await assetFixture(t)
  await write(x, noon)
  const begin = [x.id, noon + minuteUs, 2, 0]
  assert.deepEqual(await eventsAt(noon + 5 * minuteUs), [begin])
  await write(x, noon + 2 * minuteUs)
  assert.deepEqual(await eventsAt(noon + 5 * minuteUs), [begin])
  await write(x, noon + 5 * minuteUs)
  const end = [x.id, noon + 5 * minuteUs, 0, 2]
  assert.deepEqual(await eventsAt(noon + 5 * minuteUs), [begin, end])
})

test('a value of the future hides a silence for one timeout at most', async (t) => {
  const { x, eventsAt, write } = await assetFixture(t)
  await write(x, noon + 600 * minuteUs)
  assert.deepEqual(await eventsAt(noon), [])
  await write(x, noon)
  const begin = [x.id, noon + minuteUs, 2, 0]
  assert.deepEqual(await eventsAt(noon + minuteUs + 1), [begin])
})

test('a timeout that a device changes counts at once; its removal ends a silence', async (t) => {
  const { assets, database, business, view, asset, eventsAt, write, clock } = await assetFixture(
    t,
    ['x'],
  )
  const describeChannel = async (protocol_config: object) => {
    const config = { channels: { '001': { display_name: 'c', protocol_config } } }
    const read = parseConfigIo(JSON.stringify(config))
    assert('channels' in read)
    const given = { businessId: business, assetId: asset.id, device, channels: read.channels }
    await database.transaction((held) => assets.syncChannels(held, [given]))
    const signals = await assets.signals.ofAssets(view, [asset.id])
    return signals.find(({ name }) => name === 'c') ?? assert.fail()
  }
  const signal = await describeChannel({ timeout: 600_000 })
  await write(signal, noon)
  assert.deepEqual(await eventsAt(noon + 2 * minuteUs), [])
  await describeChannel({ timeout: 60_000 })
  const begin = [signal.id, noon + minuteUs, 2, 0]
  assert.deepEqual(await eventsAt(noon + 2 * minuteUs), [begin])
  await describeChannel({})
  const end = [signal.id, clock.nowUs(), 0, 2]
  assert.deepEqual(await eventsAt(clock.nowUs()), [begin, end])
})

test('many signals fall silent at once', async (t) => {
  const names = Array.from({ length: limits.signalsPerAssetMax }, (_, at) => `s${at}`)
  const { assets, database, view, asset, eventsAt } = await assetFixture(t, names)
  const signals = await assets.signals.ofAssets(view, [asset.id])
  const values = signals.map(({ key }) => ({ key, ts: noon, value: 1 }))
  await database.transaction((held) => assets.writeValues(held, values))
  assert.equal((await eventsAt(noon + 2 * minuteUs)).length, names.length)
})
