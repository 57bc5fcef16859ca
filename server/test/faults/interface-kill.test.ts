import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../src/foundation/database/index.ts'
import type { Platform } from '../../src/platform/platform.ts'
import { atEnd } from '../fixtures/ends.ts'
import { startInstance } from '../fixtures/processes/instance-process.ts'
import { killableInstance } from '../fixtures/processes/killable-instance.ts'

const pollMs = 20
const pollsMax = 6_000

/** The level of each event, as it should be stored once. */
const levels = { subscriberAdded: 1, subscriberUpdated: 2, subscriberRemoved: 2 }

/** Stores the level of each event; the first `subscriberUpdated` never ends. */
const keep = (event: string) => `
  if "${event}" == "subscriberUpdated" and not Keystore.get{key = "began"}.value then
    Keystore.set{key = "began", value = "yes"}
    while true do Keystore.get{key = "began"} end
  end
  Keystore.command{command = "rpush", key = "${event}", args = {event.parameters.level}}`

async function until<Found>(look: () => Promise<Found | undefined>): Promise<Found> {
  for (let polls = 0; polls < pollsMax; polls += 1) {
    const found = await look()
    if (found !== undefined) return found
    await pause(pollMs)
  }
  throw new Error('it did not come to be')
}

/** Locks the solution's row in the queue: no process claims its deliveries until the end. */
async function holdSolution(database: Database, id: string): Promise<() => Promise<void>> {
  await database.run("insert into jobs_tenant (queue, tenant) values ('scripts', $1)", [id])
  const held = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  const holding = database.transaction(async (transaction) => {
    await transaction.run(
      "update jobs_tenant set tenant = tenant where queue = 'scripts' and tenant = $1",
      [id],
    )
    held.resolve()
    await over.promise
  })
  await held.promise
  return async () => {
    over.resolve()
    await holding
  }
}

/** The solution `pump`, whose handlers store each event of its subscribers, and `site`. */
async function preparedSolutions({ accounts, scripting }: Platform) {
  const { id: businessId } = await accounts.createBusiness({ name: 'Killed' })
  const { token } = await accounts.createToken(businessId, { name: 't', role: 'Administrator' })
  for (const id of ['pump', 'site']) await scripting.solutions.create(businessId, { id, name: id })
  await scripting.configurations.add(businessId, 'pump', {
    service: 'interface',
    body: { default_script_key: 'Pump' },
  })
  for (const event of Object.keys(levels)) {
    const key = { kind: 'handler', name: `interface_${event}` } as const
    await scripting.scripts.put(businessId, 'pump', key, keep(event))
  }
  return token
}

/** Calls instances that are killed as soon as the change of the call is committed. */
function killedCalls(
  settings: Readonly<Record<string, string>>,
  database: Database,
  token: string,
) {
  return async (method: string, path: string, body: object | undefined, done: string) => {
    const instance = await startInstance(settings)
    const asked = fetch(`${instance.httpUrl}/api:1/solution/site/serviceconfig${path}`, {
      method,
      headers: { Authorization: `Automation ${token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => undefined)
    await until(async () => (await database.rows(done))[0])
    await instance.kill()
    await asked
  }
}

it('a kill right after a change of a subscription was committed loses no event', async (t) => {
  const { settings, open } = await killableInstance(t)
  const platform = await open({ owner: false })
  atEnd(t, () => platform.close())
  const { scripting, database } = platform
  const token = await preparedSolutions(platform)
  const release = await holdSolution(database, 'pump')

  const callAndKill = killedCalls(settings, database, token)
  const stored = 'select id from scripting_configuration where service = '
  const subscription = { service: 'pump', script_key: 'pump', parameters: { level: 1 } }
  await callAndKill('POST', '', subscription, `${stored}'pump'`)
  const [{ id } = assert.fail()] = await database.rows<{ id: string }>(`${stored}'pump'`)
  const began = "select key from keystore_entry where solution_id = 'pump' and key = 'began'"
  await callAndKill('PUT', `/${id}`, { parameters: { level: 2 } }, began)
  const gone = `select 1 as gone where not exists (${stored}'pump')`
  await callAndKill('DELETE', `/${id}`, undefined, gone)

  await release()
  scripting.start()
  platform.jobs.start()
  for (const [event, level] of Object.entries(levels)) {
    const stored = await until(() =>
      database.one<{ body: string }>(
        "select body from keystore_entry where solution_id = 'pump' and key = $1",
        [event],
      ),
    )
    assert.deepEqual(JSON.parse(stored.body).map(Number), [level], event)
  }
  await until(async () => {
    const { faults, stages } = await platform.eventlog.ledger.verify()
    assert.deepEqual(faults, [])
    return stages.find((one) => one.stage === 'deliveries' && one.pending === 0)
  })
})
