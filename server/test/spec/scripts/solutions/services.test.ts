import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { Fault } from '../../../../src/foundation/kernel/index.ts'
import type { Service } from '../../../../src/scripts/scripting/index.ts'
import { scriptingLimits } from '../../../../src/scripts/scripting/index.ts'
import { freeLabel } from '../../../fixtures/hosts.ts'
import type { Tree } from '../../../fixtures/projects/trees.ts'
import {
  assertFault,
  assertStatus,
  type SolutionsFixture,
  solutionsFixture,
} from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

let fixture: SolutionsFixture
const changes: string[] = []
const onInstance = sharedBySuites(async (suite) => {
  fixture = await solutionsFixture(suite)
  fixture.millrace.platform.scripting.api.services.register(weather(changes))
})
/** All suites share an instance; its solution has no services and no scripts before each test. */
const onEmpty = () => {
  onInstance()
  beforeEach(async () => {
    const { items } = (await fixture.pump('GET', '/serviceconfig')).json
    for (const { id } of items) await fixture.pump('DELETE', `/serviceconfig/${id}`)
    assertStatus(await fixture.push({}), 200)
    changes.length = 0
  })
}
const add = (body: unknown) => fixture.pump('POST', '/serviceconfig', body)
const handlers = async (): Promise<Tree> => {
  const all = Object.entries(await fixture.pull())
  return Object.fromEntries(all.filter(([path]) => path.endsWith('.lua')))
}

/** A service as a module under services/ makes one. */
function weather(changes: string[]): Service {
  return {
    name: 'weather',
    always: false,
    events: [
      { name: 'fell', title: 'drops', defaultScript: 'return "default"' },
      { name: 'ended', title: 'not a name', defaultScript: 'return "default"' },
    ],
    operation: () => undefined,
    async configure({ body: { place = 'here', secret = '' } }) {
      if (typeof place !== 'string') throw new Fault('invalid_argument', 'place must be a string')
      return { alias: 'sky', parameters: { place }, hidden: { secret } }
    },
    async onConfigurationChange({ kind, configuration }) {
      changes.push(`${kind} ${configuration.parameters.place}`)
      throw new Error('what a service makes of it undoes nothing')
    },
  }
}

describe('the services of a solution', () => {
  onEmpty()

  it('are added, listed, shown, changed and removed; each notifies the service', async () => {
    const made = await add({ service: 'weather', place: 'Bern', secret: 'abc' })
    assertStatus(made, 201)
    const { id, created_at, updated_at, ...rest } = made.json
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.equal(created_at, updated_at)
    assert.deepEqual(rest, {
      solution_id: 'pump',
      service: 'weather',
      script_key: 'sky',
      parameters: { place: 'Bern' },
      triggers: {},
    })
    const path = `/serviceconfig/${id}`
    assert.deepEqual((await fixture.pump('GET', path)).json, made.json)
    const list = (await fixture.pump('GET', '/serviceconfig')).json
    assert.deepEqual(list, { items: [made.json], total: 1 })

    const changed = await fixture.pump('PATCH', path, { place: 'Thun', script_key: 'weather7' })
    assertStatus(changed, 200)
    assert.deepEqual(changed.json.parameters, { place: 'Thun' })
    assert.equal(changed.json.script_key, 'weather7')
    assert.ok(changed.json.updated_at > updated_at)
    const { parameters: _p, triggers: _t, ...whole } = changed.json
    const written = await fixture.pump('PUT', path, { ...whole, place: 'Genf' })
    assert.deepEqual(written.json.parameters, { place: 'Genf' })

    assertStatus(await fixture.pump('DELETE', path), 204)
    assertFault(await fixture.pump('GET', path), 'not_found')
    assertFault(await fixture.pump('DELETE', path), 'not_found')
    assert.deepEqual(changes, ['added Bern', 'updated Thun', 'updated Genf', 'removed Genf'])
    assert.ok(!JSON.stringify([made, list, changed]).includes('abc'), 'what is hidden is not shown')
  })

  it('bring the default scripts of their events, unless the solution handles them', async () => {
    assertStatus(await fixture.pump('PUT', '/script/rain_fell', { source: 'return "mine"' }), 200)
    const { json } = await add({ service: 'weather', script_key: 'rain' })
    assert.deepEqual(await handlers(), {
      'rain_fell.lua': 'return "mine"',
      'rain_ended.lua': 'return "default"',
    })
    // The service's word for its parameter, and its own script, count in the program.
    const call = { businessId: fixture.businessId, solutionId: 'pump', service: 'rain' }
    const { scripting } = fixture.millrace.platform
    assertStatus(
      await fixture.pump('PUT', '/script/rain_fell', { source: 'return drops + 1' }),
      200,
    )
    const ended = await scripting.api.run({ ...call, event: 'fell', argument: 41 })
    assert.deepEqual(ended.kind === 'returned' && ended.value, 42)
    const plain = await scripting.api.run({ ...call, event: 'ended', argument: 1 })
    assert.deepEqual(plain.kind === 'returned' && plain.value, 'default')
    assert.equal(await scripting.api.handles(fixture.businessId, 'pump', 'rain', 'ended'), true)
    assert.equal(await scripting.api.handles(fixture.businessId, 'pump', 'rain', 'thawed'), false)
    assertStatus(await fixture.pump('DELETE', `/serviceconfig/${json.id}`), 204)
    assert.equal(Object.keys(await handlers()).length, 2, 'handlers stay')
  })
})

