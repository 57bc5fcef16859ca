import { strict as assert } from 'node:assert'
import { type TestContext, test } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import {
  assertOk,
  assertRefused,
  type ManagementFixtureOptions,
  managementFixture,
} from '../../../fixtures/wire/management.ts'

const usPerHour = 3_600_000_000
const origin = { ip: '10.1.2.3', protocol: 'http', encrypted: true }

/** The addresses of a new connector's identities. */
async function identitiesFixture(t: TestContext, options?: ManagementFixtureOptions) {
  const fixture = await managementFixture(t, options)
  const base = `${fixture.device}/identity`
  return { ...fixture, base, at: (identity: string) => `${base}/${encodeURIComponent(identity)}` }
}

test('whitelisting answers 200 with the whole record', async (t) => {
  const { ask, clock, at } = await identitiesFixture(t)
  const expire = clock.nowUs() + usPerHour
  const tags = [{ name: 'group', value: 'north' }]
  const body = { auth: { expire }, locked: false, tags }
  const reply = await ask('PUT', at('00:1b:44'), { body })
  assertOk(reply)
  const record = {
    identity: '00:1b:44',
    auth: { type: 'token', expire },
    state: {},
    locked: false,
    reprovision: false,
    devmode: false,
    lastip: null,
    lastseen: null,
    status: 'whitelisted',
    online: false,
    tags,
  }
  assert.deepEqual(reply.json(), record)
  assert.deepEqual((await ask('GET', at('00:1b:44'))).json(), record)
})

test('an identity may hold any character that can be printed', async (t) => {
  const { ask, at, base } = await identitiesFixture(t)
  const odd = [
    'a/b',
    '../../etc/passwd',
    'a%2Fb',
    '100%',
    '%00',
    'a b+c',
    'a?b#c&d=e',
    'a;b:c@d,$!\'()*[]"\\',
    'Größe-ß-日本-😀',
    'state',
    '__proto__',
    'x'.repeat(limits.identityCharsMax),
    '😀'.repeat(limits.identityCharsMax),
  ]
  for (const identity of odd) {
    const put = await ask('PUT', at(identity), { body: {} })
    assertOk(put)
    assert.equal(put.json().identity, identity)
    assert.equal((await ask('GET', at(identity))).json().identity, identity)
    assert.deepEqual((await ask('GET', `${at(identity)}/state`)).json(), {})
  }
  const { devices } = (await ask('GET', base)).json<{ devices: { identity: string }[] }>()
  assert.deepEqual(devices.map(({ identity }) => identity).sort(), [...odd].sort())
  for (const identity of odd) assertOk(await ask('DELETE', at(identity)), 204)
  assert.deepEqual((await ask('GET', base)).json(), {
    mayLoadMore: false,
    total: 0,
    devices: [],
  })
})

test('an identity that cannot be is refused, and is not there', async (t) => {
  const { ask, at, base } = await identitiesFixture(t)
  const tooLong = 'x'.repeat(limits.identityCharsMax + 1)
  for (const identity of ['\0', 'a\0b', 'a\nb', '\u007f', tooLong]) {
    const put = await ask('PUT', at(identity), { body: {} })
    assertRefused(put, 'invalid_argument', /^identity /)
    assertRefused(await ask('GET', at(identity)), 'unknown_identity')
    assertRefused(await ask('DELETE', at(identity)), 'unknown_identity')
    assertRefused(await ask('GET', `${at(identity)}/state`), 'unknown_identity')
  }
  assertRefused(await ask('GET', `${base}/%ff`), 'malformed_request')
  assertRefused(await ask('PUT', `${base}/%`, { body: {} }), 'malformed_request')
})

const wrongFields: [unknown, RegExp][] = [
  [{ auth: 'token' }, /^auth must be an object/],
  [{ auth: null }, /^auth must be an object/],
  [{ auth: { type: 'csr', key: 'x' } }, /^auth\.type csr needs a certificate vendor/],
  [{ auth: { type: 'password' } }, /^auth\.type can only be token here/],
  [{ auth: { type: 'magic' } }, /^auth\.type must be one of/],
  [{ auth: { type: null } }, /^auth\.type must be one of/],
  [{ auth: { type: 'hash', key: 'x' } }, /^auth\.type must be one of token, password, cert/],
  [{ auth: { type: 'signature', key: 'x' } }, /^auth\.type must be one of token, password, cert/],
  [{ auth: { type: 'token', key: 'x'.repeat(40) } }, /^auth\.key belongs to auth\.type csr/],
  [{ auth: { type: 'certificate' } }, /^auth\.key is needed/],
  [{ auth: { type: 'certificate', key: 'x' } }, /^auth\.key must be PEM/],
  [{ auth: { key: '-----BEGIN' } }, /^auth\.key belongs to auth\.type/],
]

