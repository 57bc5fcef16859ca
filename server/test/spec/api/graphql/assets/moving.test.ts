import { strict as assert } from 'node:assert'
import { type TestContext, test } from 'node:test'
import { type Json, limits } from '../../../../../src/foundation/kernel/index.ts'
import {
  ask,
  type GraphqlFixture,
  type GraphqlFixtureOptions,
  getData,
  graphqlFixture,
} from '../../../../fixtures/wire/graphql.ts'

const query = `query($filters: AssetFilters, $pagination: Pagination) {
  assets(filters: $filters, pagination: $pagination) { name location { latitude longitude } } }`
type Found = { name: string; location: { latitude: number | null; longitude: number | null } }

const berlin = { box: { south: 52, west: 13, north: 53, east: 14 } }
const nearBerlin = { near: { latitude: 52.52, longitude: 13.4, metres: 20_000 } }

/** An asset whose location is a signal, in a group of its own, and one with a fixed location. */
async function movingFixture(t: TestContext, options?: GraphqlFixtureOptions) {
  const fixture = await graphqlFixture(t, options)
  const { assets, view, database, groups, viewer } = fixture
  await assets.create(view, { name: 'Fixed', location: { latitude: 52.5, longitude: 13.5 } })
  const group = await groups.create(view, { name: 'Trucks' })
  const signals = [{ name: 'place', primitiveType: 'JSON' as const }]
  const truck = await assets.create(view, { name: 'Truck', groupId: group.id, signals })
  const [signal] = await assets.signals.ofAssets(view, [truck.id])
  assert.ok(signal)
  await assets.update(view, truck.id, { location: { signalId: signal.id } })
  let newest = 1_700_000_000_000_000
  const write = (value: Json, at?: number) => {
    newest += 1
    const values = [{ key: signal.key, ts: at ?? newest, value }]
    return database.transaction((held) => assets.writeValues(held, values))
  }
  const found = async (filters: object, token = viewer) => {
    const answer = await ask(fixture, token, query, { filters })
    return getData<{ assets: Found[] }>(answer).assets
  }
  const names = async (filters: object, token?: string) =>
    (await found(filters, token)).map(({ name }) => name)
  return { ...fixture, view, group, truck, signal, write, found, names }
}

test('an asset whose location is a signal enters and leaves a box with its values', async (t) => {
  const { found, names, write } = await movingFixture(t)
  for (const area of [berlin, nearBerlin]) {
    await write({ lat: 48.1, lng: 11.6 })
    assert.deepEqual(await names(area), ['Fixed'])
    await write({ lat: '52.52', lng: 13.4, alt: 34 })
    assert.deepEqual(await names(area), ['Fixed', 'Truck'])
    const [, truck] = await found(area)
    assert.deepEqual(truck?.location, { latitude: 52.52, longitude: 13.4 })
  }
  await write({ lat: 1, lng: 1 }, 5)
  assert.deepEqual(await names(berlin), ['Fixed', 'Truck'], 'a late value is not the newest')
  const byDistance = { ...nearBerlin, orderBy: 'distance' }
  assert.deepEqual(await names(byDistance), ['Truck', 'Fixed'])
  assert.deepEqual(await names({ ...berlin, ...nearBerlin, text: 'ruc' }), ['Truck'])
  await write({ lat: 53.01, lng: 13.4 })
  assert.deepEqual(await names(berlin), ['Fixed'])
})

test('a value that is no place matches nothing and breaks nothing', async (t) => {
  const { found, names, write } = await movingFixture(t)
  const earth = { box: { south: -90, west: -180, north: 90, east: 180 } }
  const malformed: readonly Json[] = [
    ...[null, true, 52.5, 'here', '{"lat":52.5', [], [52.5, 13.5], {}],
    ...[{ lat: 52.5 }, { lat: 91, lng: 13 }, { lat: 52, lng: 181 }, { lat: '', lng: 13 }],
    ...[
      { lat: 'N 52', lng: 13 },
      { lat: [52], lng: [13] },
      { latitude: 52, longitude: 13 },
    ],
  ]
  for (const value of malformed) {
    await write({ lat: 52.5, lng: 13.4 })
    assert.deepEqual(await names(berlin), ['Fixed', 'Truck'])
    await write(value)
    assert.deepEqual(await names(berlin), ['Fixed'], JSON.stringify(value))
    assert.deepEqual(await names(earth), ['Fixed'], JSON.stringify(value))
  }
  const [truck] = (await found({})).filter(({ name }) => name === 'Truck')
  assert.deepEqual(truck?.location, { latitude: null, longitude: null })
})

