import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type InterfaceFixture, interfaceFixture } from '../../../fixtures/interface.ts'
import type { OwnPlatform } from '../../../fixtures/platform.ts'
import { assertStatus } from '../../../fixtures/solutions.ts'
import { sharedBySuites, suiteContext } from '../../../fixtures/suite.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

type Subscription = Record<string, unknown> & { id: string; solution_id: string }
type Page = { items: Subscription[]; total: number }

const refused = (error: string, status = 400) => ({ type: 'QueryError', error, status })
const unknown = refused('The subscriber is not found.', 404)

let fixture: InterfaceFixture<OwnPlatform>
/** Subscription ids, by the subscriber's solution. */
const ids: Record<string, string> = {}
const onSubscribers = sharedBySuites(async (suite) => {
  fixture = await interfaceFixture(suite, { movesClock: true })
  const operations = [{ name: 'ping', script: 'return "pong"' }]
  const parameters = [{ name: 'level', type: 'integer' }]
  await fixture.expose('pump', { default_script_key: 'Pump', operations, parameters })
  for (const [at, name] of ['alpha', 'beta', 'gamma'].entries()) {
    const body = { parameters: { level: at, kind: 'x' }, triggers: { alarm: 'siren' } }
    ids[name] = await fixture.subscriber(name, 'pump', body)
  }
})

const pump = (source: string) => fixture.run('pump', source)
const get = async (id: string) =>
  (await pump(`return interface.getSubscriber{subscriber_id="${id}"}`)) as Subscription

describe('interface: a subscriber, as the exposing solution sees it', () => {
  onSubscribers()

  it('Subscription: id, solution_id, quota, triggers, parameters and two times', async () => {
    const { id, solution_id, quota, triggers, parameters, created_at, updated_at, ...rest } =
      await get('alpha')
    assert.match(id, uuid)
    assert.match(solution_id, /^[a-zA-Z0-9]+$/)
    assert.deepEqual({ solution_id, quota, rest }, { solution_id: 'alpha', quota: {}, rest: {} })
    assert.deepEqual(triggers, { alarm: 'siren' })
    assert.deepEqual(parameters, { level: 0, kind: 'x' })
    assert.match(String(created_at), iso)
    assert.equal(updated_at, created_at)
  })

  it('getSubscriber: by the solution id and by the id of the subscription', async () => {
    assert.equal((await get('beta')).id, ids.beta)
    assert.equal((await get(ids.beta ?? '')).solution_id, 'beta')
  })

  it('getSubscriber: the id of a solution, or an error object', async () => {
    for (const id of ['A', 'a-b', 'a_b', '']) {
      assert.deepEqual(await get(id), refused('subscriber_id must match ^[a-z0-9]+$'))
    }
    for (const id of ['a', '1ab']) assert.deepEqual(await get(id), unknown)
    const missing = refused('subscriber_id must be given')
    assert.deepEqual(await pump('return interface.getSubscriber{}'), missing)
    assert.deepEqual(await pump('return interface.getSubscriber()'), missing)
    assert.deepEqual(await get('delta'), unknown)
    assert.deepEqual(await get('9c5b94b1-35ad-49bb-b118-8e8fc24abf80'), unknown)
  })

  it('the id of a new solution can be named, and an older one with a digit first', async () => {
    for (const id of ['9lives', 'z', '7', 'a-b', 'A1']) {
      const refusal = await fixture.ask('POST', '/solution', { id, name: id })
      assert.deepEqual([refusal.status, refusal.json.code], [400, 'invalid_argument'], id)
    }
    await fixture.subscriber('lives', 'pump')
    const { database } = fixture.millrace.platform
    const older = `insert into scripting_solution
        (id, business_id, name, description, version, limits, created_at, updated_at)
      select '9lives', business_id, name, description, version, limits, created_at, updated_at
      from scripting_solution where id = 'lives'`
    await database.run(older)
    const id = await fixture.subscribe('9lives', 'pump')
    assert.equal((await get('9lives')).id, id)
    const set = 'return interface.setSubscriber{subscriber_id="9lives", quota={calls_daily=4}}'
    assert.equal(await pump(set), undefined)
    assert.deepEqual((await get('9lives')).quota, { calls_daily: 4 })
    for (const name of ['lives', '9lives']) {
      assertStatus(await fixture.ask('DELETE', `/solution/${name}?confirm=${name}`), 204)
    }
  })

  it('a solution that exposes nothing has no subscribers', async () => {
    await fixture.solution('plain')
    const error = refused('The service is not found: the solution exposes none.', 404)
    for (const call of [
      'getSubscriber{subscriber_id="beta"}',
      'listSubscribers{}',
      'setSubscriber{subscriber_id="beta"}',
    ]) {
      assert.deepEqual(await fixture.run('plain', `return interface.${call}`), error)
    }
  })

  it('sees its own subscribers and nobody else’s', async () => {
    await fixture.exposed('neighbour', { default_script_key: 'Neighbour' })
    await fixture.subscribe('alpha', 'neighbour')
    const seen = 'return interface.getSubscriber{subscriber_id='
    assert.deepEqual(await fixture.run('neighbour', `${seen}"${ids.beta}"}`), unknown)
    assert.deepEqual(await fixture.run('neighbour', `${seen}"beta"}`), unknown)
    assert.notDeepEqual(await fixture.run('neighbour', `${seen}"alpha"}`), unknown)
  })
})

