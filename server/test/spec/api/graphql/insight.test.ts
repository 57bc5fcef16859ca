import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { limits, toIso } from '../../../../src/foundation/kernel/index.ts'
import { setStatus } from '../../../fixtures/assets.ts'
import { until } from '../../../fixtures/engine.ts'
import { fakeModule, insight, module } from '../../../fixtures/pipelines.ts'
import {
  ask,
  codes,
  type GraphqlFixture,
  getData,
  graphqlFixture,
} from '../../../fixtures/wire/graphql.ts'

/** An asset with one numeric signal. */
async function makePump(fixture: GraphqlFixture) {
  const { id: assetId } = await fixture.assets.create(fixture.view, {
    name: 'Pump',
    signals: [{ name: 'temperature', primitiveType: 'NUMERIC' }],
  })
  const [signal] = await fixture.assets.signals.ofAssets(fixture.view, [assetId])
  return { assetId, signalId: signal?.id ?? '' }
}

/** Links the function of thresholds to the signal of an asset. */
async function linkThreshold(
  fixture: GraphqlFixture,
  { assetId, signalId }: { readonly assetId: string; readonly signalId: string },
) {
  const input = {
    assetId,
    moduleId: 'builtin',
    functionId: 'threshold',
    name: 'Too hot',
    constants: { warning: 60, critical: 80 },
    inlets: [{ signalId }],
  }
  const { linkFunction } = getData<{ linkFunction: Record<string, unknown> }>(
    await ask(
      fixture,
      fixture.operator,
      `mutation($input: LinkFunctionInput!) { linkFunction(input: $input) {
        id assetId moduleId functionId groupId name type constants inlets outlets createdAt } }`,
      { input },
    ),
  )
  return linkFunction
}

test('a function is linked to a signal, and the asset has the link', async (t) => {
  const fixture = await graphqlFixture(t)
  const pump = await makePump(fixture)
  const link = await linkThreshold(fixture, pump)
  assert.deepEqual([link.name, link.type, link.inlets], ['Too hot', 'rule', [pump.signalId]])
  assert.equal((link.constants as { critical: number }).critical, 80)
  type Read = { assets: { links: object[]; signals: { source: object }[] }[] }
  const read = getData<Read>(
    await ask(
      fixture,
      fixture.viewer,
      '{ assets { links { id outlets } signals { id source { linkId outlet } } } }',
    ),
  )
  const [asset] = read.assets
  assert.deepEqual(asset?.links, [{ id: link.id, outlets: link.outlets }])
  assert.deepEqual(asset?.signals[1]?.source, { linkId: link.id, outlet: 0 })
})

test('the statuses of an asset have their rule, signal, category and level as text', async (t) => {
  const fixture = await graphqlFixture(t)
  const { assets, business, database } = fixture
  const pump = await makePump(fixture)
  const { id: ruleId } = await linkThreshold(fixture, pump)
  const { assetId, signalId } = pump
  const ts = Date.now() * 1_000
  await database.transaction((held) =>
    setStatus(assets, held, business, assetId, String(ruleId), {
      ts,
      level: 3,
      signalId,
      value: 81,
    }),
  )
  const place = { ruleId, signalId, category: 'default', level: 'critical' }
  const answer = await ask(
    fixture,
    fixture.viewer,
    `{ assets { status { ruleId signalId category level }
         statuses { ruleId signalId category level ts since type value }
         events { ruleId signalId category level } } }`,
  )
  assert.deepEqual(getData(answer), {
    assets: [
      {
        status: place,
        statuses: [{ ...place, ts: toIso(ts), since: toIso(ts), type: null, value: 81 }],
        events: [place],
      },
    ],
  })
})

