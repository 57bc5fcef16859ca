import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type InterfaceFixture, interfaceFixture, until } from '../../../fixtures/interface.ts'
import { assertFault, assertStatus } from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

type Event = { id: string; parameters: Record<string, unknown>; solution_id: string }

/** Keeps the events that the handler receives, in order. */
const keep = (event: string) => `
  Keystore.command{command="rpush", key="${event}", args={to_json(event)}}`

let fixture: InterfaceFixture
const onPump = sharedBySuites(async (suite) => {
  fixture = await interfaceFixture(suite)
  await fixture.expose('pump', {
    default_script_key: 'Pump',
    parameters: [{ name: 'level', type: 'integer' }],
  })
  for (const event of ['subscriberAdded', 'subscriberRemoved', 'subscriberUpdated']) {
    await fixture.put('pump', `interface_${event}`, keep(event))
  }
})

async function received(event: string): Promise<Event[]> {
  const list = `return Keystore.command{command="lrange", key="${event}", args={0, -1}}.value`
  const texts = ((await fixture.run('pump', list)) ?? []) as string[]
  return texts.map((text) => JSON.parse(text))
}
const waitForEvents = (event: string, id: string) =>
  until(
    async () => (await received(event)).filter((one) => one.id === id),
    (events) => events.length > 0,
  )
const config = (name: string, id: string) => `/solution/${name}/serviceconfig/${id}`

