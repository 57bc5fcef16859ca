import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Platform } from '../../src/main.ts'
import { testEngine } from '../support/database.ts'
import { startInstance } from '../support/instance-process.ts'
import { killableInstance } from '../support/killable.ts'

/**
 * Devices write while scripts handle their events, kill -9 at a random moment, a restart, again and
 * again; then every event must have been handled. Some of them spin, so that others are put off.
 * More kills: `node server/test/faults/scripts-kill.test.ts 100`.
 */
const byHand = process.argv[1]?.endsWith('scripts-kill.test.ts')
const kills = (byHand && Number.parseInt(process.argv[2] ?? '', 10)) || 6
const devices = 6
const loadMsMin = 300
const loadMsMax = 1_200
const pollsMax = 600
const pollMs = 100

const handler = `if event.type ~= "data_in" then return end
local n = tonumber(event.payload[1].values.n)
if n % 25 == 0 then local x = 0 for i = 1, 4e6 do x = x + i end end
local problem = Keystore.set{key = event.identity .. "/" .. n, value = "1"}
if type(problem) == "table" and problem.error then error(problem.error) end`

type Writer = { readonly identity: string; readonly token: string; readonly sent: number[] }

it(`handles every event in spite of ${kills} kills`, async (t) => {
  const { settings, open, enginePid } = await killableInstance(t)
  const { businessId, writers } = await prepare(open)
  for (let kill = 0; kill < kills; kill += 1) {
    const instance = await startInstance(settings)
    const load = startLoad(instance.httpUrl, writers)
    await pause(loadMsMin + Math.random() * (loadMsMax - loadMsMin))
    const engine = kill % 2 === 1 ? await enginePid() : undefined
    await instance.kill()
    if (engine !== undefined) process.kill(engine, 'SIGKILL')
    await load.stop()
  }
  const platform = await open()
  try {
    platform.scripting.start()
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
    ...{ name: 'killed', devmode: true, selfRegistration: true },
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
    writers.push({ identity, token, sent: [] })
  }
  await platform.close()
  return { businessId: business.id, writers }
}

/** Each device writes the next number as soon as the last one was answered, until it fails. */
function startLoad(url: string, writers: readonly Writer[]) {
  const agent = new Agent({ keepAlive: true })
  let stopped = false
  const running = writers.map(async ({ token, sent }) => {
    for (let n = (sent.at(-1) ?? 0) + 2; !stopped; n += 1) {
      // Where the instance was killed under the request it is unknown whether that was kept.
      const status = await write(agent, url, token, n).catch(() => 0)
      if (status !== 204) return
      sent.push(n)
    }
  })
  return {
    async stop() {
      stopped = true
      await Promise.all(running)
      agent.destroy()
    },
  }
}

function write(agent: Agent, url: string, token: string, n: number): Promise<number> {
  const options = { agent, method: 'POST', headers: { 'X-vendor-CIK': token } }
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL('/vendor:v1/stack/alias', url), options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
      response.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end(`n=${n}`)
  })
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
  for (const { identity, sent } of writers) {
    const handled = await handledNumbers(platform, identity)
    const missing = sent.filter((n) => {
      return !handled.has(n) && !kept.some((text) => isOf(text, identity, n))
    })
    assert.deepEqual(missing, [], `${identity}: acknowledged, neither handled nor kept as failed`)
    total += sent.length
  }
  return total
}

function isOf(argument: string, identity: string, n: number): boolean {
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
