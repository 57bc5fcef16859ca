import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { until } from '../../../../fixtures/interface.ts'
import { projectTree } from '../../../../fixtures/projects/trees.ts'
import {
  assertFault,
  assertStatus,
  solutionsFixture,
  toFiles,
} from '../../../../fixtures/solutions.ts'
import { sharedFixture } from '../../../../fixtures/suite.ts'
import { newDevice, send } from '../../../../fixtures/wire/device.ts'

const [fixture, onInstance] = sharedFixture((suite) => solutionsFixture(suite))

let count = 0

/** A new solution, and calls of it. */
async function newSolution() {
  count += 1
  const id = `field${count}`
  return { id, ...(await fixture.created(id)) }
}

const listNotes = (pushed: { json: { notes?: { file: string; message: string }[] } }) =>
  (pushed.json.notes ?? []).map(({ file, message }) => `${file}: ${message}`)

describe('a connector project of the field is pushed as it is', () => {
  onInstance()

  it('what is unknown is kept and noted, and a pull gives the same bytes', async () => {
    const { push, pull } = await newSolution()
    const tree = await projectTree('connector')
    const pushed = await push(tree)
    assertStatus(pushed, 200)
    for (const wanted of [
      /^murano\.yaml: options\.merge is kept and changes nothing$/,
      /^services\/config\.yaml: config has no setting auto_update: it is kept and has no effect$/,
      /^services\/tsdb\.yaml: tsdb has no setting default_retention/,
      /^services\/dummycloudservice\.yaml: there is no service dummycloudservice: the file is kept/,
      /^services\/interface\.yaml: interface has no setting parameters\[0\]\.maxLength/,
      /^services\/device2\.yaml: device2 has no setting tags_schema/,
      /^services\/device2\.yaml: device2 has no setting protocol\.port/,
      /^services\/timer\.lua: the handler timer_tock of services\/timer_tock\.lua is used/,
      /^services\/\{vendor\}\.lua: .* has the script key vendor$/,
    ]) {
      assert.ok(
        listNotes(pushed).some((note) => wanted.test(note)),
        `${wanted} in ${listNotes(pushed)}`,
      )
    }
    assert.ok(!listNotes(pushed).some((note) => note.includes('reuse_vm')))
    assert.deepEqual(await pull(), tree)
    const again = await push(tree)
    const { added, changed, removed, services, project } = again.json
    assert.deepEqual([added, changed, removed, project], [[], [], [], undefined])
    assert.deepEqual([services.added, services.changed], [[], []])
    assert.deepEqual(await pull(), tree)
  })

  it('a dry run has the same notes, and makes no connector', async () => {
    const { push, ask } = await newSolution()
    const tree = await projectTree('connector')
    const before = (await fixture.ask('GET', '/connectors')).json.connectors.length
    const dry = await push(tree, '?dry_run=true')
    assertStatus(dry, 200)
    assert.ok(dry.json.services.added.includes('device2'))
    assert.equal((await fixture.ask('GET', '/connectors')).json.connectors.length, before)
    assert.deepEqual((await ask('GET', '/script')).json.scripts, [])
    assert.deepEqual(listNotes(dry), listNotes(await push(tree)))
  })

  it('services/device2.yaml makes the connector of the solution, and changes it', async () => {
    const { id, push, service } = await newSolution()
    const tree = await projectTree('connector')
    assertStatus(await push(tree), 200)
    const linked = async () => {
      const { service: connector } = await service('device2')
      return (await fixture.ask('GET', `/service/${connector}/device2`)).json
    }
    const made = await linked()
    assert.equal(made.name, `Solution ${id}`)
    assert.equal(made.protocol.name, 'murano:v1/mqtt')
    assert.equal(made.provisioning.generate_identity, true)
    assert.deepEqual(made.resources.level, {
      format: 'number',
      allowed: [],
      settable: true,
      initial: '0',
    })
    const text = (tree['services/device2.yaml'] ?? '').replace('level:', 'height:')
    const changed = await push({ ...tree, 'services/device2.yaml': text })
    assert.deepEqual(changed.json.services.changed, ['device2'])
    const after = await linked()
    assert.equal(after.id, made.id)
    assert.deepEqual(Object.keys(after.resources).sort(), ['data_in', 'height'])
  })

  it('a connector that others may share is not changed', async () => {
    const { push, ask } = await newSolution()
    const shared = fixture.millrace.connector.id
    const added = await ask('POST', '/serviceconfig', { service: shared, script_key: 'device2' })
    assertStatus(added, 201)
    const before = (await fixture.ask('GET', `/service/${shared}/device2`)).json
    const pushed = await push(await projectTree('connector'))
    assertStatus(pushed, 200)
    assert.ok(listNotes(pushed).some((note) => note.includes(`device2 is ${shared}`)))
    assert.deepEqual((await fixture.ask('GET', `/service/${shared}/device2`)).json, before)
  })

  it('resources may be a list, and file names may have braces', async () => {
    const { push, pull, ask } = await newSolution()
    const tree = await projectTree('insight')
    assertStatus(await push(tree), 200)
    assert.deepEqual(await pull(), tree)
    const { items } = (await ask('GET', '/serviceconfig')).json
    const connector = (await fixture.ask('GET', `/service/${items[0].service}/device2`)).json
    assert.equal(connector.resources.temperature.initial, '20.5')
    assert.deepEqual(Object.keys(connector.resources).sort(), ['count', 'temperature', 'text'])
  })

  it('a push that fails makes no connector', async () => {
    const { push } = await newSolution()
    const tree = await projectTree('connector')
    const before = (await fixture.ask('GET', '/connectors')).json.connectors.length
    const broken = await push({ ...tree, 'services/timer.lua': '--#EVENT a b\nreturn = 1' })
    assertFault(broken, 'script_refused', /^services\/timer\.lua:2: /)
    assert.equal((await fixture.ask('GET', '/connectors')).json.connectors.length, before)
  })
})