describe("the fields of a solution's service", () => {
  onEmpty()

  it('have a script key of their own in the solution, however it is spelled', async () => {
    const first = await add({ service: 'weather', script_key: 'one' })
    assertFault(
      await add({ service: 'weather', script_key: 'One' }),
      'already_exists',
      /script_key/,
    )
    const second = await add({ service: 'weather', script_key: 'two' })
    const path = `/serviceconfig/${second.json.id}`
    assertFault(await fixture.pump('PATCH', path, { script_key: 'ONE' }), 'already_exists')
    assertStatus(first, 201)
  })

  it('are refused where the script key is wrong', async () => {
    const words = ['1a', 'a', 'a_b', 'a-b', 'é1', 'end', 'string', 'Table', '']
    for (const script_key of [...words, 7, 'x'.repeat(64)]) {
      const refused = await add({ service: 'weather', script_key })
      assertFault(refused, 'invalid_argument', /^script_key /)
    }
    for (const script_key of ['keystore', 'Http', 'interface']) {
      const refused = await add({ service: 'weather', script_key })
      assertFault(refused, 'invalid_argument', /is a service that every solution has/)
    }
    assertFault(
      await add({ service: 'keystore', script_key: 'store' }),
      'invalid_argument',
      /its name/,
    )
  })

  it('are refused where a field is wrong', async () => {
    for (const service of [undefined, 7, '', 'a b', '../x', 'x'.repeat(64)]) {
      assertFault(await add({ service }), 'invalid_argument', /^service must be/)
    }
    assertFault(await add({ service: 'nothing' }), 'not_found', /no service nothing/)
    assertFault(await add({ service: 'weather', place: 7 }), 'invalid_argument', /^place must be/)
    const { json } = await add({ service: 'weather', script_key: 'ok' })
    const path = `/serviceconfig/${json.id}`
    assertFault(
      await fixture.pump('PATCH', path, { service: 'http' }),
      'invalid_argument',
      /cannot change/,
    )
    assertFault(await fixture.pump('PATCH', path, '[]'), 'malformed_request')
    for (const id of ['x', '%00', '../..', 'a'.repeat(300)]) {
      const path = `/serviceconfig/${encodeURIComponent(id)}`
      assertFault(await fixture.pump('GET', path), 'not_found')
    }
  })

  it('are refused where a parameter cannot be stored', async () => {
    const large = 'x'.repeat(scriptingLimits.configurationBytesMax)
    const rows = [
      [large, /^parameters has more than/],
      ['a\0b', /^parameters holds a NUL/],
      ['a\ud800', /^parameters holds a NUL/],
    ] as const
    for (const [place, message] of rows) {
      assertFault(await add({ service: 'weather', place }), 'invalid_argument', message)
    }
    assertStatus(await add({ service: 'weather', script_key: 'ok', place: '\\u0000 \\ud800' }), 201)
    const { items } = (await fixture.pump('GET', '/serviceconfig')).json
    assert.equal(items[0].parameters.place, '\\u0000 \\ud800')
  })
})

