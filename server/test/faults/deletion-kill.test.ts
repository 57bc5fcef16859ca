import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { deletionLimits } from '../../src/api/deletion/index.ts'
import { provisioningLimits } from '../../src/devices/provisioning/index.ts'
import type { Database } from '../../src/foundation/database/index.ts'
import type { Platform } from '../../src/platform/platform.ts'
import { isLongForm } from '../fixtures/bounds.ts'
import { testEngine } from '../fixtures/database.ts'
import { atEnd } from '../fixtures/ends.ts'
import { closeGate, type Gate } from '../fixtures/processes/gate.ts'
import { type InstanceProcess, startInstance } from '../fixtures/processes/instance-process.ts'
import { killableInstance } from '../fixtures/processes/killable-instance.ts'
import { deviceWith, newDevice, type TestDevice } from '../fixtures/wire/device.ts'
import { until } from '../fixtures/wire/mqtt-fleet.ts'
import { addOwner, rowsWith } from '../spec/api/deletion/world.ts'

/** The places at which a process is killed: each step of a deletion, and two places of the last. */
const everyGate = [
  ['closing', 'before delete', 'scripting_solution'],
  ['removing', 'before delete', 'assets_asset'],
  ['checking', 'before update', 'eventlog_entry'],
  ['checking', 'before delete', 'accounts_business'],
] as const

/** A kill takes the start of another process, so the short form has one: with rows half removed. */
const gates = isLongForm ? everyGate : [everyGate[1]]

/** The embedded engine has one process at a time. */
const isAlone = testEngine === 'embedded'

it('a business is deleted whole, though each process that does it is killed', async (t) => {
  const world = await killedWorld(t)
  const { platform, gone, neighbour, device, theirs, closed, start } = world
  const { database } = platform
  let { instance } = world
  const step = async () => (await platform.deletion.progress(gone.businessId)).step
  const names = keptNames(await rowsWith(database, neighbour.businessId))

  const asked = remove(instance, world.operator, gone.businessId).catch(() => 'cut off')
  for (const [at, gate] of closed.entries()) {
    await until(() => gate.isReached())
    assert.equal(await step(), gates[at]?.[0])
    const next = isAlone ? undefined : await start()
    await instance.kill()
    await gate.open()
    instance = next ?? (await start())
    assert.equal((await deviceAt(instance, device).write('a=2')).status, 401)
    assert.equal((await deviceAt(instance, theirs).write('a=2')).status, 204)
    await letSettle(database)
  }
  // Cut off by the kill, unless the answer came before.
  await asked
  await until(async () => (await step()) === 'done')
  assert.deepEqual(await rowsWith(database, gone.businessId), {})
  assert.deepEqual(keptNames(await rowsWith(database, neighbour.businessId)), names)
  await until(() => isCaughtUp(platform))
  assert.deepEqual((await platform.eventlog.ledger.verify()).faults, [])
})

/** The tables in which a business has rows, without those that are written in the background. */
function keptNames(rows: Readonly<Record<string, unknown>>): string[] {
  const background = ['activity_line', 'accounts_quota_use']
  return Object.keys(rows).filter((name) => !background.includes(name))
}

/** As if the time had passed for which processes cache a business and its connectors. */
async function letSettle(database: Database): Promise<void> {
  await database.run('update deletion_business set requested_at = requested_at - $1::bigint', [
    deletionLimits.businessRemovalSettleMs * 1_000,
  ])
  await database.run('update provisioning_removal set removed_at = removed_at - $1::bigint', [
    provisioningLimits.connectorRemovalSettleMs * 1_000,
  ])
}

/** An instance with two businesses that have one of everything, and the gates of a deletion. */
async function killedWorld(t: TestContext) {
  const { settings, open } = await killableInstance(t)
  const platform = await open({ owner: false })
  atEnd(t, () => platform.close())
  const start = async () => {
    const instance = await startInstance(settings)
    atEnd(t, () => instance.kill())
    return instance
  }
  const instance = await start()
  const operator = await readOperator(settings)
  const gone = await addOwner(platform, 'Gone', 'gone1')
  const neighbour = await addOwner(platform, 'Neighbour', 'near1')
  const device = await writer(instance, gone.connectorId)
  const theirs = await writer(instance, neighbour.connectorId)
  await until(() => isCaughtUp(platform))
  const closed: Gate[] = []
  for (const [at, [, when, table]] of gates.entries()) {
    closed.push(await closeGate(t, platform.database, { gate: at + 1, when, table }))
  }
  return { platform, start, instance, operator, gone, neighbour, device, theirs, closed }
}

/** Asks an instance to delete a business. */
function remove({ httpUrl }: InstanceProcess, authorization: string, id: string) {
  const url = `${httpUrl}/api:1/businesses/${id}?confirm=${id}`
  return fetch(url, { method: 'DELETE', headers: { authorization } })
}

/** A device that has written a value. */
async function writer({ httpUrl }: InstanceProcess, connectorId: string): Promise<TestDevice> {
  const device = await newDevice(httpUrl, connectorId, 'd1')
  assert.equal((await device.write('a=1')).status, 204)
  return device
}

const deviceAt = ({ httpUrl }: InstanceProcess, { identity, token }: TestDevice) =>
  deviceWith(httpUrl, identity, token)

/** Nothing that devices sent waits for a script or a pipeline. */
async function isCaughtUp({ eventlog }: Platform): Promise<boolean> {
  const { stages } = await eventlog.ledger.verify()
  return stages.every(({ pending }) => pending === 0)
}

async function readOperator({ MILLRACE_DATA = '' }: Readonly<Record<string, string>>) {
  const text = await readFile(join(MILLRACE_DATA, 'operator.json'), 'utf8')
  return `Operator ${JSON.parse(text).token}`
}