describe('a push that fails in its transaction', () => {
  onInstance()

  it('a push that fails late changes neither the connector nor the solution', async () => {
    const { push, ask, service } = await newSolution()
    const tree = await projectTree('connector')
    assertStatus(await push(tree), 200)
    const { service: connector } = await service('device2')
    const settings = async () => (await fixture.ask('GET', `/service/${connector}/device2`)).json
    const before = [await settings(), (await ask('GET', '')).json]
    const text = (tree['services/device2.yaml'] ?? '').replace('level:', 'height:')
    const late = await ask('POST', '/push', {
      files: toFiles({ ...tree, 'services/device2.yaml': text, 'a_b.lua': 'return 1' }),
      static_files: [{ path: 'a.txt', etag: 'a'.repeat(43) }],
    })
    assertFault(late, 'invalid_argument', /a\.txt are not uploaded/)
    assert.deepEqual([await settings(), (await ask('GET', '')).json], before)
    assert.deepEqual(
      (await ask('GET', '/script')).json.scripts.filter(
        (one: { name: string }) => one.name === 'a_b',
      ),
      [],
    )
  })

  it('a push that fails late makes no connector, and the next one makes it', async () => {
    const { push, ask } = await newSolution()
    const tree = await projectTree('connector')
    const count = async () => (await fixture.ask('GET', '/connectors')).json.connectors.length
    const before = await count()
    const late = await ask('POST', '/push', {
      files: toFiles(tree),
      static_files: [{ path: 'a.txt', etag: 'a'.repeat(43) }],
    })
    assertFault(late, 'invalid_argument')
    assert.equal(await count(), before)
    assert.deepEqual((await ask('GET', '/serviceconfig')).json.items, [])
    assertStatus(await push(tree), 200)
    assert.equal(await count(), before + 1)
  })
})

describe('a solution of type P', () => {
  onInstance()

  async function subscribed() {
    const exposing = await newSolution()
    assertStatus(await exposing.push(await projectTree('connector')), 200)
    const caller = await newSolution()
    const parameters = { callback_token: 'abc' }
    const body = { service: exposing.id, script_key: 'pumps', parameters }
    assertStatus(await caller.ask('POST', '/serviceconfig', body), 201)
    assertStatus(await caller.push({ 'a_call.lua': calling }), 200)
    const call = async (op: string, args: unknown = {}) =>
      (await caller.handle('a_call', { op, args })).result
    return { exposing, caller, call }
  }

  it('answers the operations on its devices, and each can have a script', async () => {
    const { call } = await subscribed()
    assert.equal((await call('getIdentity', { identity: '1' })).status, 404)
    assert.equal((await call('addIdentity', { identity: '1' })).status, 204)
    const device = await call('getIdentity', { identity: '1' })
    assert.equal(device.name, 'Pump 1')
    const list = await call('listIdentities')
    assert.deepEqual(
      list.devices.map(({ identity }: { identity: string }) => identity),
      ['1'],
    )
    assert.equal((await call('setIdentityState', { identity: '1', level: 3 })).status, 204)
    assert.equal((await call('getIdentityState', { identity: '1' })).level.set, '3')
    assert.equal((await call('removeIdentity', { identity: '1' })).status, 204)
  })

  it('a restricted parameter is that of the subscription, and no script gives it', async () => {
    const { call } = await subscribed()
    const sent = await call('sendMessage', { message: 'hello', extra: true })
    assert.deepEqual(sent, { sent: 'hello', token: 'abc' })
    const refused = await call('sendMessage', { message: 'hello', callback_token: 'other' })
    assert.equal(refused.status, 400)
    assert.match(refused.error, /callback_token is that of the subscription/)
    assert.equal((await call('sendMessage', { message: 'hello', extra: [1] })).status, 400)
  })

  it('a subscriber is known by its parameters, and sent an event alone', async () => {
    const { call, caller } = await subscribed()
    const source = 'Keystore.set({key = event.type, value = event.identity .. event.token})'
    const read = 'return Keystore.get({key = event}).value'
    const files = { 'pumps_event.lua': source, 'a_read.lua': read }
    assertStatus(await caller.push({ ...files, 'a_call.lua': calling }), 200)
    assert.deepEqual(await call('notify', { identity: 'n1' }), { known: 'abc' })
    await fixture.millrace.platform.scripting.caughtUp()
    const value = await until(
      async () => (await caller.handle('a_read', 'notified')).result,
      (one) => one !== undefined && one !== null,
    )
    assert.equal(value, 'n1abc')
  })

  it('what its devices do reaches subscribers', async () => {
    const { caller, exposing } = await subscribed()
    const source = 'Keystore.set({key = event.type, value = event.identity})'
    const files = { 'pumps_event.lua': source, 'a_read.lua': 'return Keystore.get({key = event})' }
    assertStatus(await caller.push(files), 200)
    const { service } = await exposing.service('device2')
    const device = await newDevice(fixture.millrace.httpUrl, service, 'p7')
    await device.write('data_in=x')
    await fixture.millrace.platform.scripting.caughtUp()
    const kept = async () => (await caller.handle('a_read', 'data_in')).result?.value
    await until(kept, (value) => value === 'p7')
  })
})