describe('interface: the list of subscribers', () => {
  onSubscribers()

  it('listSubscribers: items and total, oldest first', async () => {
    const { items, total } = (await pump('return interface.listSubscribers{}')) as Page
    assert.equal(total, 3)
    assert.deepEqual(
      items.map((one) => one.solution_id),
      ['alpha', 'beta', 'gamma'],
    )
    assert.deepEqual(items[1], await get('beta'))
  })

  it('listSubscribers: parameters filter on the configuration parameters', async () => {
    const list = async (args: string) => {
      const page = (await pump(`return interface.listSubscribers${args}`)) as Page
      return { names: page.items.map((one) => one.solution_id), total: page.total }
    }
    assert.deepEqual(await list('{parameters={level=1}}'), { names: ['beta'], total: 1 })
    assert.deepEqual((await list('{parameters={kind="x"}}')).total, 3)
    assert.deepEqual((await list('{parameters={level=1, kind="y"}}')).total, 0)
    assert.deepEqual((await list('{parameters={}}')).total, 3)
  })

  it('listSubscribers: offset and limit', async () => {
    const list = (args: string) => pump(`return interface.listSubscribers${args}`)
    const page = (await list('{offset=1, limit=1}')) as Page
    assert.deepEqual([page.items.map((one) => one.solution_id), page.total], [['beta'], 3])
    assert.deepEqual(((await list('{offset=3}')) as Page).items, [])
    const most = 'limit must be a whole number from 1 to 100'
    for (const limit of ['0', '101', '1.5', '"x"']) {
      assert.deepEqual(await list(`{limit=${limit}}`), refused(most))
    }
    const offset = refused('offset must be a whole number from 0 to 5000')
    assert.deepEqual(await list('{offset=-1}'), offset)
    assert.deepEqual(await list('{parameters=1}'), refused('parameters must be an object'))
  })

  it('listSubscribers: limit is 20 by default', async () => {
    await fixture.exposed('many', { default_script_key: 'Many' })
    for (let at = 0; at < 21; at += 1) {
      await fixture.subscribe('alpha', 'many', { script_key: `many${at}` })
    }
    const page = (await fixture.run('many', 'return interface.listSubscribers{}')) as Page
    assert.deepEqual([page.items.length, page.total], [20, 21])
    const oldest = 'return interface.getSubscriber{subscriber_id="alpha"}.id'
    assert.equal(await fixture.run('many', oldest), page.items[0]?.id)
  })
})

