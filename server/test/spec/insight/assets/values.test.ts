import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Json, limits } from '../../../../src/foundation/kernel/index.ts'
import type { NewValue, PrimitiveType, Value } from '../../../../src/insight/assets/index.ts'
import { assetLimits } from '../../../../src/insight/assets/index.ts'
import { type AssetsFixture, assetsFixture, noon, numeric } from '../../../fixtures/assets.ts'

async function makeSignals(fixture: AssetsFixture, ...types: PrimitiveType[]) {
  const { assets, view } = fixture
  const signals = types.map((primitiveType, at) => ({ name: `s${at}`, primitiveType }))
  const asset = await assets.create(view, { name: 'A', signals })
  const made = await assets.signals.ofAssets(view, [asset.id])
  return made.map(({ id, key }) => ({ id, key, assetId: asset.id }))
}

function write({ database, assets }: AssetsFixture, ...values: NewValue[]): Promise<void> {
  return database.transaction((held) => assets.writeValues(held, values))
}

test('every JSON value comes back as it was, last and in history', async (t) => {
  const fixture = await assetsFixture(t)
  const { assets, view } = fixture
  const said: Json[] = [
    0,
    -0.1,
    1e300,
    2 ** 53,
    true,
    false,
    null,
    '',
    'text',
    'null',
    '5',
    'a\0b\ud800 🌍',
    {},
    [],
    { deep: [1, null, { x: '\0' }] },
  ]
  for (const primitiveType of ['NUMERIC', 'STRING', 'BOOLEAN', 'JSON'] as const) {
    const [signal] = await makeSignals(fixture, primitiveType)
    assert(signal)
    for (const [at, value] of said.entries()) {
      const ts = noon + at
      await write(fixture, { key: signal.key, ts, value })
      const last = await assets.lastValues(view, [signal.id])
      assert.deepEqual(last.get(signal.id), { ts, value })
    }
    const history = await assets.history(view, signal.id, { order: 'asc' })
    assert.deepEqual(
      history,
      said.map((value, at): Value => ({ ts: noon + at, value })),
    )
  }
})

test('of one signal and time the later write wins, in a batch and after it', async (t) => {
  const fixture = await assetsFixture(t)
  const { assets, view } = fixture
  const [a, b] = await makeSignals(fixture, 'NUMERIC', 'NUMERIC')
  assert(a && b)
  await write(
    fixture,
    { key: b.key, ts: noon, value: 1 },
    { key: a.key, ts: noon + 1, value: 2 },
    { key: a.key, ts: noon, value: 3 },
    { key: b.key, ts: noon, value: 4 },
    { key: a.key, ts: noon, value: 5 },
  )
  const history = (id: string) => assets.history(view, id, { order: 'asc' })
  assert.deepEqual(await history(a.id), [
    { ts: noon, value: 5 },
    { ts: noon + 1, value: 2 },
  ])
  assert.deepEqual(await history(b.id), [{ ts: noon, value: 4 }])
  await write(fixture, { key: b.key, ts: noon, value: 'six' })
  assert.deepEqual(await history(b.id), [{ ts: noon, value: 'six' }])
  const last = await assets.lastValues(view, [a.id, b.id, 'nobody'])
  assert.deepEqual(
    last,
    new Map<string, Value>([
      [a.id, { ts: noon + 1, value: 2 }],
      [b.id, { ts: noon, value: 'six' }],
    ]),
  )
})

test('the latest value is replaced where the new time is not older', async (t) => {
  const fixture = await assetsFixture(t)
  const { assets, view } = fixture
  const [signal] = await makeSignals(fixture, 'NUMERIC')
  assert(signal)
  const { id, key } = signal
  assert.equal((await assets.lastValues(view, [id])).size, 0)
  const latest = async () => (await assets.lastValues(view, [id])).get(id)?.value
  await write(fixture, { key, ts: noon, value: 1 })
  await write(fixture, { key, ts: noon - 1, value: 2 })
  assert.equal(await latest(), 1)
  await write(fixture, { key, ts: noon, value: 3 })
  assert.equal(await latest(), 3)
  await write(fixture, { key, ts: noon + 1, value: 4 })
  assert.equal(await latest(), 4)
  assert.equal((await assets.history(view, id)).length, 3)
})

