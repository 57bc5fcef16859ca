import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { wholeView } from '../../../src/groups/index.ts'
import { isoOf, limits } from '../../../src/kernel/index.ts'
import { setStatus } from '../../fixtures/assets.ts'
import { until } from '../../fixtures/engine.ts'
import { fakeModule, insight, module } from '../../fixtures/pipelines.ts'
import {
  type Answer,
  ask,
  codes,
  type GraphqlFixture,
  graphqlFixture,
} from '../../fixtures/wire/graphql.ts'

/** The data of an answer without errors, of the shape that its document gives it. */
function dataOf<Data>(answer: Answer): Data {
  assert.equal(answer.errors, undefined, JSON.stringify(answer.errors))
  return answer.data as Data
}

/** An asset with one numeric signal. */
async function makePump(fixture: GraphqlFixture) {
  const { id: assetId } = await fixture.assets.create(wholeView(fixture.business), {
    name: 'Pump',
    signals: [{ name: 'temperature', primitiveType: 'NUMERIC' }],
  })
  const [signal] = await fixture.assets.signals.ofAssets(wholeView(fixture.business), [assetId])
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
  const { linkFunction } = dataOf<{ linkFunction: Record<string, unknown> }>(
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

test('modules and their functions are found', async (t) => {
  const fixture = await graphqlFixture(t)
  type Found = { modules: object[]; functions: { id: string; inlets: object[] }[] }
  const found = dataOf<Found>(
    await ask(
      fixture,
      fixture.operator,
      `{ modules { id name description url complaints }
         functions(moduleId: "builtin") { id name type
           constants { name type default enum minimum multiple }
           inlets { name primitiveType dataType dataUnit } outlets { primitiveType } } }`,
    ),
  )
  assert.deepEqual(found.modules[0], {
    id: 'builtin',
    name: 'Built-in functions',
    description: null,
    url: null,
    complaints: [],
  })
  const threshold = found.functions.find(({ id }) => id === 'threshold')
  assert.deepEqual(threshold?.inlets, [
    { name: 'value', primitiveType: 'NUMERIC', dataType: [], dataUnit: [] },
  ])
})

test('a function is linked to a signal, and the asset has the link', async (t) => {
  const fixture = await graphqlFixture(t)
  const pump = await makePump(fixture)
  const link = await linkThreshold(fixture, pump)
  assert.deepEqual([link.name, link.type, link.inlets], ['Too hot', 'rule', [pump.signalId]])
  assert.equal((link.constants as { critical: number }).critical, 80)
  type Read = { assets: { links: object[]; signals: { source: object }[] }[] }
  const read = dataOf<Read>(
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
  assert.deepEqual(dataOf(answer), {
    assets: [
      {
        status: place,
        statuses: [{ ...place, ts: isoOf(ts), since: isoOf(ts), type: null, value: 81 }],
        events: [place],
      },
    ],
  })
})

test('an asset is deleted together with its links', async (t) => {
  const fixture = await graphqlFixture(t)
  const { assetId, signalId } = await makePump(fixture)
  const link = await fixture.pipelines.links.create(wholeView(fixture.business), {
    assetId,
    moduleId: 'builtin',
    functionId: 'threshold',
    constants: { warning: 1 },
    inlets: [{ signalId }],
  })
  dataOf(await ask(fixture, fixture.operator, `mutation { deleteAsset(id: "${assetId}") { id } }`))
  await assert.rejects(fixture.pipelines.links.get(wholeView(fixture.business), link.id), {
    code: 'not_found',
  })
})

test('inputs that are JSON are refused where they are not what is meant', async (t) => {
  const fixture = await graphqlFixture(t)
  const { id } = await fixture.assets.create(wholeView(fixture.business), { name: 'Pump' })
  for (const tags of [[1], 'x', { a: 1 }, { a: null }]) {
    const answer = await ask(
      fixture,
      fixture.operator,
      `mutation($tags: JSON) { createSignal(assetId: "${id}",
        input: { name: "s", primitiveType: STRING, tags: $tags }) { id } }`,
      { tags },
    )
    assert.deepEqual(codes(answer), ['invalid_argument'], JSON.stringify(tags))
  }
  const constants = await ask(
    fixture,
    fixture.operator,
    `mutation { linkFunction(input: { assetId: "${id}", moduleId: "builtin",
      functionId: "threshold", constants: [1], inlets: [] }) { id } }`,
  )
  assert.deepEqual(codes(constants), ['invalid_argument'])
})

/** A connector with three devices, one of which is to have a level of 7. */
async function makeDevices(fixture: GraphqlFixture) {
  const { connectors, identities } = fixture.provisioning
  const resource = { format: 'number', settable: true, initial: '5' }
  const connector = await connectors.create(fixture.business, {
    name: 'Pumps',
    devmode: true,
    resources: { level: resource },
  })
  for (const identity of ['p-1', 'p-2', 'p-3']) {
    await identities.whitelist(fixture.business, connector.id, identity)
  }
  await fixture.provisioning.setState(fixture.business, connector.id, 'p-1', { level: 7 })
}

const askDevices = (fixture: GraphqlFixture, page?: object) =>
  ask(
    fixture,
    fixture.administrator,
    `query($page: Pagination) { connectors { id name description
      devices(pagination: $page) { identity status online lastSeen lastIp
        resources { name value reported timestamp } state { connected lastHeard } } } }`,
    { page },
  )

async function listDevices(fixture: GraphqlFixture, page?: object) {
  type Read = { connectors: { devices: Record<string, unknown>[] }[] }
  return dataOf<Read>(await askDevices(fixture, page)).connectors[0]?.devices
}

test('connectors are listed with their devices and what these hold', async (t) => {
  const fixture = await graphqlFixture(t)
  await makeDevices(fixture)
  const devices = await listDevices(fixture)
  assert.equal(devices?.length, 3)
  const first = devices?.find((device) => device.identity === 'p-1')
  const [{ timestamp, ...level }] = first?.resources as [{ timestamp: string }]
  assert.match(timestamp, /\.\d{6}Z$/)
  assert.deepEqual(level, { name: 'level', value: '7', reported: null })
  const { resources: _, ...facts } = first ?? {}
  assert.deepEqual(facts, {
    identity: 'p-1',
    status: 'whitelisted',
    online: false,
    lastSeen: null,
    lastIp: null,
    state: { connected: false, lastHeard: null },
  })
})

test('devices of connectors are listed by page', async (t) => {
  const fixture = await graphqlFixture(t)
  await makeDevices(fixture)
  const devices = await listDevices(fixture)
  assert.equal(devices?.length, 3)
  assert.deepEqual(await listDevices(fixture, { limit: 2, offset: 1 }), devices?.slice(1))
  assert.deepEqual(await listDevices(fixture, { limit: 0 }), [])
  const refused = await askDevices(fixture, { limit: limits.pageMax, offset: 1 })
  assert.deepEqual(codes(refused), ['invalid_argument'])
})

test('a module whose lifecycle endpoint is silent delays no request of a user', async (t) => {
  const fixture = await graphqlFixture(t)
  const { assets, business, pipelines } = fixture
  const silent = await fakeModule(t, {
    ...module([insight('f')], { wants_lifecycle_events: true }),
    'POST /lifecycle': () => {},
  })
  const { id: moduleId } = await pipelines.modules.add(business, { url: silent.url })
  const { assetId, signalId } = await makePump(fixture)
  const notices = () => silent.bodies('POST /lifecycle').length
  const input = { assetId, moduleId, functionId: 'f', inlets: [{ signalId }] }
  const link = 'mutation($input: LinkFunctionInput!) { linkFunction(input: $input) { id } }'
  dataOf(await ask(fixture, fixture.operator, link, { input }))
  await until(async () => notices() === 1)
  const remove = `mutation { deleteAsset(id: "${assetId}") { id } }`
  const gone = await ask(fixture, fixture.operator, remove)
  assert.deepEqual(dataOf(gone), { deleteAsset: { id: assetId } })
  await assert.rejects(assets.get(wholeView(business), assetId), { code: 'not_found' })
  assert.deepEqual(await pipelines.links.ofAssets(wholeView(business), [assetId]), [])
  assert.deepEqual(await assets.signals.ofAssets(wholeView(business), [assetId]), [])
  const again = await ask(fixture, fixture.operator, remove)
  assert.deepEqual(codes(again), ['not_found'])
})
