import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Database } from '../../src/foundation/database/index.ts'
import type { Platform } from '../../src/platform/platform.ts'
import { atEnd } from '../fixtures/ends.ts'
import { until } from '../fixtures/engine.ts'
import { holdLocks } from '../fixtures/processes/held-rows.ts'
import { type InstanceProcess, startInstance } from '../fixtures/processes/instance-process.ts'
import { killableInstance } from '../fixtures/processes/killable-instance.ts'
import { askGraphql } from '../fixtures/wire/ask.ts'

const gate = 42

/** The answer of a mutation is stored last: there it waits for the gate. */
const waitAtAnswer = [
  `create function wait_at_gate() returns trigger language plpgsql as $$
   begin perform pg_advisory_xact_lock_shared(${gate}); return new; end $$`,
  `create trigger wait_at_gate before update on graphql_mutation
   for each row execute function wait_at_gate()`,
]

it('a mutation that is repeated after a kill before its end sets a device once', async (t) => {
  const { settings, open } = await killableInstance(t)
  const platform = await open({ owner: false })
  atEnd(t, () => platform.close())
  const { token, connectorId, sets } = await settableDevice(platform)
  const set = async ({ httpUrl }: InstanceProcess) =>
    askGraphql(httpUrl, token, text, { connectorId })
  const { database } = platform
  for (const one of waitAtAnswer) await database.run(one)
  const release = await holdLocks(database, 'select pg_advisory_xact_lock($1)', [gate])
  const instance = await startInstance(settings)
  atEnd(t, () => instance.kill())
  const lost = set(instance).catch(() => 'lost')
  await until(async () => (await countWaiters(database)) > 0)
  await instance.kill()
  assert.equal(await lost, 'lost')
  await release()
  assert.deepEqual(await sets(), { times: 0, value: undefined }, 'not set without an answer')
  const again = await startInstance(settings)
  atEnd(t, () => again.kill())
  const answer = { setDeviceResources: { identity: 'd1' } }
  assert.deepEqual(await set(again), answer)
  assert.deepEqual(await set(again), answer)
  assert.deepEqual(await sets(), { times: 1, value: '7' })
})

const text = `mutation($connectorId: ID!) { setDeviceResources(clientMutationId: "once",
  device: { connectorId: $connectorId, identity: "d1" }, values: { speed: 7 }) { identity } }`

async function settableDevice({ accounts, provisioning, eventlog }: Platform) {
  const { id: business } = await accounts.createBusiness({ name: 'Killed' })
  const resources = { speed: { format: 'number', settable: true } } as const
  const { id } = await provisioning.connectors.create(business, { name: 'killed', resources })
  await provisioning.identities.whitelist(business, id, 'd1')
  const { token } = await accounts.createToken(business, { name: 't', role: 'Administrator' })
  return {
    token,
    connectorId: id,
    /** Reads how often the device was set, and to which values. */
    async sets() {
      const entries = await eventlog.read(eventlog.partitionFor(id, 'd1'), 0, 100)
      const times = entries.filter(({ kind }) => kind === 'set').length
      return { times, value: (await provisioning.state(business, id, 'd1')).speed?.set }
    },
  }
}

async function countWaiters(database: Database): Promise<number> {
  const text = `select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`
  return (await database.one<{ n: number }>(text))?.n ?? 0
}