test('history has from in it and to not, newest first unless asked, up to the limit', async (t) => {
  const fixture = await assetsFixture(t)
  const { assets, view } = fixture
  const [signal] = await makeSignals(fixture, 'NUMERIC')
  assert(signal)
  const points = Array.from({ length: 150 }, (_, at) => ({ ts: noon + at, value: at }))
  await write(fixture, ...points.map((point) => ({ key: signal.key, ...point })))
  const values = async (range: Parameters<typeof assets.history>[2]) =>
    (await assets.history(view, signal.id, range)).map((one) => one.value)
  assert.deepEqual(await values({ from: noon + 2, to: noon + 5 }), [4, 3, 2])
  assert.deepEqual(await values({ from: noon + 2, to: noon + 5, order: 'asc' }), [2, 3, 4])
  assert.deepEqual(await values({ to: noon + 3, limit: 2 }), [2, 1])
  assert.deepEqual(await values({ from: noon + 148 }), [149, 148])
  assert.deepEqual(await values({ from: noon + 5, to: noon + 5 }), [])
  assert.equal((await values(undefined)).length, limits.pageDefault)
  assert.equal((await values({ limit: limits.historyValuesMax })).length, 150)
  for (const range of [{ limit: limits.historyValuesMax + 1 }, { limit: -1 }, { from: 0.5 }]) {
    await assert.rejects(values(range), { code: 'invalid_argument' })
  }
})

test('numbers and times that are not finite are rejected, and the asset logs it', async (t) => {
  const fixture = await assetsFixture(t)
  const { assets, view } = fixture
  const [a, b] = await makeSignals(fixture, 'NUMERIC', 'NUMERIC')
  assert(a && b)
  await write(
    fixture,
    { key: a.key, ts: noon, value: Number.NaN },
    { key: a.key, ts: noon, value: Number.POSITIVE_INFINITY },
    { key: a.key, ts: Number.NaN, value: 1 },
    { key: a.key, ts: noon + 0.5, value: 1 },
    { key: b.key, ts: noon, value: 1 },
  )
  assert.deepEqual(await assets.history(view, a.id), [])
  assert.deepEqual(await assets.history(view, b.id), [{ ts: noon, value: 1 }])
  const [line, ...more] = await assets.logLines(view, a.assetId)
  assert.deepEqual(more, [])
  assert.deepEqual([line?.severity, line?.at], ['warning', noon])
  assert.match(line?.text ?? '', /^s0: /)
})

test('nothing is written when the transaction fails, or when there is nothing', async (t) => {
  const fixture = await assetsFixture(t)
  const { assets, database, view } = fixture
  const [signal] = await makeSignals(fixture, 'NUMERIC')
  assert(signal)
  const failing = database.transaction(async (held) => {
    await assets.writeValues(held, [{ key: signal.key, ts: noon, value: 1 }])
    throw new Error('after it')
  })
  await assert.rejects(failing, /after it/)
  await write(fixture)
  assert.deepEqual(await assets.history(view, signal.id), [])
  assert.equal((await assets.lastValues(view, [signal.id])).size, 0)
})

test('more values than one statement takes, and writers that meet, lose nothing', async (t) => {
  const fixture = await assetsFixture(t)
  const { assets, view } = fixture
  const [a, b] = await makeSignals(fixture, 'NUMERIC', 'NUMERIC')
  assert(a && b)
  const many = Array.from({ length: assetLimits.valueBatchMax + 1 }, (_, at) => ({
    key: a.key,
    ts: noon + at,
    value: at,
  }))
  await write(fixture, ...many)
  const newest = await assets.history(view, a.id, { limit: limits.historyValuesMax })
  const oldest = await assets.history(view, a.id, { limit: 1, order: 'asc' })
  assert.equal(newest.length, limits.historyValuesMax)
  assert.equal(newest[0]?.value, assetLimits.valueBatchMax)
  assert.deepEqual(oldest, [{ ts: noon, value: 0 }])

  const writers = Array.from({ length: 8 }, (_, writer) => {
    const pair = [a, b].map(({ key }) => ({ key, ts: noon - 1 - writer, value: writer }))
    return write(fixture, ...(writer % 2 === 0 ? pair : pair.reverse()))
  })
  await Promise.all(writers)
  assert.equal((await assets.history(view, b.id)).length, 8)
  const last = await assets.lastValues(view, [b.id])
  assert.deepEqual(last.get(b.id), { ts: noon - 1, value: 0 })
})

test('values of a signal that is gone disturb nobody', async (t) => {
  const fixture = await assetsFixture(t)
  const { assets, view } = fixture
  const asset = await assets.create(view, { name: 'A', signals: [numeric('x')] })
  const [signal] = await assets.signals.ofAssets(view, [asset.id])
  assert(signal)
  await assets.remove(view, asset.id)
  await write(fixture, { key: signal.key, ts: noon, value: 1 })
  await write(fixture, { key: signal.key, ts: noon, value: Number.NaN })
  await assert.rejects(assets.history(view, signal.id), { code: 'not_found' })
})
