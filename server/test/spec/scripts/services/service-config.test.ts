import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import type { ScriptValue } from '../../../../src/scripts/scripting/index.ts'
import { type InterfaceFixture, interfaceFixture, until } from '../../../fixtures/interface.ts'
import { serviceCalls, type Table } from '../../../fixtures/service-calls.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

let fixture: InterfaceFixture

let connectorId: string

const shareInstance = sharedBySuites(async (suite) => {
  fixture = await interfaceFixture(suite)
  connectorId = fixture.millrace.connector.id
  await fixture.subscribe('pump', connectorId)
  await fixture.subscribe('pump', 'http', { parameters: { credentials: 'key=s3cr3t' } })
})

const run = (source: string, event?: ScriptValue) => fixture.run('pump', source, event)

const config = serviceCalls('config', () => fixture)

const scripts = serviceCalls('scripts', () => fixture)

async function ran(key: string): Promise<ScriptValue> {
  const value = await until(
    () => run(`return Keystore.get{key = "${key}"}`) as Promise<Table>,
    (got) => got.value !== undefined,
  )
  return value.value
}

describe('config: what a solution reads of itself', () => {
  shareInstance()

  test('solution: the own one, and no other', async () => {
    const {
      created_at: created,
      updated_at: updated,
      version,
      ...rest
    } = await config.ask('solution')
    const { id, name, description } = (await fixture.pump('GET', '')).json
    const domain = `pump.${fixture.millrace.platform.config.domain}`
    assert.deepEqual(rest, { id, name, domain, description, business_id: fixture.businessId })
    assert.deepEqual([id, name], ['pump', 'Pump'])
    assert.ok([created, updated, version].every(Number.isSafeInteger))
  })

  test('listServices: what was configured, by id, service and script key', async () => {
    const listed = (await config.ask('listServices', {})) as unknown as Table[]
    const { items } = (await fixture.pump('GET', '/serviceconfig')).json
    const wanted = items.map(({ id, service, script_key }: Table) => ({ id, service, script_key }))
    const shown = listed.map(({ created_at: _, updated_at: __, ...rest }) => rest)
    assert.deepEqual(shown, wanted)
    assert.deepEqual(
      shown.map(({ service, script_key: key }) => [service, key]),
      [
        [connectorId, 'device2'],
        ['http', 'http'],
      ],
    )
    await fixture.solution('empty')
    assert.deepEqual(await fixture.run('empty', 'return to_json(Config.listServices())'), '[]')
  })

  test('getParameters: by script key in any letter case, or by the service', async () => {
    for (const service of ['device2', 'Device2', connectorId]) {
      const shown = await config.ask('getParameters', { service })
      const own = { forward_events: false }
      assert.deepEqual(shown, { ...own, parameters: own })
    }
  })

  test('getParameters: secrets are never given', async () => {
    const shown = await config.ask('getParameters', { service: 'http' })
    assert.deepEqual(shown.parameters, { credentialNames: ['key'] })
    assert.ok(!JSON.stringify(await config.ask('listServices')).includes('s3cr3t'))
  })

  test('getParameters: what is not configured has none, bad arguments are a 400', async () => {
    for (const service of ['tsdb2', 'keystore']) {
      assert.deepEqual(await config.ask('getParameters', { service }), { parameters: {} })
    }
    const { domain } = fixture.millrace.platform.config
    const web = await config.ask('getParameters', { service: 'webservice' })
    assert.deepEqual(web.parameters, { domain: `pump.${domain}` })
    await config.refused('getParameters', {}, 400, /service must be given/)
    await config.refused('getParameters', { service: 5 }, 400, /service must be a text/)
    await config.refused('getParameters', { service: '' }, 400, /service must be a text/)
    await config.refused('getParameters', 'http', 400, /table with names/)
  })

  test("another solution's services are not to be seen, nor changed", async () => {
    await fixture.solution('neighbour')
    const source = `
      return {to_json(Config.getParameters{service = "http"}.parameters),
        Config.setParameters{service = "device2", parameters = {forward_events = true}}.status,
        Config.solution().id}`
    assert.deepEqual(await fixture.run('neighbour', source), ['{}', 404, 'neighbour'])
  })
})

