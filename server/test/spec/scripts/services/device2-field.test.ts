import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { provisioningLimits } from '../../../../src/devices/provisioning/index.ts'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import type { ScriptValue } from '../../../../src/scripts/scripting/index.ts'
import { deviceServiceLimits } from '../../../../src/scripts/services/device/index.ts'
import { type InterfaceFixture, interfaceFixture } from '../../../fixtures/interface.ts'
import { serviceCalls, type Table } from '../../../fixtures/service-calls.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { deviceWith } from '../../../fixtures/wire/device.ts'

let fixture: InterfaceFixture
let connectorId: string

const shareInstance = sharedBySuites(async (suite) => {
  fixture = await interfaceFixture(suite)
  connectorId = fixture.millrace.connector.id
  await fixture.subscribe('pump', connectorId)
})

const run = (source: string, event?: ScriptValue) => fixture.run('pump', source, event)

const { ask, refused } = serviceCalls('device2', () => fixture)

async function named(args: Table): Promise<unknown[]> {
  const { devices } = await ask('listIdentities', args)
  return (devices as unknown as Table[]).map(({ identity }) => identity)
}

async function added(identity: string, more: Table = {}): Promise<void> {
  assert.deepEqual(await ask('addIdentity', { identity, ...more }), { status: 204 })
}

describe('device2: lists as scripts of the field ask for them', () => {
  shareInstance()

  test('limit as a number or a text, offset, order and several tags', async () => {
    for (const digit of [1, 2, 3, 4]) {
      await added(`o-${digit}`, { tags: [{ name: 'set', value: 'o' }, `n${digit}`] })
    }
    const base = { identity: '^o-', order: ['identity'] }
    assert.deepEqual(await named({ ...base, limit: '2' }), ['o-1', 'o-2'])
    assert.deepEqual(await named({ ...base, limit: 2, offset: '1' }), ['o-2', 'o-3'])
    assert.deepEqual(await named({ ...base, order: '-identity', limit: 1 }), ['o-4'])
    assert.deepEqual(await named({ ...base, order: 'identity desc', offset: 3 }), ['o-1'])
    assert.deepEqual(await named({ ...base, order: ['lastseen', 'identity'], limit: 5000 }), [
      ...['o-1', 'o-2', 'o-3', 'o-4'],
    ])
    const both = [{ name: 'set', value: 'o' }, { name: 'n3' }]
    assert.deepEqual(await named({ tag: both }), ['o-3'])
    assert.deepEqual(await named({ tags: both, tag: 'n2' }), [])
    const page = await ask('listIdentities', { ...base, limit: 2, offset: 2 })
    assert.equal(page.mayLoadMore, false)
  })

  test('identity is a regular expression, matched in linear time', async () => {
    for (const name of ['r-aa', 'r-ab', 'r-zz9', 'R-AA']) await added(name)
    assert.deepEqual(await named({ identity: '^r-(aa|zz\\d)$' }), ['r-aa', 'r-zz9'])
    assert.deepEqual(await named({ identity: '^r-[ab]{2}$', limit: 1 }), ['r-aa'])
    assert.deepEqual(await named({ identity: '(?i)^r-aa$' }), ['R-AA', 'r-aa'])
    const hostile = { identity: '^(([a-z]+)+)+$' }
    assert.ok(Array.isArray(await named(hostile)))
    await refused('listIdentities', { identity: '(?=a)' }, 400, /identity/)
    await refused('listIdentities', { identity: '(a)\\1' }, 400, /identity/)
    await refused('listIdentities', { identity: 'a{1000}{1000}' }, 400, /identity/)
    await refused('listIdentities', { identity: 'a'.repeat(300) }, 400, /identity/)
  })

  test('countIdentities counts what the same filters find', async () => {
    for (const digit of [1, 2, 3]) await added(`count-${digit}`, { tags: [`c${digit % 2}`] })
    assert.deepEqual(await ask('countIdentities', { identity: '^count-' }), { count: 3 })
    assert.deepEqual(await ask('countIdentities', { tag: 'c1' }), { count: 2 })
    assert.deepEqual(await ask('countIdentities', { tag: 'c1', status: 'locked' }), { count: 0 })
    await refused('countIdentities', { status: 'lost' }, 400, /status/)
  })

  test('what is out of range is refused by name', async () => {
    const max = deviceServiceLimits.deviceOffsetMax
    await refused('listIdentities', { limit: '0x10' }, 400, /limit/)
    await refused('listIdentities', { offset: -1 }, 400, /offset/)
    await refused('listIdentities', { offset: max + 1 }, 400, /offset/)
    await refused('listIdentities', { order: ['tags'] }, 400, /order/)
    await refused('listIdentities', { order: [`identity; drop table x`] }, 400, /order/)
    await refused('listIdentities', { offset: 1, before: '0:a' }, 400, /before/)
    await refused('listIdentities', { tag: [{ name: 'a', other: 1 }] }, 400, /other/)
    await refused('listIdentities', { tag: [{}] }, 400, /tag/)
  })
})

