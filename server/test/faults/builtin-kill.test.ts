import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ProcessRequest } from '@millrace/insight-sdk/protocol'
import type { Database } from '../../src/foundation/database/index.ts'
import { wholeView } from '../../src/people/groups/index.ts'
import type { Platform } from '../../src/platform/platform.ts'
import { atEnd } from '../fixtures/ends.ts'
import { until } from '../fixtures/engine.ts'
import { type FakeModule, fakeModule, insight, module } from '../fixtures/pipelines.ts'
import { holdLocks } from '../fixtures/processes/held-rows.ts'
import { startInstance } from '../fixtures/processes/instance-process.ts'
import { killableInstance } from '../fixtures/processes/killable-instance.ts'

/** A module that answers what it is given. */
const echo = {
  ...module([insight('f')]),
  'POST /process': (response: { end(text: string): unknown }, body: unknown) => {
    response.end(JSON.stringify([(body as ProcessRequest).data]))
  },
}

for (const place of ['in the batch', 'behind a module, in a job'] as const) {
  it(`a state is neither lost nor doubled by a kill before the commit: ${place}`, async (t) => {
    const fake = await fakeModule(t, echo)
    const { settings, open } = await killableInstance(t, { MILLRACE_OUTBOUND_ALLOW: fake.host })
    const platform = await open({ owner: false })
    atEnd(t, () => platform.close())
    const { counter, rule, write, history } = await linkedAsset(platform, fake, place)
    const instance = await startInstance(settings)
    atEnd(t, () => instance.kill())
    await write(1)
    await until(async () => (await history(counter)).length === 1)
    const release = await holdBefore(platform.database, rule)
    await write(2)
    // All is written, the state as well, and not committed yet.
    await until(async () => (await countWaiters(platform.database)) > 0)
    await instance.kill()
    await release()
    assert.deepEqual(await history(counter), [[1, 1]])
    platform.pipelines.start()
    platform.jobs.start()
    await write(3)
    // The leases of the process that was killed have to run out first.
    for (let waits = 0; waits < 3; waits += 1) {
      await until(async () => (await history(counter)).length === 3).catch(() => {})
    }
    assert.deepEqual(await history(counter), [
      [1, 1],
      [2, 2],
      [3, 3],
    ])
    const { faults } = await platform.eventlog.ledger.verify()
    assert.deepEqual(faults, [])
  })
}

/** Holds the row that the effects of a rule lock after its state was written. */
function holdBefore(database: Database, linkId: string): Promise<() => Promise<void>> {
  const text = 'select id from pipelines_link where id = $1 for no key update'
  return holdLocks(database, text, [linkId])
}

async function countWaiters(database: Database): Promise<number> {
  const text = `
    select count(*)::int as n from pg_stat_activity
    where wait_event_type = 'Lock' and query like '%pipelines_link%'`
  return (await database.one<{ n: number }>(text))?.n ?? 0
}

async function linkedAsset(
  { accounts, provisioning, assets, pipelines, eventlog }: Platform,
  fake: FakeModule,
  place: string,
) {
  const { id: business } = await accounts.createBusiness({ name: 'Killed' })
  const connector = await provisioning.connectors.create(business, { name: 'killed' })
  const device = { connectorId: connector.id, identity: 'd1' }
  const asset = await assets.create(wholeView(business), {
    name: 'Pump',
    device,
    signals: [
      { name: 's', primitiveType: 'NUMERIC', source: { alias: 'data_in', channel: '001' } },
    ],
  })
  const [signal = assert.fail()] = await assets.signals.ofAssets(wholeView(business), [asset.id])
  const link = async (moduleId: string, functionId: string, signalId: string, constants = {}) => {
    const inlets = [{ signalId }]
    const given = { assetId: asset.id, moduleId, functionId, inlets, constants }
    return pipelines.links.create(wholeView(business), given)
  }
  const { id: moduleId } = await pipelines.modules.add(business, { url: fake.url })
  const isDirect = place === 'in the batch'
  const fed = isDirect ? signal.id : ((await link(moduleId, 'f', signal.id)).outlets[0] ?? '')
  const counter = await link('builtin', 'counter', fed)
  const rule = await link('builtin', 'threshold', fed, { warning: 0, seconds: 1 })
  return {
    counter: counter.outlets[0] ?? '',
    rule: rule.id,
    async history(signalId: string) {
      const values = await assets.history(wholeView(business), signalId, { order: 'asc' })
      return values.map(({ ts, value }) => [ts, value])
    },
    write: (value: number) =>
      eventlog.append({
        ...device,
        businessId: business,
        at: value,
        kind: 'write',
        body: {
          ip: '127.0.0.1',
          protocol: 'http',
          payload: [{ timestamp: value, values: { data_in: JSON.stringify({ '001': value }) } }],
        },
      }),
  }
}