describe('an application of the field', () => {
  onInstance()

  const own = async () => {
    const solution = await newSolution()
    const pushed = await solution.push(await projectTree('application'))
    assertStatus(pushed, 200)
    const { httpUrl, platform } = fixture.millrace
    const host = `${solution.id}.${platform.config.domain}`
    const get = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await send(httpUrl, 'GET', path, { Host: host, ...headers })
      return { ...answer, json: JSON.parse(answer.body === '' ? 'null' : answer.body) }
    }
    return { ...solution, get, pushed }
  }

  it('is pulled byte for byte, and notes how credentials are checked', async () => {
    const { pull, pushed } = await own()
    assert.deepEqual(await pull(), await projectTree('application'))
    const note = listNotes(pushed).find((one) => one.startsWith('endpoints/api.lua'))
    assert.match(note ?? '', /--#SECURITY demands that a credential is there/)
  })

  it('--#SECURITY demands a credential, and leaves it to the script', async () => {
    const { get } = await own()
    assert.equal((await get('/api/basic')).status, 401)
    assert.equal((await get('/api/basic', { Authorization: 'Bearer x' })).status, 401)
    const basic = await get('/api/basic', { Authorization: 'Basic YTpi' })
    assert.deepEqual([basic.status, basic.json], [200, { seen: 'Basic YTpi' }])
    assert.equal((await get('/api/key')).status, 401)
    assert.deepEqual((await get('/api/key', { 'X-Own-Key': 'k' })).json, { seen: 'k' })
  })

  it('rates count per credential, and not what is refused', async () => {
    const { get } = await own()
    const as = async (token: string) =>
      (await get('/api/bearer', { Authorization: `Bearer ${token}` })).status
    assert.equal((await get('/api/bearer')).status, 401)
    assert.deepEqual([await as('one'), await as('two'), await as('one')], [200, 200, 429])
  })

  it('the configuration has headers and a document of the endpoints', async () => {
    const { get } = await own()
    const item = await get('/api/items/7', { Origin: 'https://app.example.com' })
    assert.match(item.text, /\r\nX-Frame-Options: DENY\r\n/)
    assert.match(item.text, /\r\nAccess-Control-Allow-Origin: https:\/\/app\.example\.com\r\n/)
    assert.equal(item.json.id, '7')
    assert.ok(Number.isSafeInteger(item.json.at))
    assert.match(item.json.call, /^[a-z0-9]+$/)
    const { json: document } = await get('/openapi.json')
    assert.equal(document.info.title, 'Application')
    assert.deepEqual(Object.keys(document.paths).sort(), ['/api/basic', '/api/items/{id}'])
    const { get: read } = document.paths['/api/items/{id}']
    assert.deepEqual([read.tags, read.summary], [['items'], 'Reads an item.'])
    assert.deepEqual(document.paths['/api/basic'].get.security, [{ basic: [] }])
    assert.equal(document.components.securitySchemes.apiKey.name, 'X-Own-Key')
  })

  it('modules without return are run, and jobs have their data', async () => {
    const { handle, push } = await own()
    const trigger = 'return Scripts.trigger({event = "report", mode = "sync", data = {n = 4}})'
    const read = 'return Keystore.read("report")'
    const tree = await projectTree('application')
    const more = { 'services/a_start.lua': trigger, 'services/a_read.lua': read }
    assertStatus(await push({ ...tree, ...more }), 200)
    assert.equal((await handle('a_start')).result, 8)
    assert.deepEqual((await handle('a_read')).result, { twice: 8, plain: 'table' })
  })
})

const calling = 'return murano.service_call("pumps", event.op, event.args)'
