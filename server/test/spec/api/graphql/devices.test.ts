import { strict as assert } from 'node:assert'
import { type TestContext, test } from 'node:test'
import { codes, getData, graphqlFixture } from '../../../fixtures/wire/graphql.ts'

/** Two connectors with devices a1, a2 and b1; Site, with Hall in it. A token that sees Site. */
async function fleet(t: TestContext) {
  const fixture = await graphqlFixture(t)
  const { groups, provisioning, business, view: all } = fixture
  const root = await groups.root(all)
  const site = await groups.create(all, { name: 'Site' })
  const hall = await groups.create(all, { name: 'Hall', parentId: site.id })
  const resources = { level: { format: 'number', settable: true } }
  const make = (name: string) => {
    const id = `${name}-${business}`
    return provisioning.connectors.create(business, { id, name, resources })
  }
  const [pumps, gates] = [await make('pumps'), await make('gates')]
  for (const identity of ['a1', 'a2']) {
    const tags = [{ name: 'floor', value: identity }]
    await provisioning.identities.whitelist(business, pumps.id, identity, { tags })
  }
  await provisioning.identities.whitelist(business, gates.id, 'b1')
  const ofSite = await fixture.makeToken('Administrator', [site.id])
  return { ...fixture, all, root, site, hall, pumps, gates, ofSite }
}

type Fleet = Awaited<ReturnType<typeof fleet>>

const claim = `mutation($identity: String!, $connectorId: ID!, $groupId: ID!) {
  claimDevice(device: { connectorId: $connectorId, identity: $identity }, groupId: $groupId) {
    id identity group { name } } }`

async function readIdentities({ as }: Fleet, who: string, rest: object = {}): Promise<string[]> {
  const text = `query($product: String, $filters: DeviceFilters, $ids: [ID], $page: Pagination) {
    devices(product: $product, filters: $filters, ids: $ids, pagination: $page) { identity } }`
  const answer = await as(who, text, { filters: {}, ids: null, page: null, ...rest })
  return getData<{ devices: { identity: string }[] }>(answer).devices.map(
    ({ identity }) => identity,
  )
}

test('devices are found by every filter of the field', async (t) => {
  const found = await fleet(t)
  const { administrator, as, site, hall, root, pumps, gates, assets, all } = found
  const { provisioning, business } = found
  const devices = (rest?: object) => readIdentities(found, administrator, rest)
  const by = (filters: object) => devices({ filters })
  assert.deepEqual(await devices(), ['b1', 'a1', 'a2'], 'by connector and identity')
  assert.deepEqual(await devices({ product: pumps.id }), ['a1', 'a2'])
  assert.deepEqual(await devices({ ids: ['a2', 'b1', 'none'] }), ['b1', 'a2'])
  assert.deepEqual(await devices({ ids: [`${pumps.id}.a2`] }), ['a2'], 'by the id of the business')
  assert.deepEqual(await devices({ page: { limit: 1, offset: 1 } }), ['a1'])
  assert.deepEqual(await devices({ page: { limit: 2, after: `${gates.id}.b1` } }), ['a1', 'a2'])
  assert.deepEqual(await by({ text: 'A' }), ['a1', 'a2'])
  assert.deepEqual(await by({ sort: 'desc' }), ['a2', 'a1', 'b1'])
  await provisioning.identities.change(business, pumps.id, 'a2', { locked: true })
  assert.deepEqual(await by({ status: 'Locked' }), ['a2'])
  assert.deepEqual(await by({ status: 'whitelisted' }), ['b1', 'a1'])
  assert.deepEqual(await by({ health_status: 'online' }), [])
  assert.deepEqual(await by({ health_status: 'healthy' }), [])
  for (const health_status of ['offline', 'Unhealthy']) {
    assert.deepEqual(await by({ health_status }), ['b1', 'a1', 'a2'])
  }
  const where = { connectorId: pumps.id, identity: 'a1', groupId: hall.id }
  getData(await as(administrator, claim, where))
  assert.deepEqual(await by({ group_id: site.id }), ['a1'], 'with the groups below')
  assert.deepEqual(await by({ group_id: root.id }), ['b1', 'a1', 'a2'])
  await assets.create(all, { name: 'A', device: { connectorId: pumps.id, identity: 'a1' } })
  assert.deepEqual(await by({ only_unused: true }), ['b1', 'a2'])
  assert.deepEqual(await by({ single: true }), ['a1'])
  for (const filters of [{ status: 'odd' }, { health_status: 'odd' }, { sort: 'odd' }]) {
    const text = 'query($filters: DeviceFilters) { devices(filters: $filters) { id } }'
    assert.deepEqual(codes(await as(administrator, text, { filters })), ['invalid_argument'])
  }
})

test('a device has a name and a description, by which it is found', async (t) => {
  const { administrator, as, pumps } = await fleet(t)
  const input = { name: 'Pump 1', description: 'Old and loud' }
  const device = { connectorId: pumps.id, identity: 'a1' }
  const change = `mutation($device: DeviceRefInput!, $input: UpdateDeviceInput!) {
    updateDevice(device: $device, input: $input) { name } }`
  getData(await as(administrator, change, { device, input }))
  const text = `{ devices(filters: { text: "LOUD" }) { identity connectorId name description status
    group { name parent_id } } }`
  const group = { name: 'Root', parent_id: null }
  const found = { ...device, ...input, status: 'whitelisted', group }
  assert.deepEqual(getData(await as(administrator, text)), { devices: [found] })
})

