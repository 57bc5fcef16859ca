import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { type View, wholeView } from '../../../../src/people/groups/index.ts'
import { maintain } from '../../../../src/platform/composition/maintenance.ts'
import { numeric } from '../../../fixtures/assets.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'

const hourUs = 3_600_000_000
const weekUs = 7 * 24 * hourUs
type Answer = { readonly status: number; readonly json: Record<string, unknown> }

async function retentionFixture(t: Parameters<typeof testPlatform>[0]) {
  const instance = await testPlatform(t, { own: 'moves the clock' })
  const { businessId, operator } = instance
  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    authorization = operator,
  ): Promise<Answer> => {
    const response = await fetch(`${instance.httpUrl}/api:1${path}`, {
      method,
      headers: {
        authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, json: text === '' ? {} : JSON.parse(text) }
  }
  const asBusiness = (method: string, path: string, body?: unknown) =>
    ask(method, path, body, `Automation ${instance.token}`)
  const periodsPath = `/businesses/${businessId}/retention`
  return { ...instance, ask, asBusiness, periodsPath, view: wholeView(businessId) }
}

/** A signal, and values of it so many hours ago. */
async function signalWith(
  { platform, clock }: TestPlatform,
  view: View,
  hoursAgo: readonly number[],
  device?: { connectorId: string; identity: string },
) {
  const { assets, database } = platform
  const source = device === undefined ? {} : { source: { alias: 'level', device } }
  const asset = await assets.create(view, { name: 'A', signals: [{ ...numeric('x'), ...source }] })
  const [signal] = await assets.signals.ofAssets(view, [asset.id])
  assert(signal)
  const nowUs = clock.nowUs()
  await database.transaction((held) =>
    assets.writeValues(
      held,
      hoursAgo.map((hours) => ({ key: signal.key, ts: nowUs - hours * hourUs, value: hours })),
    ),
  )
  const kept = async () => {
    const values = await assets.history(view, signal.id, { order: 'desc', limit: 100 })
    return values.map(({ value }) => value)
  }
  return { ...signal, kept }
}

describe('how long values are kept', () => {
  it('the narrowest period counts, also if it is the longest', async (t) => {
    const fixture = await retentionFixture(t)
    const { platform, ask, asBusiness, view, connector, periodsPath } = fixture
    const other = await platform.accounts.createBusiness({ name: 'Other' })
    const ages = [1, 30, 60, 100, 2_000]
    await platform.provisioning.identities.whitelist(view, connector.id, 'd')
    const device = { connectorId: connector.id, identity: 'd' }
    const signals = {
      instance: await signalWith(fixture, wholeView(other.id), ages),
      business: await signalWith(fixture, view, ages),
      connector: await signalWith(fixture, view, ages, device),
      own: await signalWith(fixture, view, ages, device),
      longest: await signalWith(fixture, view, ages),
    }
    const periods = [
      await ask('PATCH', '/instance/retention', { values: 90 }),
      await ask('PATCH', periodsPath, { values: 50 }),
      await asBusiness('PUT', `/connectors/${connector.id}/retention`, { hours: 24 }),
      await asBusiness('PUT', `/signals/${signals.own.id}/retention`, { hours: 70 }),
      await asBusiness('PUT', `/signals/${signals.longest.id}/retention`, { hours: 1_500 }),
    ]
    assert.ok(
      periods.every(({ status }) => status === 200),
      JSON.stringify(periods),
    )
    await maintain(platform, { log: true })
    assert.deepEqual(await signals.instance.kept(), [1, 30, 60])
    assert.deepEqual(await signals.business.kept(), [1, 30])
    assert.deepEqual(await signals.connector.kept(), [1])
    assert.deepEqual(await signals.own.kept(), [1, 30, 60])
    assert.deepEqual(await signals.longest.kept(), [1, 30, 60, 100])
  })

  it('a business sees what is in force', async (t) => {
    const { ask, asBusiness, periodsPath } = await retentionFixture(t)
    await ask('PATCH', '/instance/retention', { values: 90 })
    await ask('PATCH', periodsPath, { values: 50 })
    const inForce = async () => (await asBusiness('GET', '/retention')).json
    const { values, log } = await inForce()
    assert.deepEqual(values, { hours: 50, set_by: 'business' })
    assert.deepEqual(log, { hours: limits.logRetentionHours, set_by: 'default' })
    await ask('PATCH', periodsPath, { values: null })
    assert.deepEqual((await inForce()).values, { hours: 90, set_by: 'instance' })
  })

  it('without a period they are kept for ever', async (t) => {
    const fixture = await retentionFixture(t)
    const signal = await signalWith(fixture, fixture.view, [1, 80_000])
    await maintain(fixture.platform, { log: true })
    assert.deepEqual(await signal.kept(), [1, 80_000])
    const { json } = await fixture.asBusiness('GET', '/retention')
    assert.deepEqual(json.values, { hours: null, set_by: 'default' })
  })

  it('the period of the instance drops whole weeks', async (t) => {
    const fixture = await retentionFixture(t)
    const { platform, clock, ask, view } = fixture
    const nowUs = clock.nowUs()
    await platform.assets.ensurePartitions(nowUs - 6 * weekUs)
    const partitions = async () =>
      (
        await platform.database.rows<{ name: string }>(
          `select inhrelid::regclass::text as name from pg_inherits
           where inhparent = 'assets_value'::regclass`,
        )
      ).map(({ name }) => name)
    const old = `assets_value_w${Math.floor(nowUs / weekUs) - 6}`
    const signal = await signalWith(fixture, view, [1, 6 * 7 * 24])
    assert.ok((await partitions()).includes(old))
    await ask('PATCH', '/instance/retention', { values: 4 * 7 * 24 })
    await maintain(platform, { log: true })
    assert.ok(!(await partitions()).includes(old))
    assert.deepEqual(await signal.kept(), [1])
  })

  it('writers go on while old values are removed, and none of theirs are lost', async (t) => {
    const fixture = await retentionFixture(t)
    const { platform, ask, view, clock, periodsPath } = fixture
    const ages = Array.from({ length: 500 }, (_, at) => 100 + at)
    const signal = await signalWith(fixture, view, ages)
    await ask('PATCH', periodsPath, { values: 50 })
    const nowUs = clock.nowUs()
    const writing = Array.from({ length: 50 }, (_, at) =>
      platform.database.transaction((held) =>
        platform.assets.writeValues(held, [{ key: signal.key, ts: nowUs - at, value: -at }]),
      ),
    )
    await Promise.all([maintain(platform, { log: true }), ...writing])
    assert.equal((await signal.kept()).length, 50)
  })
})

describe('how long other data are kept', () => {
  it('lines, notifications, contents and audit follow the period of their business', async (t) => {
    const fixture = await retentionFixture(t)
    const { platform, ask, clock, connector, httpUrl, periodsPath } = fixture
    const path = `${httpUrl}/api:1/service/${connector.id}/device2/content/firmware`
    const put = await fetch(path, {
      method: 'PUT',
      headers: { authorization: `Automation ${fixture.token}`, 'content-type': 'text/plain' },
      body: 'old',
    })
    assert.ok(put.ok, await put.text())
    const call = { service: '', handler: '', trackingId: '' }
    const write = (businessId: string) =>
      platform.activity.solutions.write({
        ...call,
        businessId,
        solutionId: 'pump',
        kind: 'log',
        level: 'info',
        text: 'text',
      })
    const other = await platform.accounts.createBusiness({ name: 'Other' })
    write(fixture.businessId)
    write(other.id)
    await platform.activity.flush()
    await ask('PATCH', periodsPath, { lines: 2, audit: 2, contents: 2 })
    const rows = async (what: string) =>
      (await platform.database.one<{ count: number }>(`select count(*) as count from ${what}`))
        ?.count
    const ofBusiness = (table: string, id: string) => `${table} where business_id = '${id}'`
    clock.advance(3 * 3_600_000)
    await maintain(platform, { log: true })
    assert.equal(await rows(ofBusiness('activity_line', other.id)), 1)
    assert.equal(
      await rows(`${ofBusiness('activity_line', fixture.businessId)} and owner = 'solution'`),
      0,
    )
    assert.equal(await rows('provisioning_content'), 0)
    assert.equal(await rows(ofBusiness('accounts_audit', fixture.businessId)), 0)
  })

  it('wrong periods are refused', async (t) => {
    const { ask, asBusiness, connector, periodsPath } = await retentionFixture(t)
    const wrong: readonly (readonly [string, unknown])[] = [
      ['/instance/retention', { values: 0 }],
      ['/instance/retention', { values: 1.5 }],
      ['/instance/retention', { log: 1 }],
      [periodsPath, { log: 1_000 }],
      [periodsPath, { values: 1e9 }],
    ]
    for (const [path, body] of wrong) {
      const { status, json } = await ask('PATCH', path, body)
      assert.deepEqual([status, json.code], [400, 'invalid_argument'], JSON.stringify(body))
    }
    const missing = ['/connectors/none/retention', '/signals/none/retention']
    for (const path of missing) {
      assert.equal((await asBusiness('PUT', path, { hours: 1 })).status, 404, path)
      assert.equal((await asBusiness('GET', path)).status, 404, path)
    }
    const mine = await asBusiness('GET', `/connectors/${connector.id}/retention`)
    assert.deepEqual(mine.json, { hours: null })
  })
})

describe('the graph API', () => {
  it('shows and sets the periods of signals and connectors', async (t) => {
    const fixture = await retentionFixture(t)
    const { httpUrl, token, view, connector } = fixture
    const signal = await signalWith(fixture, view, [1])
    const graph = async (query: string) => {
      const response = await fetch(`${httpUrl}/api/graphql`, {
        method: 'POST',
        headers: { authorization: `Automation ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      })
      return (await response.json()) as { data?: Record<string, unknown>; errors?: unknown }
    }
    const set = await graph(`mutation {
      setSignalRetention(id: "${signal.id}", hours: 48) { id retentionHours }
      setConnectorRetention(id: "${connector.id}", hours: 72) { id retentionHours }
    }`)
    assert.deepEqual(set.data, {
      setSignalRetention: { id: signal.id, retentionHours: 48 },
      setConnectorRetention: { id: connector.id, retentionHours: 72 },
    })
    const taken = await graph(
      `mutation { setSignalRetention(id: "${signal.id}") { retentionHours } }`,
    )
    assert.deepEqual(taken.data, { setSignalRetention: { retentionHours: null } })
    const wrong = await graph(
      `mutation { setSignalRetention(id: "${signal.id}", hours: 0.5) { retentionHours } }`,
    )
    assert.match(JSON.stringify(wrong.errors), /invalid_argument|whole hours/)
  })
})
