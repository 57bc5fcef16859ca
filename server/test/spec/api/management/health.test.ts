import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import manifest from '../../../../package.json' with { type: 'json' }
import { applyLimits, limits, processRoles } from '../../../../src/foundation/kernel/index.ts'
import { wholeView } from '../../../../src/people/groups/index.ts'
import { metricLimits } from '../../../../src/platform/metrics/index.ts'
import { runsCommands } from '../../../fixtures/commands/command-line.ts'
import { until } from '../../../fixtures/interface.ts'
import { fakeModule, insight, module } from '../../../fixtures/pipelines.ts'
import type { OwnPlatform } from '../../../fixtures/platform.ts'
import {
  assertStatus,
  type SolutionsFixture,
  solutionsFixture,
} from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { openCa } from '../../../fixtures/wire/ca.ts'
import { openCrls } from '../../../fixtures/wire/crl.ts'
import { newDevice, type TestDevice } from '../../../fixtures/wire/device.ts'
import { openOpenssl } from '../../../fixtures/wire/openssl.ts'

let fixture: SolutionsFixture<OwnPlatform>

const onInstance = sharedBySuites(async (context) => {
  fixture = await solutionsFixture(context, { own: 'has jobs that nobody runs' })
})

async function readHealth(token?: string) {
  const answer = await fixture.ask('GET', '/health', undefined, token)
  assertStatus(answer, 200)
  return answer.json as {
    readonly instance: Readonly<Record<string, unknown>>
    readonly waiting: { readonly stages: Readonly<Record<string, number>>; readonly most: number }
    readonly modules: readonly { failures_in_row: number; last_failure: string | null }[]
    readonly certificates: readonly { connector: string; kind: string; until: number }[]
  }
}

const health = () => readHealth()

/** Jobs that never become due. */
const wait = (queue: string, tenant: string, count: number) =>
  fixture.millrace.platform.database.rows(
    `insert into jobs_job (queue, tenant, id, business_id, part, state, input, attempts, due_at,
       created_at, updated_at)
     select $1, $2, n::text, 'x', 0, 'waiting', '{}', 0, 9e15, 1, 1
     from generate_series(1, $3::integer) as s (n)`,
    [queue, tenant, count],
  )

/** Returns a device whose values call a function of the module. */
async function linkTo(moduleId: string): Promise<TestDevice> {
  const { platform, businessId, connector, httpUrl } = fixture.millrace
  const device = await newDevice(httpUrl, connector.id, 'pump-1')
  const view = wholeView(businessId)
  const { id: assetId } = await platform.assets.create(view, {
    name: 'Pump',
    device: { connectorId: connector.id, identity: 'pump-1' },
    signals: [
      { name: 'L', primitiveType: 'NUMERIC', source: { alias: 'data_in', channel: '001' } },
    ],
  })
  const [signal] = await platform.assets.signals.ofAssets(view, [assetId])
  const inlets = [{ signalId: signal?.id ?? '' }]
  await platform.pipelines.links.create(view, { assetId, moduleId, functionId: 'f', inlets })
  return device
}

describe('the health of a business', () => {
  onInstance()

  it('has the version, and nothing that waits or ends on a new instance', async () => {
    const { instance, waiting, modules, certificates } = await health()
    const { version } = manifest
    assert.deepEqual(instance, { version, roles: [...processRoles], ready: true, reason: null })
    const most = limits.failuresCountedMax
    assert.deepEqual(waiting, { stages: { 'functions.runs': 0, deliveries: 0 }, most })
    assert.deepEqual([modules, certificates], [[], []])
  })

  it('counts what waits, and is not ready while a stage is far behind', async (t) => {
    t.after(() => applyLimits({ readyPendingMax: 1_000_000 }))
    const { businessId } = fixture.millrace
    const other = await fixture.otherOwner()
    await wait('functions', businessId, 3)
    await wait('functions', other.businessId, 4)
    await wait('scripts', 'pump', 2)
    const { stages } = (await health()).waiting
    assert.deepEqual(stages, { 'functions.runs': 3, deliveries: 2 })
    const theirs = (await readHealth(other.token)).waiting.stages
    assert.deepEqual(theirs, { 'functions.runs': 4, deliveries: 0 })
    applyLimits({ readyPendingMax: 6 })
    fixture.millrace.clock.advance(metricLimits.metricsAskMs)
    const { instance } = await health()
    assert.equal(instance.ready, false)
    assert.equal(instance.reason, 'functions.runs is 7 entries behind')
  })

  it('lists modules with the calls of them that failed', async (t) => {
    const fake = await fakeModule(t, module([insight('f')]))
    const added = await fixture.ask('POST', '/modules', { url: fake.url, name: 'Forecasts' })
    assertStatus(added, 201)
    const { id } = added.json
    const calls = { failures_in_row: 0, last_failure: null, rests_until: null }
    assert.deepEqual((await health()).modules, [{ id, name: 'Forecasts', ...calls }])
    const device = await linkTo(id)
    await fake.stop()
    assert.equal((await device.write('data_in={"001":21}')).status, 204)
    const [failing] = (await until(health, ({ modules: [one] }) => one?.last_failure !== null))
      .modules
    assert.ok((failing?.failures_in_row ?? 0) > 0)
  })
})

describe('what ends of connectors', () => {
  onInstance()

  it('comes the next one first: CAs, authorities, lists; none of another business', async (t) => {
    const openssl = await openOpenssl(t)
    const ca = await openCa(openssl)
    const trust = { provisioning: { pki: { enabled: true, ca: ca.pem } } }
    for (const body of [
      { id: 'trusts', name: 'Trusts', ...trust },
      { id: 'signs', name: 'Signs' },
    ])
      assertStatus(await fixture.ask('POST', '/connectors', body), 201)
    assertStatus(await fixture.ask('POST', '/service/signs/device2/ca', { use: true }), 201)
    const crl = await (await openCrls(openssl, ca)).make()
    assertStatus(await fixture.ask('PUT', '/service/trusts/device2/crl', { crl }), 200)
    const { certificates } = await health()
    assert.deepEqual(
      certificates.map(({ connector, kind }) => `${connector} ${kind}`),
      ['trusts revocation_list', 'trusts client_ca', 'signs authority'],
    )
    const list = await fixture.ask('GET', '/service/trusts/device2/crl')
    const authority = await fixture.ask('GET', '/service/signs/device2/ca')
    assert.equal(certificates[0]?.until, list.json.next_update)
    assert.equal(certificates[2]?.until, authority.json.not_after)
    const { token } = await fixture.otherOwner()
    assert.deepEqual((await readHealth(token)).certificates, [])
    const { stdout } = await runsCommands(fixture.millrace)('business', 'health')
    assert.match(stdout, /^ready +yes$/m)
    assert.match(stdout, /^connector trusts +client CA until 20/m)
  })
})
