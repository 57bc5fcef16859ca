import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type InterfaceBench, interfaceBench, until } from '../../fixtures/interface.ts'
import { assertStatus } from '../../fixtures/solutions.ts'
import { suiteContext } from '../../fixtures/suite.ts'

type Event = { id: string; parameters: Record<string, unknown>; solution_id: string }

/** Keeps what the handler is told, in order. */
const keep = (event: string) => `
  Keystore.command{command="rpush", key="${event}", args={to_json(event)}}`

describe('interface: events toward the exposing solution', () => {
  const suite = suiteContext()
  let bench: InterfaceBench
  before(async () => {
    bench = await interfaceBench(suite)
    await bench.expose('pump', {
      default_script_key: 'Pump',
      parameters: [{ name: 'level', type: 'integer' }],
    })
    for (const event of ['subscriberAdded', 'subscriberRemoved', 'subscriberUpdated']) {
      await bench.put('pump', `interface_${event}`, keep(event))
    }
  })

  async function told(event: string): Promise<Event[]> {
    const list = `return Keystore.command{command="lrange", key="${event}", args={0, -1}}.value`
    const texts = ((await bench.run('pump', list)) ?? []) as string[]
    return texts.map((text) => JSON.parse(text))
  }
  const toldOf = (event: string, id: string) =>
    until(
      async () => (await told(event)).filter((one) => one.id === id),
      (events) => events.length > 0,
    )
  const config = (name: string, id: string) => `/solution/${name}/serviceconfig/${id}`

  it('subscriberAdded: a solution added the exposed service', async () => {
    await bench.solution('added')
    const id = await bench.subscribe('added', 'pump', { parameters: { level: 1, other: 'x' } })
    assert.deepEqual(await toldOf('subscriberAdded', id), [
      { id, parameters: { level: 1, other: 'x' }, solution_id: 'added' },
    ])
  })

  it('subscriberUpdated: a subscriber’s configuration was updated', async () => {
    await bench.solution('updated')
    const id = await bench.subscribe('updated', 'pump')
    assertStatus(await bench.ask('PUT', config('updated', id), { parameters: { level: 2 } }), 200)
    assert.deepEqual(await toldOf('subscriberUpdated', id), [
      { id, parameters: { level: 2 }, solution_id: 'updated' },
    ])
  })

  it('a folder that is pushed tells what its services change, and nothing twice', async () => {
    await bench.solution('pushed')
    const push = (level: number) => {
      const text = JSON.stringify({ service: 'pump', parameters: { level } })
      const files = [{ path: 'services/pump.json', text }]
      return bench.ask('POST', '/solution/pushed/push', { files })
    }
    for (const level of [1, 1, 2]) assertStatus(await push(level), 200)
    const [{ id }] = (await bench.ask('GET', '/solution/pushed/serviceconfig')).json.items
    const levels = async (event: string) =>
      (await toldOf(event, id)).map(({ parameters }) => parameters.level)
    assert.deepEqual(await levels('subscriberUpdated'), [2])
    assert.deepEqual(await levels('subscriberAdded'), [1])
  })

  it('subscriberRemoved: the service was removed, or its solution', async () => {
    await bench.solution('removed')
    const id = await bench.subscribe('removed', 'pump', { parameters: { level: 3 } })
    assertStatus(await bench.ask('DELETE', config('removed', id)), 204)
    const removed = { parameters: { level: 3 }, solution_id: 'removed' }
    assert.deepEqual(await toldOf('subscriberRemoved', id), [{ id, ...removed }])
    const second = await bench.subscribe('removed', 'pump', { parameters: { level: 4 } })
    assertStatus(await bench.ask('DELETE', '/solution/removed'), 204)
    assert.equal((await toldOf('subscriberRemoved', second)).length, 1)
    const get = `return interface.getSubscriber{subscriber_id="${second}"}.status`
    assert.equal(await bench.run('pump', get), 404)
  })

  it('a setSubscriber of the exposing solution itself raises no event', async () => {
    await bench.solution('quiet')
    const id = await bench.subscribe('quiet', 'pump')
    const set = 'interface.setSubscriber{subscriber_id="quiet", parameters={level=9}}'
    assert.equal(await bench.run('pump', `return ${set}`), undefined)
    // What comes later is told; what was not told before, never will be.
    assertStatus(await bench.ask('PUT', config('quiet', id), { parameters: { level: 10 } }), 200)
    const events = await toldOf('subscriberUpdated', id)
    assert.deepEqual(
      events.map((event) => event.parameters.level),
      [10],
    )
  })

  it('subscriberUpdated may return {parameters={...}}, which is stored back once', async () => {
    await bench.solution('maker')
    await bench.expose('maker', {
      default_script_key: 'Maker',
      parameters: [{ name: 'level', type: 'integer' }],
    })
    const handler = `${keep('subscriberUpdated')}
      if event.parameters.level == 99 then return {parameters = {level = "x"}} end
      return {parameters = {level = (event.parameters.level or 0) + 1, made = true}}`
    await bench.put('maker', 'interface_subscriberUpdated', handler)
    await bench.solution('customer')
    const id = await bench.subscribe('customer', 'maker', { parameters: { level: 1 } })
    const stored = async () => (await bench.ask('GET', config('customer', id))).json.parameters
    const put = (level: number) =>
      bench.ask('PUT', config('customer', id), { parameters: { level, gone: 1 } })
    assertStatus(await put(5), 200)
    assert.deepEqual(await stored(), { level: 6, made: true })
    const count = 'return Keystore.command{command="llen", key="subscriberUpdated"}.value'
    assert.equal(await bench.run('maker', count), 1)
    assertStatus(await put(99), 200)
    assert.deepEqual(await stored(), { level: 99, gone: 1 })
  })

  it('a change that could not be committed raises no event, and undoes all of it', async () => {
    const { database } = bench.millrace.platform
    await database.run(`create function refuse_doomed() returns trigger language plpgsql as $$
      begin raise exception 'doomed'; end $$`)
    await database.run(`create constraint trigger doomed after insert or update or delete
      on scripting_configuration deferrable initially deferred for each row
      execute function refuse_doomed()`)
    await bench.solution('doomed')
    assertStatus(await bench.trySubscribe('doomed', 'pump', { parameters: { level: 1 } }), 500)
    await database.run('drop trigger doomed on scripting_configuration')
    const rows = () =>
      database.rows('select id from scripting_delivery where argument like \'%"doomed"%\'')
    assert.deepEqual(await rows(), [])
    const id = await bench.subscribe('doomed', 'pump', { parameters: { level: 2 } })
    const [first, ...others] = await toldOf('subscriberAdded', id)
    assert.deepEqual([first?.parameters.level, others], [2, []])
    const all = (await told('subscriberAdded')).filter((one) => one.solution_id === 'doomed')
    assert.equal(all.length, 1)
    assert.deepEqual((await bench.millrace.platform.eventlog.ledger.verify()).faults, [])
  })

  it('quotas go with the exposing solution', async () => {
    const { database } = bench.millrace.platform
    const rows = () =>
      database.rows('select caller_id from interface_quota where solution_id = $1', ['seller'])
    await bench.solution('seller')
    await bench.expose('seller', {})
    await bench.solution('buyer')
    await bench.subscribe('buyer', 'seller')
    const set = 'return interface.setSubscriber{subscriber_id="buyer", quota={calls_daily=1}}'
    await bench.run('seller', set)
    assert.deepEqual(await rows(), [{ caller_id: 'buyer' }])
    assertStatus(await bench.ask('DELETE', '/solution/seller'), 204)
    assert.deepEqual(await rows(), [])
  })
})
