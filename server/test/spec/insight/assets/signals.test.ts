import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import type { NewSignal } from '../../../../src/insight/assets/index.ts'
import { assetLimits } from '../../../../src/insight/assets/index.ts'
import { assetsFixture, noon, numeric } from '../../../fixtures/assets.ts'

const device = { connectorId: 'kettles', identity: '01' }
const second = { connectorId: 'kettles', identity: '02' }

test('an asset is created with its signals, found, listed, counted and removed', async (t) => {
  const { assets, groups, business, view } = await assetsFixture(t)
  const made = await assets.create(view, {
    name: 'Boiler',
    description: 'in the cellar',
    device,
    signals: [numeric('Heat', { source: { alias: 'data_in', channel: '001' } }), numeric('Loose')],
  })
  assert.match(made.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const { id: groupId } = await groups.root(view)
  const words = { name: 'Boiler', description: 'in the cellar', assetType: null, location: null }
  assert.deepEqual(made, {
    ...words,
    id: made.id,
    businessId: business,
    groupId,
    device,
    meta: {},
    locked: false,
    templateId: null,
    createdAt: noon,
  })
  assert.deepEqual(await assets.get(view, made.id), made)
  assert.deepEqual(await assets.list(view), [made])
  assert.equal(await assets.count(view), 1)
  const signals = await assets.signals.ofAssets(view, [made.id])
  assert.deepEqual(
    signals.map((signal) => [signal.name, signal.source]),
    [
      ['Heat', { alias: 'data_in', channel: '001' }],
      ['Loose', null],
    ],
  )
  assert.deepEqual(await assets.remove(view, made.id), made)
  assert.equal(await assets.count(view), 0)
  assert.deepEqual(await assets.signals.ofAssets(view, [made.id]), [])
  await assert.rejects(assets.get(view, made.id), { code: 'not_found' })
  await assert.rejects(assets.remove(view, made.id), { code: 'not_found' })
})

test('lists are pages in the order of creation, of all or of a group and below', async (t) => {
  const { assets, groups, view } = await assetsFixture(t)
  const site = await groups.create(view, { name: 'Site' })
  const hall = await groups.create(view, { name: 'Hall', parentId: site.id })
  const places = [undefined, site.id, hall.id, undefined, hall.id]
  for (const [at, groupId] of places.entries()) {
    await assets.create(view, { name: `asset ${at}`, groupId })
  }
  const names = async (page: Parameters<typeof assets.list>[1]) =>
    (await assets.list(view, page)).map((asset) => asset.name.slice(-1)).join('')
  assert.equal(await names({}), '01234')
  assert.equal(await names({ limit: 2, offset: 1 }), '12')
  assert.equal(await names({ limit: 2, offset: 4 }), '4')
  assert.equal(await names({ limit: 0 }), '')
  assert.equal(await names({ groupId: site.id }), '124')
  assert.equal(await names({ groupId: hall.id, limit: 1 }), '2')
  assert.equal(await names({ limit: limits.pageMax }), '01234')
  for (const page of [
    { limit: limits.pageMax + 1 },
    { limit: -1 },
    { offset: -1 },
    { limit: 1.5 },
  ]) {
    await assert.rejects(assets.list(view, page), { code: 'invalid_argument' })
  }
  await assert.rejects(assets.list(view, { groupId: 'nowhere' }), {
    code: 'not_found',
  })
})

test('a signal stores all of its fields', async (t) => {
  const { assets, business, view } = await assetsFixture(t)
  const asset = await assets.create(view, { name: 'Boiler' })
  const said: NewSignal = {
    name: 'Heat',
    description: 'of the water',
    primitiveType: 'NUMERIC',
    dataType: 'TEMPERATURE',
    dataUnit: 'DEG_CELSIUS',
    precision: 2,
    min: -40,
    max: 120.5,
    multiplier: 0.1,
    offset: -3,
    source: { alias: 'data_in', channel: '001', device: second },
    timeoutMs: 60_000,
    tags: { floor: '-1', __proto__x: 'y' },
    display: { favorite: true, target: 60, displayFormat: '0.0', control: false },
    templateKey: 'heat',
  }
  const made = await assets.signals.create(view, asset.id, said)
  const { id, key, ...rest } = made
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert(Number.isSafeInteger(key) && key > 0)
  assert.deepEqual(rest, { ...said, assetId: asset.id, businessId: business })
  assert.deepEqual(await assets.signals.get(view, id), made)
  assert.deepEqual(await assets.signals.remove(view, id), made)
  await assert.rejects(assets.signals.get(view, id), { code: 'not_found' })
})

test('signals of links are found by link and outlet', async (t) => {
  const { assets, database, business, view } = await assetsFixture(t)
  const asset = await assets.create(view, { name: 'Boiler' })
  await database.transaction(async (held) => {
    for (const outlet of [1, 0]) {
      const source = { linkId: 'link1', outlet }
      await assets.signals.create(view, asset.id, numeric(`out ${outlet}`, { source }), held)
    }
  })
  const found = await assets.signals.ofLinks(view, ['link1', 'link2'])
  assert.deepEqual(
    found.map((signal) => signal.source),
    [
      { linkId: 'link1', outlet: 0 },
      { linkId: 'link1', outlet: 1 },
    ],
  )
  assert.deepEqual(
    await assets.feeds([{ businessId: business, connectorId: '', identity: '' }]),
    [],
  )
})

test('an invalid signal is rejected, and nothing of its asset is stored', async (t) => {
  const { assets, view } = await assetsFixture(t)
  const asset = await assets.create(view, { name: 'Boiler' })
  const tags = Object.fromEntries(Array.from({ length: limits.tagsMax + 1 }, (_, at) => [at, 'x']))
  const refused: Partial<NewSignal>[] = [
    { name: ' ' },
    { primitiveType: 'number' as 'NUMERIC' },
    { timeoutMs: 0 },
    { timeoutMs: 1.5 },
    { timeoutMs: assetLimits.signalTimeoutMsMax + 1 },
    { multiplier: Number.NaN },
    { min: 2, max: 1 },
    { tags },
    { source: { alias: '' } },
    { source: { alias: 'a', channel: '\0' } },
    { source: { linkId: 'l', outlet: assetLimits.outletsMax } },
    { source: { linkId: 'l', outlet: -1 } },
    { source: { alias: 'a', device: { connectorId: 'c', identity: '' } } },
  ]
  for (const part of refused) {
    const signal = { ...numeric('Heat'), ...part }
    await assert.rejects(assets.signals.create(view, asset.id, signal), {
      code: 'invalid_argument',
    })
    await assert.rejects(assets.create(view, { name: 'Other', signals: [signal] }), {
      code: 'invalid_argument',
    })
  }
  assert.equal(await assets.count(view), 1)
  assert.deepEqual(await assets.signals.ofAssets(view, [asset.id]), [])
})

test('an asset has as many signals as the limit, and not one more', async (t) => {
  const { assets, view } = await assetsFixture(t)
  const many = Array.from({ length: limits.signalsPerAssetMax }, (_, at) => numeric(`s${at}`))
  const more = [...many, numeric('one more')]
  await assert.rejects(assets.create(view, { name: 'Full', signals: more }), {
    code: 'invalid_argument',
  })
  const asset = await assets.create(view, { name: 'Full', signals: many.slice(1) })
  const adding = [1, 2, 3].map((at) => assets.signals.create(view, asset.id, numeric(`x${at}`)))
  const settled = await Promise.allSettled(adding)
  assert.equal(settled.filter((one) => one.status === 'fulfilled').length, 1)
  const signals = await assets.signals.ofAssets(view, [asset.id])
  assert.equal(signals.length, limits.signalsPerAssetMax)
})
