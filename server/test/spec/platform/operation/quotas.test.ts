import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
import { scripted } from '../../../fixtures/scripted-platform.ts'
import { parseCsv, upload } from '../../../fixtures/wire/csv.ts'
import { activate, deviceWith, newDevice } from '../../../fixtures/wire/device.ts'
import { mqttDevice } from '../../../fixtures/wire/mqtt.ts'

type Answer = { readonly status: number; readonly json: Record<string, unknown> }
type Context = Parameters<typeof scripted>[0]

async function quotaFixture(t: Context) {
  const instance = await scripted(t, { movesClock: true })
  const { platform, connector, httpUrl, token, operator, businessId } = instance
  async function ask(
    method: string,
    path: string,
    body?: unknown,
    authorization = `Automation ${token}`,
  ): Promise<Answer> {
    const json = body !== undefined && { 'content-type': 'application/json' }
    const response = await fetch(`${httpUrl}/api:1${path}`, {
      method,
      headers: { authorization, ...json },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, json: text === '' ? {} : JSON.parse(text) }
  }
  const setQuotas = async (quotas: object) => {
    const { status, json } = await ask(
      'PATCH',
      `/businesses/${businessId}/quotas`,
      quotas,
      operator,
    )
    assert.equal(status, 200, JSON.stringify(json))
  }
  const countWrites = async (identity: string) =>
    (
      await platform.database.one<{ count: number }>(
        `select count(*) as count from eventlog_entry
         where connector_id = $1 and identity = $2 and kind = 'write'`,
        [connector.id, identity],
      )
    )?.count ?? 0
  const assertLedger = async () =>
    assert.deepEqual((await platform.eventlog.ledger.verify()).faults, [])
  const usage = async () => (await ask('GET', '/usage')).json
  return { ...instance, ask, setQuotas, countWrites, assertLedger, usage }
}

describe('messages a second', () => {
  it('past the quota get 429 with Retry-After, and are not in the log', async (t) => {
    const fixture = await quotaFixture(t)
    const { device, setQuotas, countWrites, assertLedger, clock } = fixture
    const one = await device('one')
    await setQuotas({ messages: 10 })
    const startMs = Date.now()
    const answers = await Promise.all(Array.from({ length: 60 }, (_, at) => one.write(`a=${at}`)))
    const seconds = (Date.now() - startMs) / 1_000
    const taken = answers.filter(({ status }) => status === 204)
    const refused = answers.filter(({ status }) => status === 429)
    assert.equal(taken.length + refused.length, 60)
    assert.ok(taken.length >= 10 && taken.length <= 10 * (seconds + 1) + 1, `${taken.length}`)
    for (const { headers, body } of refused) {
      assert.equal(body, 'business_rate_exceeded')
      assert.match(headers.join('\n'), /^Retry-After: [1-9]\d*$/m)
    }
    assert.equal(await countWrites('one'), taken.length)
    await assertLedger()
    clock.advance(2_000)
    assert.equal((await one.write('a=last')).status, 204)
    await setQuotas({ messages: null })
    const free = await Promise.all(Array.from({ length: 60 }, () => one.write('a=1')))
    assert.ok(free.every(({ status }) => status === 204))
  })

  it('are counted over all processes, and other businesses go on', async (t) => {
    const fixture = await quotaFixture(t)
    const { device, setQuotas, platform, another, connector, httpUrl } = fixture
    const business = await platform.accounts.createBusiness({ name: 'Other' })
    const settings = { name: 'o', devmode: true, selfRegistration: true }
    const resources = { a: { format: 'string' } }
    const { connectors } = platform.provisioning
    const foreign = await connectors.create(business.id, { ...settings, resources })
    const other = await newDevice(httpUrl, foreign.id, 'other')
    const here = await device('here')
    await setQuotas({ messages: 20 })
    const second = await another()
    const there = await newDevice(second.httpUrl, connector.id, 'there')
    await second.platform.accounts.quotas.set(connector.businessId, {})
    const startMs = Date.now()
    const answers = await Promise.all(
      [here, there].flatMap((one) => Array.from({ length: 50 }, () => one.write('a=1'))),
    )
    const seconds = (Date.now() - startMs) / 1_000
    const taken = answers.filter(({ status }) => status === 204).length
    // Each process may hold a tenth of a second's messages in advance.
    assert.ok(taken <= 20 * (seconds + 1) + 2 * 2, `${taken} in ${seconds} s`)
    const free = await Promise.all(Array.from({ length: 50 }, () => other.write('a=1')))
    assert.ok(free.every(({ status }) => status === 204))
  })

  it('count from the first message after a start', async (t) => {
    const { device, setQuotas, another, countWrites } = await quotaFixture(t)
    const one = await device('one')
    await setQuotas({ messages: 1 })
    const { httpUrl } = await another()
    const there = deviceWith(httpUrl, one.identity, one.token)
    const startMs = Date.now()
    const answers = await Promise.all(Array.from({ length: 20 }, () => there.write('a=1')))
    const seconds = (Date.now() - startMs) / 1_000
    const taken = answers.filter(({ status }) => status === 204).length
    assert.ok(taken <= seconds + 2, `${taken} of 20`)
    assert.equal(await countWrites('one'), taken)
  })

  it('end the MQTT connection without an acknowledgement', async (t) => {
    const fixture = await quotaFixture(t)
    const { device, setQuotas, countWrites, mqttUrl, clock, assertLedger } = fixture
    const { token, identity } = await device('mqtt')
    const { client } = await mqttDevice(t, mqttUrl, { password: token })
    await setQuotas({ messages: 1 })
    await client.publishAsync('$resource/a', '1', { qos: 1 })
    const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
    for (const value of ['2', '3', '4']) client.publish('$resource/a', value, { qos: 1 })
    await closed
    assert.ok((await countWrites(identity)) <= 2)
    await assertLedger()
    await setQuotas({ messages: null })
    clock.advance(2_000)
    const again = await mqttDevice(t, mqttUrl, { password: token })
    await again.client.publishAsync('$resource/a', '5', { qos: 1 })
  })
})

describe('what a business has', () => {
  it('devices past the quota are refused with 507, and are not there', async (t) => {
    const { setQuotas, ask, connector, httpUrl, device, assertLedger, usage } =
      await quotaFixture(t)
    await device('one')
    await setQuotas({ devices: 2 })
    await device('two')
    const third = await activate(httpUrl, connector.id, 'three')
    assert.deepEqual([third.status, third.body], [507, 'business_quota_full'])
    const path = `/service/${connector.id}/device2/identity/three`
    const added = await ask('PUT', path, {})
    assert.deepEqual([added.status, added.json.code], [507, 'business_quota_full'])
    assert.equal((await ask('GET', path)).status, 404)
    assert.deepEqual((await usage()).devices, { used: 2, most: 2 })
    await assertLedger()
  })

  it('of many devices at once exactly as many come in as there is room for', async (t) => {
    const { setQuotas, connector, httpUrl, usage } = await quotaFixture(t)
    await setQuotas({ devices: 5 })
    const names = Array.from({ length: 12 }, (_, at) => `device-${at}`)
    const answers = await Promise.all(names.map((name) => activate(httpUrl, connector.id, name)))
    const counts = [200, 507].map((status) => answers.filter((one) => one.status === status).length)
    assert.deepEqual(counts, [5, 7])
    assert.deepEqual((await usage()).devices, { used: 5, most: 5 })
  })

  it('rows of a CSV file past the quota fail, and the others are added', async (t) => {
    const fixture = await quotaFixture(t)
    const { setQuotas, device, usage, assertLedger } = fixture
    await device('one')
    await setQuotas({ devices: 3 })
    const csv = 'ID\none\na\nb\nc\nd\n'
    for (const options of [{ query: '?dry_run=true' }, {}]) {
      const { status, text } = await upload(fixture, csv, options)
      assert.equal(status, 200, text)
      const codes = parseCsv(text).map(([id, how, code]) => [id, how, code].join(' ').trim())
      assert.deepEqual(codes.slice(2, 4), ['a added', 'b added'])
      const full = ['c', 'd'].map((id) => `${id} failed business_quota_full`)
      assert.deepEqual(codes.slice(4), full)
    }
    assert.deepEqual((await usage()).devices, { used: 3, most: 3 })
    const { text } = await upload(fixture, 'ID\none\ne\n', {})
    assert.match(text, /^one,unchanged,,\r\ne,failed,business_quota_full,/m)
    await assertLedger()
  })

  it('tokens, users and contents past the quota are refused with 507', async (t) => {
    const { setQuotas, ask, connector, httpUrl, token, usage } = await quotaFixture(t)
    await setQuotas({ tokens: 1, users: 1, storage: 10 })
    const newToken = { name: 'more', role: 'Operator' }
    const refused = await ask('POST', '/api-tokens', newToken)
    assert.deepEqual([refused.status, refused.json.code], [507, 'business_quota_full'])
    const user = { email: 'b@example.com', password: 'a rather long phrase', role: 'Operator' }
    const second = await ask('POST', '/users', user)
    assert.deepEqual([second.status, second.json.code], [507, 'business_quota_full'])
    const content = `${httpUrl}/api:1/service/${connector.id}/device2/content/firmware`
    const put = (body: string) =>
      fetch(content, { method: 'PUT', headers: { authorization: `Automation ${token}` }, body })
    assert.equal((await put('0123456789')).status, 201)
    assert.equal((await put('0123456789a')).status, 507)
    const { tokens, users, storage } = await usage()
    const full = { used: 1, most: 1 }
    assert.deepEqual([tokens, users, storage], [full, full, { used: 10, most: 10 }])
  })
})

describe('the CPU of scripts', () => {
  it('events wait until there is some again, and none is lost', async (t) => {
    const fixture = await quotaFixture(t)
    const { handling, device, printed, setQuotas, clock, platform, businessId, until } = fixture
    const pump = await handling('pump', 'print("event") for i = 1, 1000000 do end')
    const one = await device('one')
    await printed(pump, 1)
    await setQuotas({ script_cpu: 1 })
    platform.accounts.quotas.useCpu(businessId, 500)
    await one.write('a=1')
    await platform.scripting.caughtUp()
    const jobs = async () =>
      (await platform.database.one<{ count: number }>('select count(*) as count from jobs_job'))
        ?.count ?? 0
    await until('the event waits', async () => (await jobs()) > 0)
    const before = (await printed(pump, 1)).length
    await setQuotas({ script_cpu: null })
    clock.advance(120_000)
    await printed(pump, before + 1)
    await fixture.assertLedger()
  })
})

describe('the quotas of a business', () => {
  it('are set by the operator, who sees the use of all', async (t) => {
    const { ask, operator, businessId, businessName } = await quotaFixture(t)
    const { json } = await ask('GET', '/instance/usage', undefined, operator)
    const all = json.businesses as { name: string; usage: Record<string, unknown> }[]
    const shown = all.find(({ name }) => name === businessName)
    assert.deepEqual(shown?.usage.users, { used: 1, most: null })
    const wrong = await ask('PATCH', `/businesses/${businessId}/quotas`, { users: 0 }, operator)
    assert.deepEqual([wrong.status, wrong.json.code], [400, 'invalid_argument'])
  })
})
