import { strict as assert } from 'node:assert'
import { type TestContext, test } from 'node:test'
import {
  ask,
  codes,
  type GraphqlFixtureOptions,
  getData,
  graphqlFixture,
} from '../../../../fixtures/wire/graphql.ts'

/** Degrees north and degrees east. */
type Place = readonly [latitude: number, longitude: number]

const places: Readonly<Record<string, Place>> = {
  Berlin: [52.52, 13.405],
  Potsdam: [52.4, 13.06],
  Null: [0, 0],
  Suva: [-18.14, 178.44],
  Taveuni: [-16.85, -179.97],
  'Date line': [-17, 180],
  'North pole': [90, 40],
  Alert: [82.5, -62.35],
  Longyearbyen: [78.22, 15.65],
  'South pole': [-90, 0],
}

/** Assets at the places; one without a place, and one that a signal places. */
async function placesFixture(t: TestContext, options?: GraphqlFixtureOptions) {
  const fixture = await graphqlFixture(t, options)
  const { assets, view, viewer } = fixture
  for (const [name, [latitude, longitude]] of Object.entries(places)) {
    await assets.create(view, { name, location: { latitude, longitude } })
  }
  await assets.create(view, { name: 'Nowhere' })
  const signals = [{ name: 'place', primitiveType: 'JSON' as const }]
  const moving = await assets.create(view, { name: 'Moving', signals })
  const [signal] = await assets.signals.ofAssets(view, [moving.id])
  await assets.update(view, moving.id, { location: { signalId: signal?.id ?? '' } })
  const text = `query($filters: AssetFilters, $pagination: Pagination) {
    assets(filters: $filters, pagination: $pagination) { name } }`
  const asked = (filters: object, pagination: object | null = null) =>
    ask(fixture, viewer, text, { filters, pagination })
  const found = async (filters: object, pagination?: object) => {
    const data = getData<{ assets: { name: string }[] }>(await asked(filters, pagination))
    return data.assets.map(({ name }) => name)
  }
  return { ...fixture, asked, found, view }
}

const near = ([latitude, longitude]: Place, metres: number) => ({
  near: { latitude, longitude, metres },
})
const box = (south: number, west: number, north: number, east: number) => ({
  box: { south, west, north, east },
})

test('assets near a place are found, by their distance if it is asked', async (t) => {
  const { found } = await placesFixture(t)
  const berlin: Place = [52.52, 13.405]
  assert.deepEqual(await found(near(berlin, 0)), ['Berlin'])
  assert.deepEqual(await found(near(berlin, 26_000)), ['Berlin'], 'it is 26.9 km to Potsdam')
  assert.deepEqual(await found(near([52.4, 13.06], 28_000)), ['Berlin', 'Potsdam'])
  const byDistance = { orderBy: 'distance' }
  const fromPotsdam = near([52.4, 13.06], 28_000)
  assert.deepEqual(await found({ ...fromPotsdam, ...byDistance }), ['Potsdam', 'Berlin'])
  const far = { ...fromPotsdam, ...byDistance, sort: 'desc' }
  assert.deepEqual(await found(far), ['Berlin', 'Potsdam'])
  assert.deepEqual(await found({ ...fromPotsdam, ...byDistance }, { limit: 1, offset: 1 }), [
    'Berlin',
  ])
  assert.deepEqual(await found({ ...near(berlin, 20_015_115), text: 'Nu' }), ['Null'])
  assert.equal((await found(near(berlin, 20_015_115))).length, 10, 'the whole earth')
})

test('assets are near across the 180th meridian, and around the poles', async (t) => {
  const { found } = await placesFixture(t)
  const fiji = ['Suva', 'Taveuni', 'Date line']
  assert.deepEqual(await found(near([-17, 179.9], 220_000)), fiji)
  assert.deepEqual(await found(near([-17, -179.9], 220_000)), fiji)
  assert.deepEqual(await found(near([-17, -180], 1)), ['Date line'])
  const arctic = ['North pole', 'Alert', 'Longyearbyen']
  assert.deepEqual(await found(near([90, -100], 1_400_000)), arctic)
  assert.deepEqual(await found(near([89.9, -100], 20_000)), ['North pole'])
  const fromAlert = { ...near([82.5, -62.35], 2_000_000), orderBy: 'distance' }
  assert.deepEqual(await found(fromAlert), ['Alert', 'North pole', 'Longyearbyen'])
  assert.deepEqual(await found(near([-90, 77], 10)), ['South pole'])
})

test('assets in a box are found, its edges with it, also across the 180th meridian', async (t) => {
  const { found } = await placesFixture(t)
  assert.deepEqual(await found(box(52, 13, 53, 14)), ['Berlin', 'Potsdam'])
  assert.deepEqual(await found(box(52.4, 13.06, 52.4, 13.06)), ['Potsdam'])
  const fiji = ['Suva', 'Taveuni', 'Date line']
  assert.deepEqual(await found(box(-20, 177, -15, -178)), fiji)
  assert.deepEqual(await found(box(-20, 177, -15, 180)), ['Suva', 'Date line'])
  assert.deepEqual(await found(box(-20, -180, -15, -178)), ['Taveuni', 'Date line'])
  assert.deepEqual(await found(box(-20, -178, -15, 177)), [], 'the other way around')
  assert.deepEqual(await found(box(80, 0, 90, 20)), ['North pole'], 'all meridians meet there')
  assert.deepEqual(await found(box(-90, 100, -89, 110)), ['South pole'])
  assert.equal((await found(box(-90, -180, 90, 180))).length, 10)
  const both = { ...box(-20, 177, -15, -178), ...near([-18, 178.4], 50_000) }
  assert.deepEqual(await found(both), ['Suva'])
})