describe('interface: events toward the exposing solution', () => {
  onPump()

  it('subscriberAdded: a solution added the exposed service', async () => {
    const id = await fixture.subscriber('added', 'pump', { parameters: { level: 1, other: 'x' } })
    assert.deepEqual(await waitForEvents('subscriberAdded', id), [
      { id, parameters: { level: 1, other: 'x' }, solution_id: 'added' },
    ])
  })

  it('subscriberUpdated: a subscriber’s configuration was updated', async () => {
    const id = await fixture.subscriber('updated', 'pump')
    assertStatus(await fixture.ask('PUT', config('updated', id), { parameters: { level: 2 } }), 200)
    assert.deepEqual(await waitForEvents('subscriberUpdated', id), [
      { id, parameters: { level: 2 }, solution_id: 'updated' },
    ])
  })

  it('a folder that is pushed publishes what its services change, and nothing twice', async () => {
    await fixture.solution('pushed')
    const push = (level: number) => {
      const text = JSON.stringify({ service: 'pump', parameters: { level } })
      const files = [{ path: 'services/pump.json', text }]
      return fixture.ask('POST', '/solution/pushed/push', { files })
    }
    for (const level of [1, 1, 2]) assertStatus(await push(level), 200)
    const [{ id }] = (await fixture.ask('GET', '/solution/pushed/serviceconfig')).json.items
    const levels = async (event: string) =>
      (await waitForEvents(event, id)).map(({ parameters }) => parameters.level)
    assert.deepEqual(await levels('subscriberUpdated'), [2])
    assert.deepEqual(await levels('subscriberAdded'), [1])
  })

  it('subscriberRemoved: the service was removed, or its solution', async () => {
    const id = await fixture.subscriber('removed', 'pump', { parameters: { level: 3 } })
    assertStatus(await fixture.ask('DELETE', config('removed', id)), 204)
    const removed = { parameters: { level: 3 }, solution_id: 'removed' }
    assert.deepEqual(await waitForEvents('subscriberRemoved', id), [{ id, ...removed }])
    const second = await fixture.subscribe('removed', 'pump', { parameters: { level: 4 } })
    assertStatus(await fixture.ask('DELETE', '/solution/removed?confirm=removed'), 204)
    assert.equal((await waitForEvents('subscriberRemoved', second)).length, 1)
    const get = `return interface.getSubscriber{subscriber_id="${second}"}.status`
    assert.equal(await fixture.run('pump', get), 404)
  })

  it('a setSubscriber of the exposing solution itself raises no event', async () => {
    const id = await fixture.subscriber('quiet', 'pump')
    const set = 'interface.setSubscriber{subscriber_id="quiet", parameters={level=9}}'
    assert.equal(await fixture.run('pump', `return ${set}`), undefined)
    // Events come in order: what is not there with this one never comes.
    assertStatus(await fixture.ask('PUT', config('quiet', id), { parameters: { level: 10 } }), 200)
    const events = await waitForEvents('subscriberUpdated', id)
    assert.deepEqual(
      events.map((event) => event.parameters.level),
      [10],
    )
  })

  it('a solution that others use is deleted by its name alone, and they see why', async () => {
    const other = await fixture.otherOwner()
    await fixture.exposed('used', { whitelist: [other.businessId] })
    for (const [id, owner] of [
      ['user1', fixture.owner],
      ['user2', other],
    ] as const) {
      await fixture.subscriber(id, 'used', {}, owner)
    }
    await fixture.run('used', 'return keystore.set{key="k", value="v"}')
    const path = '/solution/used'
    const { json } = await fixture.ask('GET', `${path}/dependants`)
    assert.deepEqual(json.dependants, [
      {
        kind: 'services',
        effect: 'deleted',
        count: 2,
        names: ['of another business', 'user1/used'],
      },
      { kind: 'keys', effect: 'deleted', count: 1, names: [] },
    ])
    assertFault(await fixture.ask('DELETE', path), 'in_use', /2 services \(of another.*; 1 keys/)
    assertFault(await fixture.ask('DELETE', `${path}?confirm=pump`), 'invalid_argument')
    assertFault(await fixture.ask('DELETE', `${path}?force=true`), 'invalid_argument', /force/)
    assertStatus(await fixture.ask('DELETE', `${path}?confirm=used`), 204)
    const lines = await until(
      async () => (await fixture.ask('GET', '/solution/user2/logs', undefined, other.token)).json,
      ({ lines }) => lines.length > 0,
    )
    assert.match(JSON.stringify(lines), /The solution used.* was deleted/)
  })

  it('quotas go with the exposing solution', async () => {
    const { database } = fixture.millrace.platform
    const rows = () =>
      database.rows('select caller_id from interface_quota where solution_id = $1', ['seller'])
    await fixture.exposed('seller', {})
    await fixture.subscriber('buyer', 'seller')
    const set = 'return interface.setSubscriber{subscriber_id="buyer", quota={calls_daily=1}}'
    await fixture.run('seller', set)
    assert.deepEqual(await rows(), [{ caller_id: 'buyer' }])
    assertStatus(await fixture.ask('DELETE', '/solution/seller?confirm=seller'), 204)
    assert.deepEqual(await rows(), [])
  })
})

describe('interface: what a handler of an event changes', () => {
  onPump()

  it('subscriberUpdated may return {parameters={...}}, which is stored back once', async () => {
    await fixture.exposed('maker', {
      default_script_key: 'Maker',
      parameters: [{ name: 'level', type: 'integer' }],
    })
    const handler = `${keep('subscriberUpdated')}
      if event.parameters.level == 99 then return {parameters = {level = "x"}} end
      return {parameters = {level = (event.parameters.level or 0) + 1, made = true}}`
    await fixture.put('maker', 'interface_subscriberUpdated', handler)
    const id = await fixture.subscriber('customer', 'maker', { parameters: { level: 1 } })
    const stored = async () => (await fixture.ask('GET', config('customer', id))).json.parameters
    const put = (level: number) =>
      fixture.ask('PUT', config('customer', id), { parameters: { level, gone: 1 } })
    assertStatus(await put(5), 200)
    assert.deepEqual(await stored(), { level: 6, made: true })
    const count = 'return Keystore.command{command="llen", key="subscriberUpdated"}.value'
    assert.equal(await fixture.run('maker', count), 1)
    assertStatus(await put(99), 200)
    assert.deepEqual(await stored(), { level: 99, gone: 1 })
  })

  it('a change that could not be committed raises no event, and undoes all of it', async () => {
    const { database } = fixture.millrace.platform
    await database.run(`create function refuse_doomed() returns trigger language plpgsql as $$
      begin raise exception 'doomed'; end $$`)
    await database.run(`create constraint trigger doomed after insert or update or delete
      on scripting_configuration deferrable initially deferred for each row
      execute function refuse_doomed()`)
    await fixture.solution('doomed')
    assertStatus(await fixture.trySubscribe('doomed', 'pump', { parameters: { level: 1 } }), 500)
    await database.run('drop trigger doomed on scripting_configuration')
    const rows = () => database.rows('select id from jobs_job where input like \'%"doomed"%\'')
    assert.deepEqual(await rows(), [])
    const id = await fixture.subscribe('doomed', 'pump', { parameters: { level: 2 } })
    const [first, ...others] = await waitForEvents('subscriberAdded', id)
    assert.deepEqual([first?.parameters.level, others], [2, []])
    const all = (await received('subscriberAdded')).filter((one) => one.solution_id === 'doomed')
    assert.equal(all.length, 1)
    assert.deepEqual((await fixture.millrace.platform.eventlog.ledger.verify()).faults, [])
  })
})
