import { strict as assert } from 'node:assert'
import { type TestContext, test } from 'node:test'
import { toIso } from '../../../../src/foundation/kernel/index.ts'
import { setStatus } from '../../../fixtures/assets.ts'
import { codes, getData, graphqlFixture } from '../../../fixtures/wire/graphql.ts'

type Named = { readonly id: string; readonly name: string }

/** Root; Site with Hall in it; Yard. A pump in Hall, a gate in Yard. */
async function siteFixture(t: TestContext) {
  const fixture = await graphqlFixture(t)
  const { groups, assets, view: all } = fixture
  const site = await groups.create(all, { name: 'Site', description: 'North', customId: 'S1' })
  const hall = await groups.create(all, { name: 'Hall', parentId: site.id })
  const yard = await groups.create(all, { name: 'Yard' })
  const pumpOf = { name: 'Pump', description: 'Old and loud', groupId: hall.id }
  const signals = [{ name: 'level', primitiveType: 'NUMERIC' as const }]
  const pump = await assets.create(all, { ...pumpOf, signals })
  const gate = await assets.create(all, { name: 'Gate', groupId: yard.id, signals })
  return { ...fixture, all, site, yard, pump, gate }
}

test('assets are found by the worst level of their rules, normal without one', async (t) => {
  const { viewer, as, assets, all, database, business, pump, gate } = await siteFixture(t)
  await assets.create(all, { name: 'Well' })
  const levels = [
    [pump.id, 'a', 2],
    [pump.id, 'b', 4],
    [gate.id, 'a', 1],
    [gate.id, 'b', 0],
  ] as const
  await database.transaction(async (held) => {
    for (const [id, rule, level] of levels) {
      await setStatus(assets, held, business, id, rule, { ts: 1, level })
    }
  })
  const by = async (level: readonly string[]) => {
    const text = `query($filters: AssetFilters) {
      assets(filters: $filters) { name } assetCount(filters: $filters) }`
    const answer = await as(viewer, text, { filters: { level } })
    const data = getData<{ assets: { name: string }[]; assetCount: number }>(answer)
    assert.equal(data.assetCount, data.assets.length)
    return data.assets.map(({ name }) => name)
  }
  assert.deepEqual(await by(['error']), ['Pump'])
  assert.deepEqual(await by(['warning', 'info']), ['Gate'])
  assert.deepEqual(await by(['critical']), [])
  assert.deepEqual(await by(['normal']), ['Well'])
  assert.deepEqual(await by(['normal', 'error']), ['Pump', 'Well'])
  const each = await by(['normal', 'info', 'warning', 'critical', 'error'])
  assert.deepEqual(each.toSorted(), ['Gate', 'Pump', 'Well'])
})

test('assets are found by every filter of the field', async (t) => {
  const { viewer, as, assets, all, database, business, pump, gate, site } = await siteFixture(t)
  const [signal] = await assets.signals.ofAssets(all, [pump.id])
  await database.transaction((held) =>
    setStatus(assets, held, business, pump.id, 'rule', { ts: 1, level: 3 }),
  )
  await assets.update(all, gate.id, { location: { latitude: 52.5, longitude: 13.4 } })
  const found = async (variables: Record<string, unknown>) => {
    const text = `query($filters: AssetFilters, $ids: [ID], $pagination: Pagination) {
      assets(filters: $filters, ids: $ids, pagination: $pagination, includeTemplates: false) {
        id name } }`
    const answer = getData<{ assets: Named[] }>(await as(viewer, text, variables))
    return answer.assets.map(({ name }) => name)
  }
  const by = (filters: object) => found({ filters })
  assert.deepEqual(await found({ filters: {}, ids: null, pagination: null }), ['Pump', 'Gate'])
  assert.deepEqual(await found({ ids: [gate.id, 'none'] }), ['Gate'])
  assert.deepEqual(await by({ text: 'OUD' }), ['Pump'])
  assert.deepEqual(await by({ text: 'at' }), ['Gate'], 'shorter than the index has')
  assert.deepEqual(await by({ text: '%' }), [])
  assert.deepEqual(await by({ group_id: site.id }), ['Pump'])
  assert.deepEqual(await by({ level: ['Critical', 'error'] }), ['Pump'])
  assert.deepEqual(await by({ level: ['normal'] }), ['Gate'])
  assert.deepEqual(await by({ signalIds: [signal?.id] }), ['Pump'])
  assert.deepEqual(await by({ location: true }), ['Gate'])
  assert.deepEqual(await by({ location: false }), ['Pump'])
  assert.deepEqual(await by({ orderBy: 'name', sort: 'asc' }), ['Gate', 'Pump'])
  assert.deepEqual(await by({ sort: 'desc' }), ['Gate', 'Pump'])
  assert.deepEqual(await by({ created_from: toIso(pump.createdAt) }), ['Pump', 'Gate'])
  assert.deepEqual(await by({ created_to: toIso(pump.createdAt) }), [])
  assert.deepEqual(await found({ pagination: { limit: 1, after: pump.id } }), ['Gate'])
  assert.deepEqual(await found({ pagination: { after: gate.id } }), [])
})

test('a filter that nobody can mean is refused by name', async (t) => {
  const { viewer, as } = await siteFixture(t)
  for (const filters of [
    '{ level: ["bad"] }',
    '{ orderBy: "size" }',
    '{ sort: "up" }',
    '{ created_from: "yesterday" }',
  ]) {
    const answer = await as(viewer, `{ assets(filters: ${filters}) { id } }`)
    assert.deepEqual(codes(answer), ['invalid_argument'], filters)
  }
})

test('an asset is changed, moved and locked', async (t) => {
  const { operator, as, pump, yard } = await siteFixture(t)
  const change = (input: object) =>
    as(
      operator,
      `mutation($id: ID!, $input: UpdateAssetInput!) { updateAsset(id: $id, input: $input) {
        name description meta locked assetType { name } template { id } parent { name }
        location { mode signal latitude longitude } } }`,
      { id: pump.id, input },
    )
  const location = { latitude: 52.5, longitude: 13.4 }
  const more = { meta: { serial: 7 }, assetType: 'pump', location, locked: true }
  const { updateAsset } = getData<{ updateAsset: object }>(
    await change({ name: 'Pump 1', groupId: yard.id, ...more }),
  )
  assert.deepEqual(updateAsset, {
    name: 'Pump 1',
    description: 'Old and loud',
    meta: { serial: 7 },
    locked: true,
    assetType: { name: 'pump' },
    template: null,
    parent: { name: 'Yard' },
    location: { mode: 'fixed', signal: null, ...location },
  })
  assert.deepEqual(codes(await change({ name: 'x' })), ['invalid_argument'])
  const remove = await as(operator, `mutation { deleteAsset(id: "${pump.id}") { id } }`)
  assert.deepEqual(codes(remove), ['invalid_argument'])
  getData(await change({ locked: false }))
  for (const wrong of [
    { name: ' ' },
    { location: { latitude: 91, longitude: 0 } },
    { location: { latitude: 1 } },
    { location: { signal: 'none' } },
    { meta: { long: 'x'.repeat(20_000) } },
  ]) {
    assert.deepEqual(codes(await change(wrong)), ['invalid_argument'], JSON.stringify(wrong))
  }
})