test('every field of how an identity authenticates is checked', async (t) => {
  const { ask, at } = await identitiesFixture(t)
  for (const [body, message] of wrongFields) {
    assertRefused(await ask('PUT', at('a'), { body }), 'invalid_argument', message)
  }
  assertRefused(await ask('GET', at('a')), 'unknown_identity')
  assertOk(await ask('PUT', at('a'), { body: { auth: { type: 'token' } } }))
})

test('a body that is missing or no object is refused, and whitelists nothing', async (t) => {
  const { ask, at } = await identitiesFixture(t)
  assertRefused(await ask('PUT', at('a')), 'malformed_request')
  assertRefused(await ask('PUT', at('a'), { body: '[]' }), 'malformed_request')
  assertRefused(await ask('GET', at('a')), 'unknown_identity')
})

test('a list comes in pages, last seen first, and may be narrowed', async (t) => {
  const { ask, connector, provisioning, at, base } = await identitiesFixture(t)
  const devices = ['d1', 'd2', 'd3', 'e1']
  for (const one of devices) await ask('PUT', at(one), { body: {} })
  for (const one of ['d1', 'd2']) {
    await provisioning.activate(connector, one, origin)
    await provisioning.flush()
  }
  const list = async (query: string) => {
    const reply = await ask('GET', `${base}/?${query}`)
    assertOk(reply)
    const { devices, mayLoadMore } = reply.json()
    return [devices.map((one: { identity: string }) => one.identity).join(), mayLoadMore]
  }
  assert.deepEqual(await list('limit=&before=&status=&identity='), ['d2,d1,d3,e1', false])
  assert.deepEqual(await list('limit=2'), ['d2,d1', true])
  const [, last] = (await ask('GET', `${base}/?limit=2`)).json().devices
  const before = `${last?.lastseen}:${last?.identity}`
  assert.deepEqual(await list(`limit=2&before=${before}`), ['d3,e1', false])
  assert.deepEqual(await list('status=whitelisted&identity=%5Ee'), ['e1', false])
})

test('a list is narrowed by tag and connection, and counts what it selects', async (t) => {
  const { ask, connector, provisioning, at, base } = await identitiesFixture(t)
  const tags = [{ name: 'site', value: 'north' }]
  await ask('PUT', at('d1'), { body: { tags } })
  await ask('PUT', at('d2'), { body: { tags: [{ name: 'site', value: 'south' }] } })
  await ask('PUT', at('d3'), { body: {} })
  await provisioning.activate(connector, 'd1', origin)
  await provisioning.flush()
  const list = async (query: string) => {
    const reply = await ask('GET', `${base}/?${query}&count=true&limit=1`)
    assertOk(reply)
    const { devices, matching, total } = reply.json()
    return [devices[0]?.identity, matching, total]
  }
  assert.deepEqual(await list('tag=site'), ['d1', 2, 3])
  assert.deepEqual(await list('tag=site&tag_value=south'), ['d2', 1, 3])
  assert.deepEqual(await list('online=true'), ['d1', 1, 3])
  assert.deepEqual(await list('online=false'), ['d2', 2, 3])
  assert.deepEqual(await list('online=false&tag=site'), ['d2', 1, 3])
  assert.deepEqual(await list('status=locked'), [undefined, 0, 3])
  assert.equal((await ask('GET', base)).json().matching, undefined)
})

test('a question that a list cannot answer is refused by name', async (t) => {
  const { ask, base } = await identitiesFixture(t)
  const wrong: [string, RegExp][] = [
    ['limit=1&limit=2', /^limit must be/],
    ['before=1893456000', /^before must be in microseconds .* is in seconds/],
    ['before=1893456000000:d', /^before must be in microseconds .* is in milliseconds/],
    ['status=locked&status=expired', /^status must be/],
    [`identity=${'a'.repeat(limits.settingCharsMax + 1)}`, /^identity must have/],
    ['ipaddress=here', /^ipaddress is neither an address nor a CIDR range/],
    ['ipaddress=10.0.0', /^ipaddress is neither/],
    ['ipaddress=10.0.0.0/33', /^ipaddress must end in \/0 to \/32/],
    ['ipaddress=fe80::1%25eth0', /^ipaddress is neither/],
    ['ipaddress=::ffff:10.0.0.1', /^ipaddress must be written as the IPv4 address/],
    ['ipaddress=10.0.0.1&ipaddress=10.0.0.2', /^ipaddress must be an address/],
    ['online=maybe', /^online must be/],
    ['tag_value=north', /^tag_value needs the name/],
  ]
  for (const [query, message] of wrong) {
    assertRefused(await ask('GET', `${base}?${query}`), 'invalid_argument', message)
  }
})

test('a value set from the cloud changes what is set and not what was reported', async (t) => {
  const { ask, connector, provisioning, at } = await identitiesFixture(t)
  await ask('PUT', at('a'), { body: {} })
  await provisioning.activate(connector, 'a', origin)
  assertOk(await ask('PATCH', `${at('a')}/state`, { body: { level: 9 } }), 204)
  const { level } = (await ask('GET', `${at('a')}/state`)).json()
  assert.equal(level.set, '9')
  assert.notEqual(level.reported, '9')
  assert(Number.isSafeInteger(level.timestamp))
  assert.deepEqual((await ask('GET', at('a'))).json().state, { level })
})

