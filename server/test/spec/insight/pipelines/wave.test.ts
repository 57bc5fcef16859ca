import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { type PipelinesFixture, pipelinesFixture } from '../../../fixtures/pipelines.ts'

const channels = { '001': { display_name: 'Temperature' }, '002': { display_name: 'Pressure' } }

const described = (config: object) => ({ config_io: JSON.stringify({ channels: config }) })

/** New devices, as many in each partition, which lie in the log before anybody reads it. */
async function newDevices(fixture: PipelinesFixture, each: number): Promise<string[]> {
  const { eventlog, connectorId, appendProvisioned, write } = fixture
  const devices: string[] = []
  for (let part = 0; part < limits.logPartitions; part += 1) {
    const own = (name: string) => eventlog.partitionFor(connectorId, name) === part
    const names = Array.from({ length: each * limits.logPartitions * 8 }, (_, at) => `d${at}`)
    devices.push(...names.filter(own).slice(0, each))
  }
  assert.equal(devices.length, each * limits.logPartitions)
  for (const device of devices) {
    await appendProvisioned(device)
    await write(device, { ...described(channels), data_in: '{"001":1}' })
  }
  return devices
}

/** The transactions and statements of a wave of new devices. */
async function wave(fixture: PipelinesFixture, each: number) {
  const { assets, asked, view, connectorId, pipelines } = fixture
  await assets.intake.set(view, connectorId, {})
  await pipelines.stop()
  const devices = await newDevices(fixture, each)
  const before = { transactions: asked.transactions(), statements: asked.texts().length }
  pipelines.start()
  await pipelines.caughtUp()
  const listed = await assets.list(view, { limit: devices.length })
  assert.deepEqual(new Set(listed.map(({ name }) => name)), new Set(devices))
  const signals = await assets.signals.ofAssets(
    view,
    listed.map(({ id }) => id),
  )
  assert.equal(signals.length, 2 * devices.length)
  const read = await assets.lastValues(
    view,
    signals.map(({ id }) => id),
  )
  assert.equal(read.size, devices.length)
  return {
    transactions: asked.transactions() - before.transactions,
    statements: asked.texts().length - before.statements,
  }
}

test('new devices of one batch share their transactions and statements', async (t) => {
  const devices = 40 * limits.logPartitions
  const cost = await wave(await pipelinesFixture(t), 40)
  // There are as many batches of each consumer as partitions at most, and not one for each device.
  assert(cost.transactions <= devices / 10, JSON.stringify(cost))
  assert(cost.statements <= (devices * 3) / 4, JSON.stringify(cost))
})

test('descriptions of one batch that are known already share a transaction, too', async (t) => {
  const fixture = await pipelinesFixture(t)
  const { asked, pipelines, write } = fixture
  await wave(fixture, 60)
  await pipelines.stop()
  const devices = await newDevices(fixture, 60)
  for (const device of devices) await write(device, described(channels))
  const before = asked.transactions()
  pipelines.start()
  await pipelines.caughtUp()
  const transactions = asked.transactions() - before
  // Leases and places of consumers have some of their own, however long it takes.
  assert(transactions < devices.length, `${transactions} transactions`)
})