describe('interface: a change of a subscriber', () => {
  onSubscribers()

  it('setSubscriber: nil on success; quota and parameters, what is named changes', async () => {
    const set = (args: string) => pump(`return interface.setSubscriber${args}`)
    const asked = 'subscriber_id="gamma"'
    assert.equal(
      await set(`{${asked}, quota={calls_daily=5, calls_monthly=50}, parameters={level=7}}`),
      undefined,
    )
    const first = await get('gamma')
    assert.deepEqual(first.quota, { calls_daily: 5, calls_monthly: 50 })
    assert.deepEqual(first.parameters, { level: 7, kind: 'x' })
    assert.ok(String(first.updated_at) > String(first.created_at))
    assert.equal(await set(`{${asked}, quota={calls_daily=json.null}}`), undefined)
    assert.deepEqual((await get('gamma')).quota, { calls_monthly: 50 })
    const id = `subscriber_id="${ids.gamma}"`
    assert.equal(await set(`{${id}, parameters={kind=json.null, extra={1}}}`), undefined)
    assert.deepEqual((await get('gamma')).parameters, { level: 7, extra: [1] })
    assert.equal(await set(`{${id}, quota={calls_monthly=json.null}}`), undefined)
    assert.deepEqual((await get('gamma')).quota, {})
  })

  it('setSubscriber: what is wrong is an error object that names it', async () => {
    const whole = 'must be a whole number from 0 to 1000000000000'
    const rows: [string, object][] = [
      ['{quota={}}', refused('subscriber_id must be given')],
      ['{subscriber_id="x y"}', refused('subscriber_id must match ^[a-z0-9]+$')],
      ['{subscriber_id="delta", quota={}}', unknown],
      ['{subscriber_id="beta", quota=1}', refused('quota must be an object')],
      ['{subscriber_id="beta", quota={calls=1}}', refused('quota has no field "calls"')],
      ['{subscriber_id="beta", quota={calls_daily=-1}}', refused(`quota.calls_daily ${whole}`)],
      [
        '{subscriber_id="beta", quota={calls_monthly="9"}}',
        refused(`quota.calls_monthly ${whole}`),
      ],
      ['{subscriber_id="beta", parameters=1}', refused('parameters must be an object')],
      [
        '{subscriber_id="beta", parameters={level="x"}}',
        refused('parameters.level must be of type integer (type)'),
      ],
    ]
    const before = await get('beta')
    for (const [args, error] of rows) {
      assert.deepEqual(await pump(`return interface.setSubscriber${args}`), error)
    }
    assert.deepEqual(await get('beta'), before)
  })

  it('the new parameters count for the subscriber’s next call', async () => {
    await fixture.expose('pump', {
      default_script_key: 'Pump',
      operations: [{ name: 'ping', script: 'return event.level' }],
      parameters: [{ name: 'level', type: 'integer' }],
    })
    assert.equal(await fixture.run('beta', 'return Pump.ping{}'), 1)
    await pump('return interface.setSubscriber{subscriber_id="beta", parameters={level=4}}')
    assert.equal(await fixture.run('beta', 'return Pump.ping{}'), 4)
  })
})

describe('interface: quotas cap the calls of a subscriber', () => {
  const suite = suiteContext()
  let fixture: InterfaceFixture<OwnPlatform>
  before(async () => {
    fixture = await interfaceFixture(suite, { movesClock: true })
    const operations = [{ name: 'ping', script: 'return "pong"', parameters: { maxProperties: 1 } }]
    await fixture.expose('pump', { default_script_key: 'Pump', operations })
    for (const name of ['metered', 'free']) await fixture.subscriber(name, 'pump')
  })

  it('at the quota a call passes, past it 429 names it and when it begins anew', async () => {
    const set = 'return interface.setSubscriber{subscriber_id="metered", quota={calls_daily=3}}'
    assert.equal(await fixture.run('pump', set), undefined)
    const calls = `
      local results = {}
      for i = 1, 4 do
        local answer = Pump.ping{}
        results[i] = answer == "pong" and answer or answer.status .. " " .. answer.error
      end
      return results`
    const results = (await fixture.run('metered', calls)) as string[]
    assert.deepEqual(results.slice(0, 3), ['pong', 'pong', 'pong'])
    const midnight = /^429 The quota calls_daily of 3 calls is used up until \S+T00:00:00Z\.$/
    assert.match(results[3] ?? '', midnight)
    assert.equal(await fixture.run('free', 'return Pump.ping{}'), 'pong')
    fixture.millrace.clock.advance(24 * 3_600_000)
    assert.equal(await fixture.run('metered', 'return Pump.ping{}'), 'pong')
  })

  it('a call whose arguments are refused is not counted', async () => {
    const set = 'return interface.setSubscriber{subscriber_id="free", quota={calls_monthly=1}}'
    await fixture.run('pump', set)
    const refused = (await fixture.run('free', 'return Pump.ping{a=1, b=2}')) as { status: number }
    assert.equal(refused.status, 400)
    assert.equal(await fixture.run('free', 'return Pump.ping{}'), 'pong')
    const last = (await fixture.run('free', 'return Pump.ping{}')) as { error: string }
    assert.match(last.error, /^The quota calls_monthly of 1 calls/)
  })
})
