import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { assertOk, assertRefused, managementFixture } from '../../../fixtures/wire/management.ts'

const origin = { ip: '10.1.2.3', protocol: 'http', encrypted: true }

test('settings as tools of the field send them are taken and given back', async (t) => {
  const { ask, device } = await managementFixture(t)
  for (const name of ['onep', 'onep:v1/http', 'mqtt', 'murano:v1/mqtt', 'http']) {
    const body = {
      protocol: { name, devmode: false },
      identity_format: { prefix: '', type: 'opaque', options: { casing: 'mixed', length: 0 } },
      provisioning: { presenter_identity: true },
    }
    const reply = await ask('PATCH', device, { body })
    assertOk(reply)
    const shown = (await ask('GET', device)).json()
    assert.deepEqual(shown.protocol, body.protocol)
    assert.deepEqual(shown.identity_format, body.identity_format)
    assert.equal(shown.provisioning.presenter_identity, true)
    const { id: _id, ...settings } = shown
    assert.deepEqual((await ask('PATCH', device, { body: settings })).json(), shown)
  }
  assertOk(await ask('PUT', `${device}/identity/Any-Length`, { body: {} }))
})

test('calls of the lists of such tools are 404 and name the call of today', async (t) => {
  const { ask } = await managementFixture(t)
  for (const [old, today] of [
    ['/api:1/business/b1/solution/', '/api:1/solution'],
    ['/api:1/business/b1/product', '/api:1/connectors'],
    ['/api:1/business/b1/overview?a=1', 'GET /api:1/usage'],
    ['/api:1/user/ann@example.com/membership/', 'GET /api:1/business'],
  ] as const) {
    const reply = await ask('POST', old, { body: {} })
    assertRefused(reply, 'not_found', new RegExp(`^This call was removed. Call ${today} instead`))
  }
  assertRefused(await ask('POST', '/api:1/business/b1/other', { body: {} }), 'not_found')
})

test('numbers and booleans are allowed and initial; initial needs no settable', async (t) => {
  const { ask, provisioning, business, connector, device } = await managementFixture(t)
  const resources = {
    channel: { format: 'number', allowed: [1, 3, '9-11', 21], settable: true, initial: 9.5 },
    on: { format: 'boolean', allowed: [true, false], settable: true, initial: true },
    count: { format: 'number', initial: 0 },
  }
  const reply = await ask('PATCH', device, { body: { resources } })
  assertOk(reply)
  const shown = reply.json().resources
  assert.deepEqual(shown.channel.allowed, ['1', '3', '9-11', '21'])
  assert.deepEqual(
    [shown.channel.initial, shown.on.initial, shown.count.initial],
    ['9.5', 'true', '0'],
  )
  assertOk(await ask('PATCH', device, { body: { resources: shown } }))
  for (const wrong of [
    { allowed: [null] },
    { allowed: [2, {}] },
    { initial: 99 },
    { initial: [] },
  ]) {
    const body = { resources: { channel: { ...resources.channel, ...wrong } } }
    assertRefused(await ask('PATCH', device, { body }), 'invalid_argument', /^resources\.channel\./)
  }
  await ask('PUT', `${device}/identity/d`, { body: {} })
  const patched = await provisioning.connectors.get(business.id, connector.id)
  await provisioning.activate(patched, 'd', origin)
  const { state } = (await ask('GET', `${device}/identity/d`)).json()
  assert.equal(state.channel.set, '9.5')
  assert.equal(state.count, undefined)
})

test('PATCH of an identity locks, unlocks and orders it to be provisioned again', async (t) => {
  const { ask, provisioning, connector, device } = await managementFixture(t)
  const patch = (body: unknown, identity = 'd') =>
    ask('PATCH', `${device}/identity/${identity}`, { body })
  assertRefused(await patch({ locked: true }), 'unknown_identity')
  assertRefused(await ask('GET', `${device}/identity/d`), 'unknown_identity')
  await ask('PUT', `${device}/identity/d`, { body: { tags: [{ name: 'a', value: 'b' }] } })
  const { token } = await provisioning.activate(connector, 'd', origin)
  const locked = await patch({ locked: true })
  assertOk(locked)
  assert.deepEqual([locked.json().status, locked.json().tags.length], ['locked', 1])
  assert.equal((await patch({ locked: false })).json().status, 'provisioned')
  assert.equal((await patch({ auth: { expire: 0 } })).json().status, 'reprovision')
  const connection = { encrypted: true }
  await assert.rejects(async () => provisioning.authenticateToken(token, connection), {
    code: 'unknown_credential',
  })
  await provisioning.activate(connector, 'd', origin)
  assertRefused(await patch({ auth: { expire: 1_893_456_000 } }), 'invalid_argument', /seconds/)
  assertRefused(await patch({ auth: { type: 'csr', key: 'x' } }), 'invalid_argument', /PUT/)
  for (const type of ['hash', 'signature']) {
    const refused = await patch({ auth: { type, key: 'x' } })
    assertRefused(refused, 'invalid_argument', /auth\.type must be one of/)
  }
  assertRefused(await patch({ colour: 'red' }), 'invalid_argument', /not a field/)
})

