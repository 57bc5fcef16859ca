import assert from 'node:assert/strict'
import { it } from 'node:test'
import { testEngine } from '../support/database.ts'
import { newDevice, type TestDevice } from '../support/device.ts'
import { startInstance } from '../support/instance-process.ts'
import { killableInstance } from '../support/killable.ts'

const pollMs = 100
const pollsMax = 600
/** So many that each process looks for events of the other several times meanwhile. */
const writes = 150

const handler = `if event.type ~= "data_in" then return end
local n = event.payload[1].values.n
print(n)
Keystore.command{key = event.identity, command = "rpush", args = {n}}`

const skip = testEngine === 'embedded' && 'the embedded engine has one process'

it('lets one of two processes hand each event to a script, in order, once', { skip }, async (t) => {
  const { settings, open } = await killableInstance(t)
  const prepared = await open()
  const { accounts, provisioning, scripting } = prepared
  const business = await accounts.createBusiness({ name: 'Two' })
  const connector = await provisioning.connectors.create(business.id, {
    ...{ name: 'two', devmode: true, selfRegistration: true },
    resources: { n: { format: 'number' } },
  })
  await scripting.solutions.create(business.id, { id: 'pump', name: 'Pump' })
  const wanted = { service: connector.id, alias: 'device2', body: {} }
  await scripting.configurations.add(business.id, 'pump', wanted)
  const key = { kind: 'handler', name: 'device2_event' } as const
  await scripting.scripts.put(business.id, 'pump', key, handler)
  await prepared.close()
  const [one, two] = [await startInstance(settings), await startInstance(settings)]
  const devices: TestDevice[] = []
  for (const [at, { httpUrl }] of [one, two].entries()) {
    devices.push(await newDevice(httpUrl, connector.id, `device-${at}`))
  }
  for (let n = 1; n <= writes; n += 1) {
    if (n === writes / 2) await one.stop()
    const [first, second] = devices
    if (n < writes / 2) await first?.write(`n=${n}`)
    await second?.write(`n=${n}`)
  }
  const platform = await open()
  const numbersOf = async (identity: string): Promise<number[]> => {
    const row = await platform.database.one<{ body: string }>(
      "select body from keystore_entry where solution_id = 'pump' and key = $1",
      [identity],
    )
    return row === undefined ? [] : JSON.parse(row.body).map(Number)
  }
  try {
    const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
    let found: number[][] = []
    for (let polls = 0; polls < pollsMax; polls += 1) {
      found = [await numbersOf('device-0'), await numbersOf('device-1')]
      if (found[1]?.includes(writes)) break
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
    assert.deepEqual(found, [upTo(writes / 2 - 1), upTo(writes)])
    await two.stop()
    const { lines } = await platform.scripting.log.lines(business.id, 'pump', {
      ...{ kinds: ['log'], limit: 1_000 },
    })
    assert.equal(lines.length, writes / 2 - 1 + writes, 'calls of the handler with a write')
  } finally {
    await platform.close()
    await two.stop()
  }
})