test('who sees a group sees the devices that were claimed into it, and no others', async (t) => {
  const found = await fleet(t)
  const { administrator, ofSite, as, hall, site, pumps } = found
  assert.deepEqual(await readIdentities(found, ofSite), [], 'all lie in the root at first')
  const a1 = { connectorId: pumps.id, identity: 'a1' }
  getData(await as(administrator, claim, { ...a1, groupId: hall.id }))
  assert.deepEqual(await readIdentities(found, ofSite), ['a1'])
  assert.deepEqual(await readIdentities(found, ofSite, { ids: ['a1', 'a2', 'b1'] }), ['a1'])
  const nested = `{ devices { identity name }
    groups { name devices { identity } totals { devices } } }`
  assert.deepEqual(getData(await as(ofSite, nested)), {
    devices: [{ identity: 'a1', name: 'a1' }],
    groups: [
      { name: 'Site', devices: [], totals: { devices: 0 } },
      { name: 'Hall', devices: [{ identity: 'a1' }], totals: { devices: 1 } },
    ],
  })
  const recursive = `{ groups(filters: { group_id: "${site.id}" }) {
    totals(recurse: true) { devices } own: totals(recurse: null) { devices } } }`
  const totals = { totals: { devices: 1 }, own: { devices: 0 } }
  assert.deepEqual(getData(await as(ofSite, recursive)), { groups: [totals] })
  const made = (identity: string) => `mutation { createAsset(input: { name: "x",
    device: { connectorId: "${pumps.id}", identity: "${identity}" } }) { name } }`
  assert.deepEqual(getData(await as(ofSite, made('a1'))), { createAsset: { name: 'x' } })
  assert.deepEqual(codes(await as(ofSite, made('a2'))), ['not_found'])
})

test('a device is claimed by one who sees it and the group, all of several or none', async (t) => {
  const found = await fleet(t)
  const { administrator, ofSite, as, hall, root, groups, all, site, pumps } = found
  const a1 = { connectorId: pumps.id, identity: 'a1' }
  const many = `mutation($devices: [DeviceRefInput!]!, $groupId: ID!) {
    claimDevices(devices: $devices, groupId: $groupId) { identity } }`
  const missing = { devices: [a1, { ...a1, identity: 'none' }], groupId: hall.id }
  assert.deepEqual(codes(await as(administrator, many, missing)), ['not_found'])
  assert.deepEqual(await readIdentities(found, ofSite), [], 'none was moved')
  const both = { devices: [a1, { ...a1, identity: 'a2' }], groupId: hall.id }
  getData(await as(administrator, many, both))
  assert.deepEqual(await readIdentities(found, ofSite), ['a1', 'a2'])
  assert.deepEqual(codes(await as(ofSite, claim, { ...a1, groupId: root.id })), ['not_found'])
  await assert.rejects(groups.remove(all, hall.id), /2 devices \(/)
  getData(await as(ofSite, claim, { ...a1, groupId: site.id }))
  getData(await as(administrator, claim, { ...a1, groupId: root.id }))
  assert.deepEqual(await readIdentities(found, ofSite), ['a2'])
})

test('devices are claimed each for itself: one that is not there has an error', async (t) => {
  const found = await fleet(t)
  const { administrator, ofSite, as, hall, pumps } = found
  const each = `mutation($devices: [DeviceRefInput!]!, $groupId: ID!) {
    claimEachDevice(devices: $devices, groupId: $groupId) {
      device { identity } error { code message } } }`
  const device = (identity: string, connectorId = pumps.id) => ({ connectorId, identity })
  const missing = (identity: string, connectorId = pumps.id) => ({
    device: null,
    error: {
      code: 'not_found',
      message: `There is no device ${identity} of a connector ${connectorId}.`,
    },
  })
  const devices = [
    device('none'),
    device('a1'),
    device('a\0'),
    device('a2', 'elsewhere'),
    device('a2'),
    device('a1'),
  ]
  const answer = await as(administrator, each, { devices, groupId: hall.id })
  assert.deepEqual(getData<{ claimEachDevice: object[] }>(answer).claimEachDevice, [
    missing('none'),
    { device: { identity: 'a1' }, error: null },
    missing('a\0'),
    missing('a2', 'elsewhere'),
    { device: { identity: 'a2' }, error: null },
    { device: { identity: 'a1' }, error: null },
  ])
  assert.deepEqual(await readIdentities(found, ofSite), ['a1', 'a2'])
  const none = { devices: [], groupId: hall.id }
  assert.deepEqual(codes(await as(administrator, each, none)), ['invalid_argument'])
  assert.deepEqual(await readIdentities(found, ofSite), ['a1', 'a2'])
})

test('a hundred devices cost as many statements as one', async (t) => {
  const fixture = await fleet(t)
  const { provisioning, business, gates, administrator, as, statements } = fixture
  for (let at = 0; at < 100; at += 1) {
    await provisioning.identities.whitelist(business, gates.id, `c${at}`)
  }
  const text = `query($limit: Int) { devices(pagination: { limit: $limit }) {
    id group { name } tags { name } resources { name } } }`
  const count = async (limit: number) => {
    const before = statements()
    getData(await as(administrator, text, { limit }))
    return statements() - before
  }
  await count(1)
  // Devices; the root and its group; connectors and values.
  assert.equal(await count(1), 5)
  assert.equal(await count(100), 5)
  const groups = `{ groups { devices { id } users { id } roles { name }
    totals { devices users assets groups } } }`
  const before = statements()
  getData(await as(administrator, groups))
  const three = statements() - before
  for (let at = 0; at < 20; at += 1) await fixture.groups.create(fixture.all, { name: `g${at}` })
  const between = statements()
  getData(await as(administrator, groups))
  assert.equal(statements() - between, three)
})