describe('device2: devices that scripts add with their credential', () => {
  shareInstance()

  test('a token that the script gives: the device writes without an activation', async () => {
    const key = 'k'.repeat(limits.tokenChars)
    await added('given-token', { auth: { type: 'token', key } })
    const device = deviceWith(fixture.millrace.httpUrl, 'given-token', key)
    assert.equal((await device.write('a=1')).status, 204)
    const { status } = (await ask('getIdentity', { identity: 'given-token' })) as Table
    assert.equal(status, 'provisioned')
    await refused('addIdentity', { identity: 'other', auth: { type: 'token', key } }, 409, /token/)
    assert.equal((await ask('getIdentity', { identity: 'other' })).status, 404)
  })

  test('a token is taken by one of two that ask for it at once', async () => {
    const key = 'z'.repeat(limits.tokenChars)
    const source = 'return Device2.addIdentity{identity = event.identity, auth = event.auth}.status'
    const wanted = ['twin-1', 'twin-2', 'twin-3'].map((identity) => {
      return { identity, auth: { type: 'token', key } }
    })
    const statuses = await fixture.together('pump', source, wanted)
    assert.deepEqual(statuses.sort(), [204, 409, 409])
  })

  test('a password that the script gives, and bad credentials', async () => {
    const password = {
      type: 'password',
      key: 'p'.repeat(provisioningLimits.devicePasswordBytesMin),
    }
    await added('given-password', { auth: password })
    const { auth } = (await ask('getIdentity', { identity: 'given-password' })) as {
      auth: Table
    }
    assert.deepEqual(auth, { type: 'password' })
    const bad = (given: Table) => ({ identity: 'bad', auth: given })
    await refused('addIdentity', bad({ type: 'token', key: 'short' }), 400, /auth\.key/)
    await refused('addIdentity', bad({ type: 'password', key: 'short' }), 400, /auth\.key/)
    const long = { type: 'password', key: 'p'.repeat(limits.devicePasswordBytesMax + 1) }
    await refused('addIdentity', bad(long), 400, /auth\.key/)
    await refused('addIdentity', { ...bad(password), locked: true }, 400, /not locked/)
    await refused('addIdentity', { ...bad(password), identity: 'given-password' }, 409, /already/)
    assert.equal((await ask('getIdentity', { identity: 'bad' })).status, 404)
  })

  test('makeIdentity gives a token that works', async () => {
    const made = (await ask('makeIdentity', { identity: 'made' })) as { auth: { key: string } }
    const device = deviceWith(fixture.millrace.httpUrl, 'made', made.auth.key)
    assert.equal((await device.write('a=1')).status, 204)
    await refused('makeIdentity', { identity: 'made' }, 409, /already/)
    await refused('makeIdentity', { identity: 'm2', auth: { type: 'password' } }, 400, /auth/)
  })

  test('addIdentities and updateIdentities: each one succeeds or fails by itself', async () => {
    await added('many-2')
    const many = [{ identity: 'many-1' }, { identity: 'many-2' }, { locked: 1 }, 'x']
    const ended = (await ask('addIdentities', { identities: many })) as unknown as Table[]
    const seen = ended.map(({ identity, status }) => [identity, status])
    assert.deepEqual(seen, [
      ['many-1', 204],
      ['many-2', 409],
      ['', 400],
      ['', 400],
    ])
    const locks = [
      { identity: 'many-1', locked: true },
      { identity: 'never', locked: true },
    ]
    const changed = (await ask('updateIdentities', { identities: locks })) as unknown as Table[]
    assert.deepEqual(
      changed.map(({ status }) => status),
      [204, 404],
    )
    const tooMany = Array.from({ length: deviceServiceLimits.deviceBatchMax + 1 }, () => ({
      identity: 'a',
    }))
    await refused('addIdentities', { identities: tooMany }, 400, /at most/)
  })
})