describe('config: what services do not know', () => {
  shareInstance()

  test('an argument that there is not is passed over, with one line a deployment', async () => {
    const { log } = { log: fixture.millrace.platform.activity.solutions }
    for (let times = 0; times < 3; times += 1) {
      const shown = await config.ask('getParameters', { service: 'http', odd_one: 1 })
      assert.deepEqual(shown.parameters, { credentialNames: ['key'] })
    }
    await log.flush()
    const page = await log.lines(fixture.businessId, 'pump', { text: 'odd_one' })
    assert.deepEqual(
      page.lines.map(({ text }) => text),
      ['config.getParameters has no argument odd_one: it is passed over'],
    )
  })

  test('trigger in the mode sync gives the result, and the parameter is data', async () => {
    await fixture.put('pump', 'scripts_double', 'return {twice = data.n * 2, event = event.n}')
    const data = { n: 21 }
    const twice = await scripts.ask('trigger', { event: 'double', mode: 'sync', data })
    assert.deepEqual(twice, { twice: 42, event: 21 })
    const later = await scripts.ask('trigger', { event: 'double', mode: 'async', data })
    assert.deepEqual(later, { status: 204 })
  })
})

describe('config: what a solution changes of itself', () => {
  shareInstance()

  test('setParameters: stored as an operator would, and judged by the service', async () => {
    const set = { service: 'device2', parameters: { forward_events: true } }
    assert.deepEqual(await config.ask('setParameters', set), { status: 204 })
    const now = async () => (await config.ask('getParameters', { service: 'device2' })).parameters
    assert.deepEqual(await now(), set.parameters)
    const { items } = (await fixture.pump('GET', '/serviceconfig')).json
    assert.deepEqual(items[0].parameters, set.parameters)
    for (const parameters of [{ forward_events: 'yes' }, { other: 1 }]) {
      await config.refused('setParameters', { service: 'device2', parameters }, 400, /parameters/)
    }
    assert.deepEqual(await now(), set.parameters)
    const back = { service: 'device2', parameters: {} }
    assert.deepEqual(await config.ask('setParameters', back), { status: 204 })
    assert.deepEqual(await now(), { forward_events: false })
    const read = await config.ask('getParameters', { service: 'device2' })
    const again = { service: 'device2', parameters: read }
    assert.deepEqual(await config.ask('setParameters', again), { status: 204 })
  })

  test('setParameters: a subscription keeps its triggers, and its owner is notified', async () => {
    await fixture.exposed('office', { default_script_key: 'office' })
    await fixture.put(
      'office',
      'interface_subscriberUpdated',
      'Keystore.set{key = "told", value = event}',
    )
    const body = { parameters: { floor: 1 }, triggers: { alarm: 'kept' } }
    await fixture.subscribe('pump', 'office', body)
    const set = { service: 'office', parameters: { floor: 2 } }
    assert.deepEqual(await config.ask('setParameters', set), { status: 204 })
    const { items } = (await fixture.pump('GET', '/serviceconfig')).json
    const mine = items.find(({ service }: Table) => service === 'office')
    assert.deepEqual([mine.parameters, mine.triggers], [{ floor: 2 }, { alarm: 'kept' }])
    const message = await fixture.run('office', 'return Keystore.get{key = "told"}.value')
    assert.deepEqual((message as Table).parameters, { floor: 2 })
  })

  test('setParameters: bad arguments, and a service that the solution does not have', async () => {
    const parameters = { a: 1 }
    await config.refused('setParameters', { parameters }, 400, /service must be given/)
    await config.refused('setParameters', { service: 'device2' }, 400, /parameters must be/)
    const text = { service: 'device2', parameters: 'a' }
    await config.refused('setParameters', text, 400, /parameters must be a table/)
    await config.refused('setParameters', { service: 'timer', parameters }, 404, /no configur/)
  })
})

