import { strict as assert } from 'node:assert'
import { type TestContext, test } from 'node:test'
import { askOne, codes, graphqlFixture } from '../../../../fixtures/wire/graphql.ts'

const make = `mutation($input: CreateAssetInput!) { createAsset(input: $input) {
  id name device { identity } log { text severity }
  signals { name dataType dataUnit min max timeoutMs multiplier channel { id } } } }`
const set = `mutation($device: DeviceRefInput!, $values: JSON!) {
  setDeviceResources(device: $device, values: $values) {
    identity resources { name value reported } } }`

const config = {
  last_edited: '2026-01-01T00:00:00Z',
  channels: {
    '001': {
      display_name: 'Temperature',
      description: 'At the outlet',
      properties: {
        data_type: 'TEMPERATURE',
        primitive_type: 'NUMERIC',
        data_unit: 'DEG_CELSIUS',
        min: -10,
        max: 80,
      },
      protocol_config: { timeout: 60_000 },
      iot_properties: { multiplier: 0.1 },
    },
    '002': { display_name: 'Lamp', properties: { primitive_type: 'BOOLEAN', control: true } },
    '003': { properties: { data_type: 'TEMPERATURE', data_unit: 'FURLONG' } },
  },
}

/** A connector with two devices, the first of which has described its channels. */
async function fleetFixture(t: TestContext) {
  const fixture = await graphqlFixture(t)
  const { provisioning, business, view } = fixture
  const connector = await provisioning.connectors.create(business, {
    name: 'Pumps',
    resources: {
      config_io: { format: 'string', settable: true },
      data_in: { format: 'string' },
      level: { format: 'number', settable: true, allowed: ['0-10'] },
    },
  })
  for (const identity of ['p-1', 'p-2']) {
    await provisioning.identities.whitelist(business, connector.id, identity)
  }
  const values = { config_io: JSON.stringify(config) }
  await provisioning.setState(business, connector.id, 'p-1', values)
  const device = (identity: string) => ({ connectorId: connector.id, identity })
  return { ...fixture, all: view, device }
}

test("an asset has a signal of each channel that its device's config_io describes", async (t) => {
  const { device, askFor, operator, as } = await fleetFixture(t)
  const input = { name: 'Pump', device: device('p-1'), channelsOfDevice: true }
  const asset = await askFor<Record<string, unknown>>(operator, make, { input })
  const unset = { min: null, max: null, timeoutMs: null, multiplier: null }
  const heat = { dataType: 'TEMPERATURE', dataUnit: 'DEG_CELSIUS', min: -10, max: 80 }
  const none = { dataType: null, dataUnit: null }
  const odd = { dataType: 'TEMPERATURE', dataUnit: 'FURLONG' }
  const first = { ...heat, timeoutMs: 60_000, multiplier: 0.1, channel: { id: '001' } }
  assert.deepEqual(asset.signals, [
    { name: 'Temperature', ...first },
    { name: 'Lamp', ...unset, ...none, channel: { id: '002' } },
    { name: '003', ...unset, ...odd, channel: { id: '003' } },
  ])
  assert.deepEqual(asset.log, [
    {
      text: 'config_io: channel "003": the unit FURLONG is not in the catalogue of TEMPERATURE',
      severity: 'warning',
    },
  ])
  const again = await as(operator, make, { input })
  assert.deepEqual(codes(again), ['already_exists'])
})

test('a template takes its channels first, and the device describes the others', async (t) => {
  const { askFor, operator, device } = await fleetFixture(t)
  const source = { alias: 'data_in', channel: '001' }
  const signal = { name: 'Heat', primitiveType: 'NUMERIC', source }
  const { id: templateId } = await askFor<{ id: string }>(
    operator,
    'mutation($input: CreateTemplateInput!) { createTemplate(input: $input) { id } }',
    { input: { name: 'T', signals: [{ key: 'heat', signal }] } },
  )
  const input = { name: 'P', templateId, device: device('p-1'), channelsOfDevice: true }
  const asset = await askFor<{ signals: { name: string }[] }>(operator, make, {
    input,
  })
  assert.deepEqual(
    asset.signals.map(({ name }) => name),
    ['Heat', 'Lamp', '003'],
  )
})

test('an asset of a device that has described nothing is not made, in its row', async (t) => {
  const { device, askFor, operator } = await fleetFixture(t)
  const text = `mutation($inputs: [CreateAssetInput!]!) {
    createAssets(inputs: $inputs) { asset { name signals { name } } error { code message } } }`
  const of = (name: string, identity: string) => {
    return { name, device: device(identity), channelsOfDevice: true }
  }
  const inputs = [
    of('A', 'p-1'),
    of('B', 'p-2'),
    of('C', 'p-3'),
    { name: 'D', channelsOfDevice: true },
  ]
  const results = await askFor<{ asset: { signals: unknown[] }; error: { code: string } }[]>(
    operator,
    text,
    { inputs },
  )
  assert.deepEqual(
    results.map(({ asset, error }) => asset?.signals.length ?? error.code),
    [3, 'not_found', 'unknown_identity', 'invalid_argument'],
  )
})

test('resources of a device are set as the management API sets them', async (t) => {
  const fixture = await fleetFixture(t)
  const device = fixture.device('p-2')
  const { administrator: who } = fixture
  const kinds: string[] = []
  const end = fixture.eventlog.watch(device.connectorId, 'p-2', (entry) => {
    if (entry !== undefined) kinds.push(entry.kind)
  })
  t.after(end)
  const answer = await askOne(fixture, who, set, { device, values: { level: 7 } })
  const resources = [{ name: 'level', value: '7', reported: null }]
  assert.deepEqual(answer, { identity: 'p-2', resources })
  assert.deepEqual(kinds, ['set'], 'it went through the log')
  const log = '{ auditLog(filter: { action: "setDeviceResources" }) { target outcome source } }'
  const audited = await askOne(fixture, who, log)
  assert.deepEqual(audited, [{ target: 'p-2', outcome: 'done', source: 'graphql' }])
})
