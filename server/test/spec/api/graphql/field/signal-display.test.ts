import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { graphqlFixture } from '../../../../fixtures/wire/graphql.ts'

const unit = { dataType: 'TEMPERATURE', dataUnit: 'DEG_CELSIUS' }
const range = { precision: 2, min: -10, max: 120, multiplier: null, offset: null }
const rates = { sampleRateMs: 500, reportRateMs: 1_000, timeoutMs: 5_000 }
const named = { channel: '001', name: 'Heat', description: '', control: true }
const channel = { ...named, ...unit, ...range, ...rates, primitiveType: 'NUMERIC' as const }

const shownSignal = {
  visualize: true,
  record: false,
  favorite: true,
  archived: false,
  control: true,
  deviceDiagnostic: false,
  baseline: null,
  target: 60,
  sampleRate: 500,
  reportRate: { value: 1_000, channel: 1_000, signal: null },
  displayFormat: '0.0',
  locked: false,
  tag: null,
  timeout: { value: 5_000 },
  signalMin: { value: -10 },
  precision: { channel: 2 },
  units: { id: 'DEG_CELSIUS' },
  root: true,
}

test('a signal says how it is shown, and what its channel says of it', async (t) => {
  const { as, assets, business, view: all, administrator, database } = await graphqlFixture(t)
  const { id } = await assets.create(all, { name: 'Pump' })
  const device = { connectorId: 'c', identity: 'd' }
  const description = { businessId: business, assetId: id, device, channels: [channel] }
  const sync = () => database.transaction((held) => assets.syncChannels(held, [description]))
  await sync()
  const [signal] = await assets.signals.ofAssets(all, [id])
  const input = { display: { favorite: true, target: 60, displayFormat: '0.0', record: false } }
  const change = `mutation($id: ID!, $input: UpdateSignalInput!) {
    updateSignal(id: $id, input: $input) { id } }`
  const changed = await as(administrator, change, { id: signal?.id, input })
  assert.equal(changed.errors, undefined, JSON.stringify(changed.errors))
  const [again] = await sync()
  assert(again && 'updated' in again)
  assert.equal(again.updated, 0, 'the same description changes nothing')
  const text = `{ assets { signals { visualize record favorite archived control deviceDiagnostic
    baseline target sampleRate reportRate { value channel signal } displayFormat locked tag
    timeout { value } signalMin { value } precision { channel } units { id } root } } }`
  const answer = await as(administrator, text)
  const found = answer.data?.assets as { signals: object[] }[]
  assert.deepEqual(found[0]?.signals, [shownSignal])
})