test('what may not be set from the cloud is refused, each for its reason', async (t) => {
  const { ask, at } = await identitiesFixture(t)
  await ask('PUT', at('a'), { body: {} })
  const patch = (body: unknown, identity = 'a') => ask('PATCH', `${at(identity)}/state`, { body })
  for (const body of [{ seen: 'x' }, { unknown: 1 }, { '../level': 1 }, { 'a\0': 1 }]) {
    const { statusCode, ...reply } = await patch(body)
    const { reason, ...error } = reply.json()
    assert.deepEqual(error, {
      code: 'not_settable',
      message: 'Value is not settable',
      status: statusCode,
    })
    assert.match(reason, /^The resource .* cannot be set\.$/)
  }
  assertRefused(await patch({ level: 'x' }), 'value_refused', /^level must be a number/)
  for (const body of ['[]', '1', '{"__proto__":1}']) {
    assertRefused(await patch(body), 'malformed_request')
  }
  assertRefused(await patch({ level: 1 }, 'nobody'), 'unknown_identity')
  assert.deepEqual((await ask('GET', `${at('a')}/state`)).json(), {})
})

/** Devices that were last seen at addresses of both kinds, and one that was never seen. */
async function devicesAtAddresses(t: TestContext) {
  const { ask, provisioning, connector, at, base } = await identitiesFixture(t)
  const seen = {
    'v4-a': '10.1.2.3',
    'v4-b': '10.1.9.9',
    'v4-c': '192.0.2.7',
    'v6-a': '2001:db8::7',
    'v6-b': '2001:db8:1::7',
    zoned: 'fe80::7%eth0',
    nowhere: '',
  }
  for (const [identity, ip] of Object.entries(seen)) {
    assertOk(await ask('PUT', at(identity), { body: { locked: false } }))
    await provisioning.activate(connector, identity, { ...origin, ip })
  }
  assertOk(await ask('PUT', at('unseen'), { body: { locked: false } }))
  await provisioning.flush()
  const find = async (query: string) => {
    const reply = await ask('GET', `${base}?${query}`)
    assertOk(reply)
    return reply.json<{ devices: { identity: string }[] }>().devices.map((one) => one.identity)
  }
  return find
}

test('the list can be narrowed to an address or a range of addresses', async (t) => {
  const find = await devicesAtAddresses(t)
  const sorted = async (addresses: string) => {
    return (await find(`ipaddress=${encodeURIComponent(addresses)}`)).sort()
  }
  assert.deepEqual(await sorted('10.1.2.3'), ['v4-a'])
  assert.deepEqual(await sorted('10.1.2.4'), [])
  assert.deepEqual(await sorted('10.1.0.0/16'), ['v4-a', 'v4-b'])
  assert.deepEqual(await sorted('10.1.2.77/24'), ['v4-a'])
  assert.deepEqual(await sorted('0.0.0.0/0'), ['v4-a', 'v4-b', 'v4-c'])
  assert.deepEqual(await sorted('2001:DB8:0:0::7'), ['v6-a'])
  assert.deepEqual(await sorted('2001:db8::/32'), ['v6-a', 'v6-b'])
  assert.deepEqual(await sorted('fe80::/10'), ['zoned'])
  assert.deepEqual(await sorted('::/0'), ['v6-a', 'v6-b', 'zoned'])
  const range = 'ipaddress=10.1.0.0/16'
  assert.deepEqual(await find(`${range}&identity=v4-b&status=provisioned`), ['v4-b'])
  assert.deepEqual(await find(`${range}&status=locked`), [])
})

test('tags are added and removed one by one', async (t) => {
  const { ask, at } = await identitiesFixture(t)
  await ask('PUT', at('a'), { body: { tags: [{ name: 'site', value: 'north' }] } })
  const change = (body: object) => ask('PATCH', `${at('a')}/tags`, { body })
  const floor = { name: 'floor', value: '2' }
  const added = await change({ add: [floor, { name: 'site', value: 'north' }] })
  assertOk(added)
  assert.deepEqual(added.json(), { tags: [{ name: 'site', value: 'north' }, floor] })
  assert.deepEqual((await change({ remove: [{ name: 'site' }] })).json(), { tags: [floor] })
  const other = [{ name: 'floor', value: '3' }]
  assert.deepEqual((await change({ remove: other })).json(), { tags: [floor] })
  assert.deepEqual((await ask('GET', at('a'))).json().tags, [floor])
  assertRefused(await change({ add: [{ name: 'floor' }] }), 'invalid_argument', /^add/)
  assertRefused(await change({ tags: [] }), 'invalid_argument')
  const nobody = await ask('PATCH', `${at('nobody')}/tags`, { body: { add: [floor] } })
  assertRefused(nobody, 'unknown_identity')
})
