import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Connector } from '../../src/devices/provisioning/index.ts'
import { limits } from '../../src/foundation/kernel/index.ts'
import type { Platform } from '../../src/platform/platform.ts'
import { testEngine } from '../fixtures/database.ts'
import { atEnd } from '../fixtures/ends.ts'
import { startInstance } from '../fixtures/processes/instance-process.ts'
import { killableInstance } from '../fixtures/processes/killable-instance.ts'
import { newDevice, type TestDevice } from '../fixtures/wire/device.ts'

const parts = limits.logPartitions
const stagesOfEvents = ['scripts', 'scripts.behind', 'deliveries']
const pollMs = 100
const pollsMax = 1_200
/** The writes of each device at each process. */
const writes = 30
/** So many that every partition has some. */
const devicesMax = 12

/** Counts each run, whatever ran before. */
const handler = `if event.type ~= "data_in" then return end
Keystore.command{key = event.identity, command = "rpush", args = {event.payload[1].values.n}}`

const skip = testEngine === 'embedded' && 'the embedded engine has one process'

it('lets one of two processes hand each event to a script, once, until it is killed', {
  skip,
}, async (t) => {
  const { settings, open } = await killableInstance(t)
  const platform = await open()
  atEnd(t, () => platform.close())
  const connector = await prepare(platform)
  const one = await startInstance(settings)
  atEnd(t, () => one.kill())
  const devices: TestDevice[] = []
  for (let at = 0; at < devicesMax; at += 1) {
    devices.push(await newDevice(one.httpUrl, connector.id, `device-${at}`))
  }
  await until('the first has every turn', async () => (await owners(platform)).length === parts)
  const [ownerOfOne] = await owners(platform)

  const two = await startInstance(settings)
  atEnd(t, () => two.kill())
  const say = (url: string, n: number) => Promise.all(devices.map((one) => write(url, one, n)))
  for (let n = 1; n <= 2 * writes; n += 1) await say(n % 2 === 0 ? one.httpUrl : two.httpUrl, n)
  await allHandled(platform, devices, 2 * writes)

  // Each has its share; one is killed.
  const held = (await owners(platform)).filter((owner) => owner === ownerOfOne).length
  assert.equal(held, parts / 2)
  await one.kill()
  const left = two
  for (let n = 2 * writes + 1; n <= 3 * writes; n += 1) await say(left.httpUrl, n)
  await allHandled(platform, devices, 3 * writes)
  const after = await owners(platform)
  assert.equal(after.length, parts)
  assert.ok(!after.includes(ownerOfOne ?? ''), 'whoever is left has every partition')
})

async function prepare({ accounts, provisioning, scripting }: Platform): Promise<Connector> {
  const business = await accounts.createBusiness({ name: 'Two' })
  const connector = await provisioning.connectors.create(business.id, {
    name: 'two',
    devmode: true,
    selfRegistration: true,
    resources: { n: { format: 'number' } },
  })
  await scripting.solutions.create(business.id, { id: 'pump', name: 'Pump' })
  const wanted = { service: connector.id, alias: 'device2', body: {} }
  await scripting.configurations.add(business.id, 'pump', wanted)
  const key = { kind: 'handler', name: 'device2_event' } as const
  await scripting.scripts.put(business.id, 'pump', key, handler)
  return connector
}

/** Says a number at either process, with the device's token. */
async function write(url: string, { token }: TestDevice, n: number): Promise<void> {
  const answer = await fetch(`${url}/vendor:v1/stack/alias`, {
    method: 'POST',
    headers: { 'X-vendor-CIK': token },
    body: `n=${n}`,
  })
  assert.equal(answer.status, 204)
}

/** Reads the process that leases each partition, or had it last. */
async function owners({ database }: Platform): Promise<string[]> {
  const rows = await database.rows<{ owner: string }>(
    'select owner from eventlog_lease where leased_until > 0 order by part',
  )
  return rows.map(({ owner }) => owner)
}

/** Each number once, in its order, and nothing is left to be handled a second time. */
async function allHandled(
  platform: Platform,
  devices: readonly TestDevice[],
  count: number,
): Promise<void> {
  await until('the ledger has nothing pending', async () => {
    const { faults, stages } = await platform.eventlog.ledger.verify()
    assert.deepEqual(faults, [])
    const own = stages.filter(({ stage }) => stagesOfEvents.includes(stage))
    return own.length > 0 && own.every(({ pending }) => pending === 0)
  })
  const expected = Array.from({ length: count }, (_, at) => at + 1)
  for (const { identity } of devices) {
    const row = await platform.database.one<{ body: string }>(
      "select body from keystore_entry where solution_id = 'pump' and key = $1",
      [identity],
    )
    assert.deepEqual(JSON.parse(row?.body ?? '[]').map(Number), expected, identity)
  }
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let polls = 0; polls < pollsMax; polls += 1) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  throw new Error(`it did not come to this: ${what}`)
}