describe('scripts: a handler that a script triggers', () => {
  shareInstance()

  test('Scripts.trigger: another handler of the solution runs later, with the data', async () => {
    const source = `
      Keystore.set{key = event.key, value = {event = event, caller = context.caller_id,
        tracking = context.tracking_id, service = context.service}}`
    await fixture.put('pump', 'scripts_work', source)
    await fixture.put('pump', 'jobs_work', source)
    const ways: Table[] = [
      { event: 'work' },
      { handler: 'scripts_work' },
      { handler: 'handle_jobs_work' },
      { service: 'jobs', event: 'work' },
    ]
    for (const [index, way] of ways.entries()) {
      const data = { key: `way${index}`, list: [1, 2] }
      const said = (await run('return {Scripts.trigger(event), context.tracking_id}', {
        ...way,
        data,
      })) as [Table, string]
      assert.deepEqual(said[0], { status: 204 })
      const kept = (await ran(data.key)) as Table
      assert.deepEqual([kept.event, kept.caller, kept.tracking], [data, 'pump', said[1]])
      assert.equal(kept.service, index < 2 ? 'scripts' : 'jobs')
    }
    await fixture.put('pump', 'scripts_bare', 'Keystore.set{key = "bare", value = tostring(event)}')
    await scripts.ask('trigger', { event: 'bare' })
    assert.equal(await ran('bare'), 'nil')
  })

  test('Scripts.trigger: a handler that fails is among the failures', async () => {
    await fixture.put('pump', 'scripts_fails', 'error("on purpose")')
    await scripts.ask('trigger', { event: 'fails', data: { a: 1 } })
    const { json } = await until(
      () => fixture.pump('GET', '/failures'),
      (answer) => answer.json.failures.length > 0,
    )
    const [failure] = json.failures
    assert.deepEqual([failure.event, failure.argument], ['fails', { a: 1 }])
  })

  test('Scripts.trigger: bad arguments, and a handler that is not there', async () => {
    await scripts.refused('trigger', { event: 'nothing' }, 404, /no handler scripts_nothing/)
    await scripts.refused('trigger', { handler: 'a_b' }, 404, /no handler a_b/)
    await scripts.refused('trigger', {}, 400, /a handler or an event/)
    await scripts.refused('trigger', { handler: 'x' }, 400, /<service>_<event>/)
    await scripts.refused('trigger', { handler: '_x' }, 400, /<service>_<event>/)
    await scripts.refused('trigger', { handler: 'a_b', event: 'b' }, 400, /beside handler/)
    await scripts.refused('trigger', { event: 5 }, 400, /event must be a text/)
    await scripts.refused('run', {}, 404, /no operation run/)
  })

  test('Scripts.trigger: what triggers itself comes to an end', async () => {
    await fixture.put(
      'pump',
      'scripts_again',
      `local answer = Scripts.trigger{event = "again", data = event + 1}
       if answer.status ~= 204 then Keystore.set{key = "end", value = {event, answer}} end`,
    )
    await scripts.ask('trigger', { event: 'again', data: 1 })
    const [depth, answer] = (await ran('end')) as [number, Table]
    assert.deepEqual([depth, answer.status], [limits.scriptDepthMax, 400])
    assert.match(String(answer.error), /more than 8 deep/)
  })
})

describe('config and scripts: as services of a solution', () => {
  shareInstance()

  test('config and scripts have nothing to be set', async () => {
    for (const service of ['config', 'scripts', 'user']) {
      const bad = { service, parameters: { a: 1 } }
      assert.equal((await fixture.pump('POST', '/serviceconfig', bad)).status, 400)
      const added = await fixture.pump('POST', '/serviceconfig', { service })
      assert.equal(added.status, 201, JSON.stringify(added.json))
      const { script_key, parameters, triggers } = added.json
      const path = `/serviceconfig/${added.json.id}`
      const same = await fixture.pump('PUT', path, { script_key, parameters, triggers })
      assert.equal(same.status, 200, JSON.stringify(same.json))
      assert.equal((await fixture.pump('DELETE', path)).status, 204)
    }
  })
})

describe('config: the event of a service that changes', () => {
  shareInstance()

  test('added, updated and removed reach the handler config_service', async () => {
    await fixture.solution('aware')
    const handler = `
      Keystore.command{key = "seen", command = "rpush", args = {service}}
      if service.action == "updated" then
        Config.setParameters{service = "http", parameters = service.parameters}
      end`
    await fixture.put('aware', 'config_service', handler)
    const id = await fixture.subscribe('aware', 'http', { parameters: { credentials: 'a=1' } })
    const path = `/solution/aware/serviceconfig/${id}`
    const credentials = 'a=1&b=secret-2'
    const changed = await fixture.ask('PUT', path, { parameters: { credentials } })
    assert.equal(changed.status, 200, JSON.stringify(changed.json))
    assert.equal((await fixture.ask('DELETE', path)).status, 204)
    const seen = await until(
      async () =>
        (await fixture.run('aware', 'return Keystore.get{key = "seen"}.value')) as Table[],
      (value) => value?.length === 3,
    )
    assert.deepEqual(seen.map(({ action }) => action).sort(), ['added', 'removed', 'updated'])
    const { parameters, ...rest } = seen.find(({ action }) => action === 'updated') ?? {}
    assert.deepEqual(rest, { service: 'http', script_key: 'http', action: 'updated' })
    assert.ok(!JSON.stringify(parameters).includes('secret-2'))
  })
})