test('a token returns its user, for as long as it is valid', async (t) => {
  const { ask, addAnn } = await managementFixture(t)
  const ann = await addAnn()
  const { token } = (await ask('POST', '/api:1/token/', { body: ann, as: null })).json()
  const whose = () => ask('GET', `/api:1/token/${token}`, { as: null })
  assert.deepEqual((await whose()).json(), { email: ann.email })
  assertRefused(await ask('GET', '/api:1/token/nobody', { as: null }), 'unknown_credential')
  assertOk(await ask('DELETE', '/api:1/token/', { as: `token ${token}` }), 204)
  assertRefused(await whose(), 'unknown_credential')
})

test('a map of resources is the whole one; with a null it is a change', async (t) => {
  const { ask, provisioning, business, connector, device } = await managementFixture(t)
  const patch = async (resources: object) => {
    const reply = await ask('PATCH', device, { body: { resources } })
    assertOk(reply)
    return Object.keys(reply.json().resources)
  }
  const text = { format: 'string', settable: true }
  assert.deepEqual(await patch({ a: text, b: text, fuzz: text }), ['a', 'b', 'fuzz'])
  await ask('PUT', `${device}/identity/d`, { body: {} })
  await ask('PATCH', `${device}/identity/d/state`, { body: { fuzz: 'kept' } })
  const state = async () => (await ask('GET', `${device}/identity/d/state`)).json()
  assert.equal((await state()).fuzz.set, 'kept')
  assert.deepEqual(await patch({ a: text, b: text }), ['a', 'b'])
  assert.deepEqual(await state(), {})
  assert.deepEqual(await patch({ b: null, c: text }), ['a', 'c'])
  const change = { fuzz: text, a: null }
  const reply = await ask('PATCH', `${device}/resources`, { body: change })
  assertOk(reply)
  assert.deepEqual(Object.keys(reply.json()), ['c', 'fuzz'])
  assert.equal((await state()).fuzz.set, 'kept')
  await Promise.all(
    ['x', 'y', 'z'].map((name) => ask('PATCH', `${device}/resources`, { body: { [name]: text } })),
  )
  const { resources } = await provisioning.connectors.get(business.id, connector.id)
  assert.deepEqual([...resources.keys()].sort(), ['c', 'fuzz', 'x', 'y', 'z'])
  assert.deepEqual(await patch({}), [])
})

test('a definition that was exported from the original is imported as it is', async (t) => {
  const { ask, business } = await managementFixture(t)
  const definition = {
    name: 'Pump line',
    protocol: { name: 'murano:v1/mqtt', port: 443 },
    provisioning: { auth_type: 'token', presenter_identity: true },
    identity_format: { prefix: '', type: 'opaque', options: { casing: 'mixed', length: 0 } },
    resources: {
      data_in: { format: 'string', unit: '', allowed: [], settable: false, sync: false },
      channel: { format: 'number', allowed: [1, 3, '9-11', 21], settable: true, initial: 1 },
      fault: { format: 'boolean', initial: false },
    },
    tags_schema: [{ name: 'site' }],
  }
  const importIt = (body: object) => ask('POST', '/api:1/connectors/import', { body })
  const reply = await importIt({ ...definition, id: `line-${business.id}` })
  assertOk(reply, 201)
  const { dropped, protocol, resources } = reply.json()
  assert.deepEqual(dropped, ['tags_schema', 'protocol.port'])
  assert.equal(protocol.name, 'murano:v1/mqtt')
  assert.deepEqual(Object.keys(resources), ['data_in', 'channel', 'fault'])
  const list = [
    { alias: 'level', format: 'float', initial: 0.5 },
    { alias: 'count', format: 'integer' },
  ]
  const older = await importIt({ name: 'Older', resources: list })
  assertOk(older, 201)
  const { level, count } = older.json().resources
  assert.deepEqual([level.format, level.initial, count.format], ['number', '0.5', 'number'])
  const twice = { name: 'x', resources: [list[1], list[1]] }
  assertRefused(await importIt(twice), 'invalid_argument', /resources\.count is defined twice/)
})

test('a definition that is none is refused, and names the field', async (t) => {
  const { ask } = await managementFixture(t)
  const importIt = (body: unknown) => ask('POST', '/api:1/connectors/import', { body })
  const noResources = /^resources must be an object, or a list of resources with their alias$/
  const rows: [object, RegExp][] = [
    [{ resources: [1] }, noResources],
    [{ resources: [{ format: 'string' }] }, noResources],
    [{ resources: 'x' }, noResources],
    [{ resources: { a: { format: 'magic' } } }, /^resources\.a\.format must be one of/],
    [{ resources: { a: 1 } }, /^resources\.a must be an object/],
    [{ provisioning: { pki: 1 } }, /^provisioning\.pki must be an object/],
    [{ name: '' }, /^name must not be empty/],
  ]
  for (const [part, message] of rows) {
    assertRefused(await importIt({ name: 'x', ...part }), 'invalid_argument', message)
  }
  for (const body of ['[]', 'null', '{']) assertRefused(await importIt(body), 'malformed_request')
  const given = { name: 'x', fqdn: 'x.example.com' }
  const created = await ask('POST', '/api:1/connectors', { body: given })
  assertRefused(created, 'invalid_argument', /^fqdn is not served by this build/)
})
