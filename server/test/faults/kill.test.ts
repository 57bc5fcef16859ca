import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Platform } from '../../src/main.ts'
import { testEngine } from '../support/database.ts'
import { startInstance } from '../support/instance-process.ts'
import { killableInstance } from '../support/killable.ts'

/**
 * A load of writes, kill -9 at a random moment, a restart, again and again; then everything is
 * counted. More kills: `node server/test/faults/kill.test.ts 500`.
 */
const byHand = process.argv[1]?.endsWith('/kill.test.ts')
const kills = (byHand && Number.parseInt(process.argv[2] ?? '', 10)) || 20
const devices = 12
const loadMsMin = 40
const loadMsMax = 400

/** What one device wrote: numbers counting up, and which of them were acknowledged. */
type Writer = {
  readonly identity: string
  readonly token: string
  readonly signalId: string
  readonly acknowledged: number[]
  next: number
}

it(`loses nothing and doubles nothing in ${kills} kills`, async (t) => {
  const { settings, open, enginePid } = await killableInstance(t)
  const { connectorId, businessId, writers } = await prepare(open)
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
    platform.pipelines.start()
    await Promise.all([platform.scripting.caughtUp(), platform.pipelines.caughtUp()])
    await count(t, platform, businessId, connectorId, writers)
  } finally {
    await platform.close()
  }
})

async function prepare(open: () => Promise<Platform>) {
  const platform = await open()
  const { accounts, provisioning, assets } = platform
  const business = await accounts.createBusiness({ name: 'Killed' })
  const connector = await provisioning.connectors.create(business.id, {
    name: 'killed',
    devmode: true,
    selfRegistration: true,
    resources: { n: { format: 'number' } },
  })
  const writers: Writer[] = []
  for (let at = 0; at < devices; at += 1) {
    const identity = `killed-${at}`
    const asset = await assets.create(business.id, {
      name: identity,
      device: { connectorId: connector.id, identity },
      signals: [{ name: 'n', primitiveType: 'NUMERIC', source: { alias: 'n' } }],
    })
    const [signal] = await assets.signals.ofAssets(business.id, [asset.id])
    const origin = { ip: '127.0.0.1', protocol: 'http', encrypted: false }
    const { token } = await provisioning.activate(connector, identity, origin)
    writers.push({ identity, token, signalId: signal?.id ?? '', acknowledged: [], next: 1 })
  }
  await platform.close()
  return { connectorId: connector.id, businessId: business.id, writers }
}

/** Each device writes the next number as soon as the last one was answered, until it fails. */
function startLoad(url: string, writers: readonly Writer[]) {
  const agent = new Agent({ keepAlive: true })
  let stopped = false
  const running = writers.map(async (writer) => {
    while (!stopped) {
      try {
        await writeOnce(agent, url, writer)
      } catch {
        // The instance was killed under the request: whether it was kept is unknown.
        return
      }
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

async function writeOnce(agent: Agent, url: string, writer: Writer) {
  const value = writer.next
  writer.next += 1
  const credential = { 'X-vendor-CIK': writer.token }
  const answer = await post(agent, url, '/vendor:v1/stack/alias', credential, `n=${value}`)
  if (answer.status === 204) writer.acknowledged.push(value)
}

function post(
  agent: Agent,
  url: string,
  path: string,
  headers: Record<string, string>,
  body: string,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, url), { agent, method: 'POST', headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
      response.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

async function count(
  t: TestContext,
  platform: Platform,
  businessId: string,
  connectorId: string,
  writers: readonly Writer[],
): Promise<void> {
  let total = 0
  for (const { identity, signalId, acknowledged } of writers) {
    const logged = await loggedNumbers(platform, connectorId, identity)
    const found = new Set(logged)
    assert.deepEqual(
      acknowledged.filter((value) => !found.has(value)),
      [],
      'acknowledged, missing',
    )
    assert.equal(found.size, logged.length, 'in the log twice')
    assert.deepEqual(
      logged,
      logged.toSorted((a, b) => a - b),
      'out of order',
    )
    const history = await platform.assets.history(businessId, signalId, {
      order: 'asc',
      limit: 10_000,
    })
    assert.deepEqual(
      history.map(({ value }) => value),
      logged,
      'the values are what the log says',
    )
    total += acknowledged.length
  }
  const { faults, stages } = await platform.eventlog.ledger.verify()
  assert.deepEqual(faults, [])
  for (const stage of stages) assert.equal(stage.pending, 0, stage.stage)
  const handed = (name: string) => stages.find(({ stage }) => stage === name)?.done
  assert.equal(handed('scripts'), handed('log'), 'every entry was offered to scripts')
  assert.ok(total > kills, `only ${total} writes were acknowledged`)
  t.diagnostic(`${total} writes acknowledged on the ${testEngine} engine, none missing or doubled`)
}

async function loggedNumbers(platform: Platform, connectorId: string, identity: string) {
  const rows = await platform.database.rows<{ body: string }>(
    `select body from eventlog_entry
     where connector_id = $1 and identity = $2 and kind = 'write' order by seq`,
    [connectorId, identity],
  )
  return rows.map((row) => Number(JSON.parse(row.body).payload[0].values.n))
}