test('places that are values are for those who see the asset and its data', async (t) => {
  const fixture = await movingFixture(t)
  const { accounts, assets, business, groups, names, otherToken, makeToken, truck, view } = fixture
  await fixture.write({ lat: 52.5, lng: 13.4 })
  assert.deepEqual(await names(berlin, otherToken), [])
  const elsewhere = await groups.create(view, { name: 'Elsewhere' })
  assert.deepEqual(await names(berlin, await makeToken('Viewer', [elsewhere.id])), [])
  assert.deepEqual(await names(berlin, await makeToken('Viewer', [fixture.group.id])), ['Truck'])
  await accounts.createRole(business, { name: 'Lister', permissions: ['View Asset'] })
  const lister = await makeToken('Lister')
  assert.deepEqual(await names(berlin, lister), ['Fixed'])
  const listed = await fixture.found({ text: 'Truck' }, lister)
  assert.deepEqual(listed[0]?.location, { latitude: null, longitude: null })
  await assets.update(view, truck.id, { location: null })
  assert.deepEqual(await names(berlin), ['Fixed'], 'its signal is no location any more')
})

test('an index finds what moves in an area', async (t) => {
  const own = 'analyzes the tables, by which statements are planned'
  const fixture = await movingFixture(t, { own })
  const { assets, business, database, inRequest, texts, view } = fixture
  const values = await addMoving(fixture)
  const box = { south: 10, west: 20, north: 12, east: 40 }
  const inBox = values.filter(({ value: { lat, lng } }) => {
    return lat >= box.south && lat <= box.north && lng >= box.west && lng <= box.east
  })
  assert.ok(inBox.length > 0)
  const permissions = new Set(['View Asset Data'])
  const asked = { box, permissions, limit: limits.pageMax }
  const found = await inRequest(() => assets.list(view, asked))
  assert.equal(found.length, inBox.length)
  const text = texts().findLast((one) => one.includes('assets_latest l'))
  assert.ok(text)
  const given = [business, box.south, box.north, box.west, box.east, 100, 0]
  const plan = await database.rows<{ 'QUERY PLAN': string }>(`explain analyze ${text}`, given)
  const lines = plan.map((row) => row['QUERY PLAN']).join('\n')
  t.diagnostic(lines)
  assert.match(lines, /assets_latest_place/)
  assert.doesNotMatch(lines, /Seq Scan/)
})

/** Adds 10,000 assets whose locations are signals, over the whole earth. */
async function addMoving({ assets, business, database }: GraphqlFixture) {
  const count = 10_000
  await database.run(
    `with made as (
       insert into assets_asset (business_id, id, group_id, name, description, by_intake,
         created_at, location_signal)
       select $1, 'r' || n, (select group_id from assets_asset where business_id = $1 limit 1),
         'r' || n, '', false, n, 's' || n from generate_series(1, $2::int) n returning id
     )
     insert into assets_signal (business_id, id, asset_id, name, description, primitive_type, tags)
     select $1, 's' || substr(id, 2), id, 'place', '', 'JSON', '{}' from made`,
    [business, count],
  )
  const rows = await database.rows<{ key: number; n: number }>(
    `select key, substr(id, 2)::int as n from assets_signal
     where business_id = $1 and name = 'place' and id like 's%' order by key`,
    [business],
  )
  const values = rows.map(({ key, n }) => {
    const value = { lat: ((n * 37) % 1_801) / 10 - 90, lng: ((n * 101) % 3_601) / 10 - 180 }
    return { key, ts: n, value }
  })
  await database.transaction((held) => assets.writeValues(held, values))
  for (const table of ['assets_asset', 'assets_signal', 'assets_latest']) {
    await database.run(`analyze ${table}`)
  }
  return values
}