describe('device2: tags, and the 404 of the field', () => {
  shareInstance()

  test('replace puts tags in place of all values of their names', async () => {
    await added('rep', { tags: [{ name: 'a', value: '1' }, { name: 'a', value: '2' }, 'b'] })
    const tags = [{ name: 'a', value: '3' }]
    await ask('addIdentityTag', { identity: 'rep', tags, replace: true })
    assert.deepEqual(await ask('getIdentityTag', { identity: 'rep' }), {
      tags: [{ name: 'b', value: '' }, ...tags],
    })
    await ask('addIdentityTag', { identity: 'rep', tags: [{ name: 'a', value: '4' }] })
    const { tags: a } = await ask('getIdentityTag', { identity: 'rep', name: 'a' })
    assert.deepEqual(a, [
      { name: 'a', value: '3' },
      { name: 'a', value: '4' },
    ])
  })

  test('removeIdentityTag: several values with commas between them', async () => {
    const of = (value: string) => ({ name: 'u', value })
    await added('com', { tags: ['a', 'b', 'c', 'a,b'].map(of) })
    await ask('removeIdentityTag', { identity: 'com', name: 'u', value: 'a, b' })
    const { tags } = await ask('getIdentityTag', { identity: 'com' })
    assert.deepEqual(tags, [of('c'), of('a,b')])
    const { names } = (await ask('listTagNames')) as unknown as { names: string[] }
    assert.ok(names.includes('u'))
    assert.deepEqual(await ask('listTagName'), { names })
  })

  test('an unknown identity is status 404; of getIdentityState the error is JSON', async () => {
    const source = `
      local set = Device2.setIdentityState{identity = "nobody", a = 1}
      local state = Device2.getIdentityState{identity = "nobody"}
      return {set.status, state.status, from_json(state.error).code}`
    assert.deepEqual(await run(source), [404, 404, 404])
  })
})

describe('device2: resources and settings of the connector', () => {
  shareInstance()

  test('resources are added, changed, read and removed', async () => {
    const resource = { alias: 'fan', format: 'number', unit: 'rpm', settable: true }
    assert.deepEqual(await ask('addGatewayResource', resource), { status: 204 })
    await refused('addGatewayResource', resource, 409, /resource already/)
    await ask('updateGatewayResource', { ...resource, allowed: [1, 2] })
    const seen = await ask('getGatewayResource', { alias: 'fan' })
    assert.deepEqual([seen.alias, seen.unit, seen.allowed], ['fan', 'rpm', ['1', '2']])
    assert.ok('fan' in (await ask('getGatewayResourceList')))
    assert.deepEqual(await ask('removeGatewayResource', { alias: 'fan' }), { status: 204 })
    await refused('getGatewayResource', { alias: 'fan' }, 404, /no such resource/)
    await refused('removeGatewayResource', { alias: 'fan' }, 404, /no such resource/)
    await refused('updateGatewayResource', resource, 404, /no such resource/)
    await refused('addGatewayResource', { alias: 'x', format: 'blob' }, 400, /format/)
    await refused('addGatewayResource', { alias: '__proto__', format: 'blob' }, 400, /./)
  })

  test('settings are read, and changed by name', async () => {
    const before = (await ask('getGatewaySettings')) as { provisioning: Table }
    const change = { provisioning: { generate_identity: true } }
    assert.deepEqual(await ask('updateGatewaySettings', change), { status: 204 })
    const after = (await ask('getGatewaySettings')) as { provisioning: Table }
    assert.deepEqual(after, {
      ...before,
      provisioning: { ...before.provisioning, generate_identity: true },
    })
    await refused('updateGatewaySettings', { provisioning: { pki: {} } }, 400, /pki/)
    await refused('updateGatewaySettings', { protocol: { devmode: 'yes' } }, 400, /devmode/)
    await refused('updateGatewaySettings', { identity_format: { options: 1 } }, 400, /options/)
  })
})