describe('connectors and solutions as services of a solution', () => {
  onEmpty()

  it('may be a connector of the own business, and no other one', async () => {
    const { connector, platform } = fixture.millrace
    const made = await add({ service: connector.id })
    assertStatus(made, 201)
    const { script_key, parameters } = made.json
    assert.deepEqual(
      { script_key, parameters },
      { script_key: 'device2', parameters: { forward_events: false } },
    )
    assert.deepEqual(await handlers(), {}, 'nothing is forwarded unless it is asked for')
    const path = `/serviceconfig/${made.json.id}`
    const forwarded = await fixture.pump('PATCH', path, { parameters: { forward_events: true } })
    assertStatus(forwarded, 200)
    assert.deepEqual(await handlers(), {
      'device2_event.lua': 'return Interface.trigger({event="event", data=event})\n',
    })
    const rows = [
      [{ parameters: { forward_events: 1 } }, /forward_events must be/],
      [{ parameters: { colour: 1 } }, /"colour"/],
      [{ parameters: [] }, /^parameters must be an object/],
      [{ triggers: { a: 1 } }, /^triggers/],
      [{ colour: 1 }, /"colour" is no field/],
    ] as const
    for (const [body, message] of rows) {
      assertFault(await fixture.pump('PATCH', path, body), 'invalid_argument', message)
    }
    const other = await fixture.otherOwner()
    const foreign = await platform.provisioning.connectors.create(other.businessId, {
      name: 'Theirs',
    })
    assertFault(await add({ service: foreign.id, script_key: 'theirs' }), 'not_found')
    assertStatus(await fixture.pump('DELETE', path), 204)
  })

  it('are nothing to a solution that took the id of a connector', async () => {
    const { ask, millrace } = fixture
    const { connector } = millrace
    const made = await add({ service: connector.id })
    await fixture.pump('PUT', '/script/device2_event', {
      source: 'Keystore.set{key="e", value="1"}',
    })
    const { token } = await fixture.otherOwner()
    const theirs = `/solution/${connector.id}`
    // As it could be before there was one registry of ids.
    await freeLabel(millrace.platform.database, connector.id)
    const wanted = { id: connector.id, name: 'Not a connector' }
    assertStatus(await ask('POST', '/solution', wanted, token), 201)
    const whitelist = [fixture.businessId]
    const shown = { service: 'interface', whitelist, events: [{ name: 'event' }] }
    assertStatus(await ask('POST', `${theirs}/serviceconfig`, shown, token), 201)
    const trigger = 'return Interface.trigger{event="event", mode="sync", data={}}'
    await ask('PUT', `${theirs}/script/test_go`, { source: trigger }, token)
    const { api } = millrace.platform.scripting
    const { businessId } = await millrace.platform.accounts.authorize(`Automation ${token}`)
    const call = { businessId, solutionId: connector.id, service: 'test', event: 'go' }
    const ended = await api.run({ ...call, argument: null })
    assert.deepEqual(ended.kind === 'returned' && JSON.stringify(ended.value), '[]')
    assertStatus(await ask('DELETE', theirs, undefined, token), 204)
    assertStatus(await fixture.pump('GET', `/serviceconfig/${made.json.id}`), 200)
  })

  it('are lost with the solution that was one, and nobody takes its place unseen', async () => {
    const { ask } = fixture
    assertStatus(await ask('POST', '/solution', { id: 'exposed', name: 'Exposed' }), 201)
    const config = { service: 'interface', name: 'Exposed' }
    assertStatus(await ask('POST', '/solution/exposed/serviceconfig', config), 201)
    assertStatus(await add({ service: 'exposed', script_key: 'exposed' }), 201)
    const { version } = (await fixture.pump('GET', '')).json
    assertStatus(await ask('DELETE', '/solution/exposed?confirm=exposed'), 204)
    assert.deepEqual((await fixture.pump('GET', '/serviceconfig')).json.items, [])
    assert.equal((await fixture.pump('GET', '')).json.version, version + 1)
  })
})
