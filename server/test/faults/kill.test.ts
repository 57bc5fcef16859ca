import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import type { Platform } from '../../src/main.ts'
import { testEngine } from '../support/database.ts'
import { killUnderLoad, newWriter, type Writer } from '../support/kill-load.ts'
import { killableInstance } from '../support/killable.ts'

/**
 * A load of writes, kill -9 at a random moment, a restart, again and again; then everything is
 * counted. More kills: `node server/test/faults/kill.test.ts 500`.
 */
const byHand = process.argv[1]?.endsWith('/kill.test.ts')
const kills = (byHand && Number.parseInt(process.argv[2] ?? '', 10)) || 20
const devices = 12

/** What a device wrote, and the signal that it feeds. */
type Fed = Writer & { readonly signalId: string }

it(`loses nothing and doubles nothing in ${kills} kills`, async (t) => {
  const instance = await killableInstance(t)
  const { open } = instance
  const { connectorId, businessId, writers } = await prepare(open)
  await killUnderLoad(instance, { count: kills, afterMs: [40, 400] }, writers)
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
  const writers: Fed[] = []
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
    writers.push({ ...newWriter(identity, token), signalId: signal?.id ?? '' })
  }
  await platform.close()
  return { connectorId: connector.id, businessId: business.id, writers }
}

async function count(
  t: TestContext,
  platform: Platform,
  businessId: string,
  connectorId: string,
  writers: readonly Fed[],
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