test('inputs that are JSON are refused where they are not what is meant', async (t) => {
  const { assets, view, as, operator } = await graphqlFixture(t)
  const { id } = await assets.create(view, { name: 'Pump' })
  for (const tags of [[1], 'x', { a: 1 }, { a: null }]) {
    const answer = await as(
      operator,
      `mutation($tags: JSON) { createSignal(assetId: "${id}",
        input: { name: "s", primitiveType: STRING, tags: $tags }) { id } }`,
      { tags },
    )
    assert.deepEqual(codes(answer), ['invalid_argument'], JSON.stringify(tags))
  }
  const constants = await as(
    operator,
    `mutation { linkFunction(input: { assetId: "${id}", moduleId: "builtin",
      functionId: "threshold", constants: [1], inlets: [] }) { id } }`,
  )
  assert.deepEqual(codes(constants), ['invalid_argument'])
})

const devicesQuery = `query($page: Pagination) { connectors { devices(pagination: $page) {
  identity status online lastSeen lastIp resources { name value reported timestamp } } } }`

test('connectors are listed with their devices, by page, and what these hold', async (t) => {
  const { administrator, as, business, provisioning } = await graphqlFixture(t)
  const resources = { level: { format: 'number', settable: true, initial: '5' } }
  const wanted = { name: 'Pumps', devmode: true, resources }
  const { id } = await provisioning.connectors.create(business, wanted)
  for (const identity of ['p-1', 'p-2', 'p-3']) {
    await provisioning.identities.whitelist(business, id, identity)
  }
  await provisioning.setState(business, id, 'p-1', { level: 7 })
  const list = async (page?: object) => {
    type Read = { connectors: { devices: Record<string, unknown>[] }[] }
    const { connectors } = getData<Read>(await as(administrator, devicesQuery, { page }))
    return connectors[0]?.devices ?? []
  }
  const devices = await list()
  const [{ resources: held, ...facts } = {}] = devices
  const [{ timestamp, ...level }] = held as [{ timestamp: string }]
  assert.match(timestamp, /\.\d{6}Z$/)
  assert.deepEqual(level, { name: 'level', value: '7', reported: null })
  const unseen = { online: false, lastSeen: null, lastIp: null }
  assert.deepEqual(facts, { identity: 'p-1', status: 'whitelisted', ...unseen })
  assert.equal(devices.length, 3)
  assert.deepEqual(await list({ limit: 2, offset: 1 }), devices.slice(1))
  assert.deepEqual(await list({ limit: 0 }), [])
  const page = { limit: limits.pageMax, offset: 1 }
  assert.deepEqual(codes(await as(administrator, devicesQuery, { page })), ['invalid_argument'])
})

test('a module whose lifecycle endpoint is silent delays no request of a user', async (t) => {
  const fixture = await graphqlFixture(t)
  const { assets, business, view, pipelines } = fixture
  const silent = await fakeModule(t, {
    ...module([insight('f')], { wants_lifecycle_events: true }),
    'POST /lifecycle': () => {},
  })
  const { id: moduleId } = await pipelines.modules.add(business, { url: silent.url })
  const { assetId, signalId } = await makePump(fixture)
  const notices = () => silent.bodies('POST /lifecycle').length
  const input = { assetId, moduleId, functionId: 'f', inlets: [{ signalId }] }
  const link = 'mutation($input: LinkFunctionInput!) { linkFunction(input: $input) { id } }'
  getData(await ask(fixture, fixture.operator, link, { input }))
  await until(async () => notices() === 1)
  const remove = `mutation { deleteAsset(id: "${assetId}") { id } }`
  const gone = await ask(fixture, fixture.operator, remove)
  assert.deepEqual(getData(gone), { deleteAsset: { id: assetId } })
  await assert.rejects(assets.get(view, assetId), { code: 'not_found' })
  assert.deepEqual(await pipelines.links.ofAssets(view, [assetId]), [])
  assert.deepEqual(await assets.signals.ofAssets(view, [assetId]), [])
  const again = await ask(fixture, fixture.operator, remove)
  assert.deepEqual(codes(again), ['not_found'])
})