test('what is no area is refused with its reason', async (t) => {
  const { asked } = await placesFixture(t)
  const wrong: Readonly<Record<string, object>> = {
    'latitude is from': near([90.1, 0], 1),
    'longitude is from': near([0, -180.5], 1),
    'metres are from 0': near([0, 0], -1),
    'metres are from': near([0, 0], 30_000_000),
    'box: a latitude': box(-91, 0, 0, 0),
    'box: a longitude': box(0, 0, 0, 181),
    'south is at most north': box(10, 0, 5, 1),
    'needs near': { orderBy: 'distance' },
    'created, name or distance': { orderBy: 'size' },
  }
  for (const [reason, filters] of Object.entries(wrong)) {
    const answer = await asked(filters)
    assert.deepEqual(codes(answer), ['invalid_argument'], reason)
    assert.match(answer.errors?.[0]?.message ?? '', new RegExp(reason))
  }
  const after = { after: '00000000-0000-7000-8000-000000000000' }
  const paged = await asked({ ...near([0, 0], 1), orderBy: 'distance' }, after)
  assert.deepEqual(codes(paged), ['invalid_argument'])
  const half = await asked({ near: { latitude: 1, longitude: 1 } })
  assert.equal(half.data, undefined, 'a field is missing')
})

test('distances are those of a sphere wherever two places are, and an index is used', async (t) => {
  const own = 'analyzes the tables, by which statements are planned'
  const { assets, view, database, business } = await placesFixture(t, { own })
  await database.run(
    `insert into assets_asset (business_id, id, group_id, name, description, by_intake, created_at,
       latitude, longitude)
     select $1, 'r' || n, (select id from groups_group where business_id = $1), 'r' || n, '',
       false, n, (n * 37 % 1801) / 10.0 - 90, (n * 101 % 3601) / 10.0 - 180
     from generate_series(1, 3000) n`,
    [business],
  )
  await database.run('analyze assets_asset')
  const all = await assets.list(view, { text: 'r', limit: 1_000 })
  for (const [at, [latitude, longitude]] of Object.values(places).entries()) {
    const metres = 150_000 * (at + 1)
    const filter = { near: { latitude, longitude, metres }, text: 'r', limit: 1_000 }
    const found = new Set((await assets.list(view, filter)).map(({ id }) => id))
    for (const { id, location } of all) {
      if (location === null || !('latitude' in location)) continue
      const away = metresBetween([latitude, longitude], [location.latitude, location.longitude])
      if (Math.abs(away - metres) > 1) assert.equal(found.has(id), away < metres, `${id} ${away}`)
    }
  }
  const plan = await database.rows<{ 'QUERY PLAN': string }>(
    `explain select id from assets_asset a where a.business_id = '${business}'
     and a.latitude between 52 and 53 and (a.longitude >= 13 and a.longitude <= 14)`,
  )
  assert.match(JSON.stringify(plan), /assets_asset_place/)
})

/** By the cosines of unit vectors, which are another way than that of the statement. */
function metresBetween(one: Place, other: Place): number {
  const vector = ([latitude, longitude]: Place) => {
    const [north, east] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180]
    return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)]
  }
  const [a, b] = [vector(one), vector(other)]
  const product = a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
  return 6_371_008.8 * Math.acos(Math.min(1, Math.max(-1, product)))
}

test('assetCount counts those that filters find, whatever the page', async (t) => {
  const { as, assets, business, viewer, view, groups } = await placesFixture(t)
  const hall = await groups.create(view, { name: 'Hall' })
  const cell = await groups.create(view, { name: 'Cell', parentId: hall.id })
  await assets.create(view, { name: 'Nowhere else', groupId: cell.id })
  const text = `query($filters: AssetFilters, $groupId: ID) {
    assetCount(filters: $filters, groupId: $groupId) }`
  const count = async (filters: object | null, groupId: string | null = null) => {
    const answer = await as(viewer, text, { filters, groupId })
    return getData<{ assetCount: number }>(answer).assetCount
  }
  const all = Object.keys(places).length + 3
  assert.equal(await count(null), all)
  assert.equal(await count({ text: 'nowhere' }), 2)
  assert.equal(await count({ text: 'nowhere', group_id: hall.id }), 1)
  assert.equal(await count(null, hall.id), 1)
  assert.equal(await count({ level: ['critical'] }), 0)
  assert.equal(await count(near([52.4, 13.06], 28_000)), 2)
  const part = { businessId: business, groups: [hall.id] } as const
  assert.equal(await assets.count({ ...view, ...part }), 1)
})
