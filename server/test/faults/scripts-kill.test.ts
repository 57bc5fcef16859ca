import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Platform } from '../../src/platform/platform.ts'
import { numbersAfter, waitMsMax } from '../fixtures/bounds.ts'
import { testEngine } from '../fixtures/database.ts'
import { killUnderLoad, newWriter, type Writer } from '../fixtures/processes/kill-load.ts'
import { killableInstance } from '../fixtures/processes/killable-instance.ts'

/**
 * Devices write while scripts handle their events, kill -9 at a random moment, a restart, again and
 * again; then every event must have been handled. Some of them spin, so that others are put off.
 * More kills: `node server/test/faults/scripts-kill.test.ts 100`.
 */
const [kills = 6] = numbersAfter('scripts-kill.test.ts')
const devices = 6
const pollMs = 100
const pollsMax = waitMsMax / pollMs

const handler = `if event.type ~= "data_in" then return end
local n = tonumber(event.payload[1].values.n)
if n % 25 == 0 then local x = 0 for i = 1, 4e6 do x = x + i end end
local problem = Keystore.set{key = event.identity .. "/" .. n, value = "1"}
if type(problem) == "table" and problem.error then error(problem.error) end`

it(`handles every event in spite of ${kills} kills`, async (t) => {
  const instance = await killableInstance(t)
  const { open } = instance
  const { businessId, writers } = await prepare(open)
  await killUnderLoad(instance, { count: kills, afterMs: [300, 1_200] }, writers)
  const platform = await open()
  try {
    platform.scripting.start()
    platform.jobs.start()
    await allCounted(platform)
    const total = await compare(platform, businessId, writers)
    assert.ok(total > kills, `only ${total} writes were acknowledged`)
    t.diagnostic(`${total} writes acknowledged on the ${testEngine} engine, all of them handled`)
  } finally {
    await platform.close()
  }
})

async function prepare(open: () => Promise<Platform>) {
  const platform = await open()
  const { accounts, provisioning, scripting } = platform
  const business = await accounts.createBusiness({ name: 'Killed' })
  const connector = await provisioning.connectors.create(business.id, {
    name: 'killed',
    devmode: true,
    selfRegistration: true,
    resources: { n: { format: 'number' } },
  })
  await scripting.solutions.create(business.id, { id: 'pump', name: 'Pump' })
  const wanted = { service: connector.id, alias: 'device2', body: {} }
  await scripting.configurations.add(business.id, 'pump', wanted)
  const key = { kind: 'handler', name: 'device2_event' } as const
  await scripting.scripts.put(business.id, 'pump', key, handler)
  const origin = { ip: '127.0.0.1', protocol: 'http', encrypted: false }
  const writers: Writer[] = []
  for (let at = 0; at < devices; at += 1) {
    const identity = `killed-${at}`
    const { token } = await provisioning.activate(connector, identity, origin)
    writers.push(newWriter(identity, token))
  }
  await platform.close()
  return { businessId: business.id, writers }
}

async function allCounted({ eventlog, scripting }: Platform): Promise<void> {
  await scripting.caughtUp()
  for (let polls = 0; polls < pollsMax; polls += 1) {
    const { faults, stages } = await eventlog.ledger.verify()
    assert.deepEqual(faults, [])
    const own = stages.filter(({ stage }) => stage === 'scripts' || stage === 'deliveries')
    if (own.every(({ pending }) => pending === 0)) return
    await pause(pollMs)
  }
  throw new Error('events are still waiting')
}

/** @returns how many writes were acknowledged. */
async function compare(
  platform: Platform,
  businessId: string,
  writers: readonly Writer[],
): Promise<number> {
  const { failures } = platform.scripting
  const failed = await failures.list(businessId, 'pump', { limit: 1_000 })
  const kept = failed.deliveries.map(({ argument }) => JSON.stringify(argument))
  let total = 0
  for (const { identity, acknowledged } of writers) {
    const handled = await handledNumbers(platform, identity)
    const missing = acknowledged.filter((n) => {
      return !handled.has(n) && !kept.some((text) => matches(text, identity, n))
    })
    assert.deepEqual(missing, [], `${identity}: acknowledged, neither handled nor kept as failed`)
    total += acknowledged.length
  }
  return total
}

function matches(argument: string, identity: string, n: number): boolean {
  return argument.includes(`"${identity}"`) && argument.includes(`"n":"${n}"`)
}

async function handledNumbers(platform: Platform, identity: string): Promise<Set<number>> {
  const rows = await platform.database.rows<{ n: string }>(
    `select split_part(key, '/', 2) as n from keystore_entry
     where solution_id = 'pump' and split_part(key, '/', 1) = $1`,
    [identity],
  )
  return new Set(rows.map(({ n }) => Number(n)))
}
