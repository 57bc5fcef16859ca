import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import type { ScriptValue } from '../../../../src/scripts/scripting/index.ts'
import { deviceServiceLimits } from '../../../../src/scripts/services/device/index.ts'
import { type InterfaceFixture, interfaceFixture } from '../../../fixtures/interface.ts'
import { serviceCalls, type Table } from '../../../fixtures/service-calls.ts'
import { assertStatus } from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { newDevice } from '../../../fixtures/wire/device.ts'

type Page = { readonly devices: readonly Table[]; readonly mayLoadMore: boolean }

let fixture: InterfaceFixture

let connectorId: string

const shareInstance = sharedBySuites(async (suite) => {
  fixture = await interfaceFixture(suite)
  connectorId = fixture.millrace.connector.id
  await fixture.subscribe('pump', connectorId)
})

const run = (source: string, event?: ScriptValue) => fixture.run('pump', source, event)

const { ask, refused } = serviceCalls('device2', () => fixture)

const record = async (identity: string) => {
  const path = `/service/${connectorId}/device2/identity/${identity}`
  return (await fixture.ask('GET', path)).json
}

async function added(identity: string, more: Table = {}): Promise<void> {
  assert.deepEqual(await ask('addIdentity', { identity, ...more }), { status: 204 })
}

describe('device2: identities that scripts add and change', () => {
  shareInstance()

  test('addIdentity: whitelists one that is not there yet, and answers status 204', async () => {
    await added('new-1')
    const seen = await record('new-1')
    assert.deepEqual([seen.identity, seen.status, seen.locked], ['new-1', 'whitelisted', false])
    const expire = fixture.millrace.clock.nowUs() + 60_000_000
    await added('new-2', { auth: { expire }, locked: true, tags: [{ name: 'a', value: 'b' }, 'c'] })
    const other = await record('new-2')
    assert.deepEqual([other.auth.expire, other.status], [expire, 'locked'])
    assert.deepEqual(other.tags, [
      { name: 'a', value: 'b' },
      { name: 'c', value: '' },
    ])
    assert.deepEqual(await run('return Device2.addIdentity{identity = 12345}'), { status: 204 })
    assert.equal((await record('12345')).identity, '12345')
  })

  test('addIdentity: one that is there already is a 409, and stays as it was', async () => {
    await added('twice', { tags: ['kept'] })
    const before = await record('twice')
    await refused('addIdentity', { identity: 'twice', locked: true }, 409, /has the identity/)
    assert.deepEqual(await record('twice'), before)
    const both = (await run(`
      local ended = {}
      for index = 1, 2 do ended[index] = Device2.addIdentity{identity = "twice2"} end
      return ended`)) as Table[]
    assert.deepEqual(
      both.map(({ status }) => status),
      [204, 409],
    )
  })

  test('addIdentity: of many at once one gets 204, the others 409', async () => {
    const source = 'return Device2.addIdentity{identity = "race"}.status'
    const statuses = await fixture.together('pump', source, Array(8).fill(null))
    assert.deepEqual(statuses.sort(), [204, ...Array(7).fill(409)])
  })

  test('addIdentity and setIdentity: bad arguments are refused by name', async () => {
    for (const operation of ['addIdentity', 'setIdentity']) {
      await refused(operation, {}, 400, /identity must be given/)
      await refused(operation, { identity: '' }, 400, /identity must be given/)
      await refused(operation, { identity: { a: 1 } }, 400, /identity must be given/)
      await refused(operation, { identity: 'x', locked: 'yes' }, 400, /locked/)
      await refused(operation, { identity: 'x', auth: { expire: -1 } }, 400, /auth\.expire/)
      await refused(operation, { identity: 'x', auth: { type: 'csr' } }, 400, /csr/)
      await refused(operation, { identity: 'x', auth: { secret: 1 } }, 400, /no argument secret/)
      await refused(operation, { identity: 'x', tags: 'a' }, 400, /tags must be a list/)
      await refused(operation, { identity: 'x', tags: [{ nmae: 'a' }] }, 400, /name|nmae/)
    }
    await refused('addIdentity', 'x', 400, /table with names/)
    assert.equal((await record('x')).code, 'unknown_identity')
  })

  test('setIdentity: changes one that is there, and a 404 makes none', async () => {
    await added('lockable')
    const change = { identity: 'lockable', locked: true, tags: [{ name: 'n', value: 1 }] }
    assert.deepEqual(await ask('setIdentity', change), { status: 204 })
    const seen = await record('lockable')
    assert.deepEqual([seen.status, seen.tags], ['locked', [{ name: 'n', value: '1' }]])
    await refused('setIdentity', { identity: 'nobody', locked: true }, 404, /no such identity/)
    assert.equal((await record('nobody')).code, 'unknown_identity')
  })

  test('getIdentity: the record with state and tags, as the management API shows it', async () => {
    await added('shown', { tags: [{ name: 'site', value: 'hall' }] })
    await ask('setIdentityState', { identity: 'shown', a: 'x' })
    const given = await ask('getIdentity', { identity: 'shown' })
    // A field without a value is nil to a script.
    const { lastip, lastseen, state, ...seen } = await record('shown')
    assert.deepEqual([lastip, lastseen, state.a.reported], [null, null, null])
    const { reported: _, ...a } = state.a
    assert.deepEqual(given, { ...seen, state: { a } })
    assert.deepEqual([a.set, typeof a.timestamp], ['x', 'number'])
    assert.deepEqual(given.tags, [{ name: 'site', value: 'hall' }])
    await refused('getIdentity', { identity: 'nobody' }, 404, /no such identity/)
    await refused('getIdentity', {}, 400, /identity must be given/)
  })

  test('removeIdentity: gone with its credential; one that is not there is a 404', async () => {
    const device = await newDevice(fixture.millrace.httpUrl, connectorId, 'leaving')
    assert.deepEqual(await ask('removeIdentity', { identity: 'leaving' }), { status: 204 })
    assert.equal((await device.write('a=1')).status, 401)
    await refused('removeIdentity', { identity: 'leaving' }, 404, /no such identity/)
    await refused('removeIdentity', {}, 400, /identity must be given/)
  })
})

describe('device2: the state that scripts read and set', () => {
  shareInstance()

  test('getIdentityState: reported, set and timestamp of each alias that has a value', async () => {
    const device = await newDevice(fixture.millrace.httpUrl, connectorId, 'stated')
    assert.equal((await device.write('temperature=21.50&b=y')).status, 204)
    assert.deepEqual(await ask('setIdentityState', { identity: 'stated', b: 'z' }), { status: 204 })
    const state = await ask('getIdentityState', { identity: 'stated' })
    const { timestamp: t1, ...temperature } = state.temperature as Table
    const { timestamp: t2, ...b } = state.b as Table
    assert.deepEqual(temperature, { reported: '21.50', set: '21.50' })
    assert.deepEqual(b, { reported: 'y', set: 'z' })
    assert.ok(Number(t2) > Number(t1) && Number.isSafeInteger(t1))
    await refused('getIdentityState', { identity: 'nobody' }, 404, /no such identity/)
  })

  test('setIdentityState: many aliases at once in a flat table, as texts', async () => {
    await added('flat')
    const source =
      'return Device2.setIdentityState{identity = "flat", a = 1.0, b = true, level = "10"}'
    assert.deepEqual(await run(source), { status: 204 })
    const state = (await ask('getIdentityState', { identity: 'flat' })) as { [a: string]: Table }
    const set = Object.entries(state).map(([alias, value]) => [alias, value.set])
    assert.deepEqual(Object.fromEntries(set), { a: '1', b: 'true', level: '10' })
  })

  test('setIdentityState: values that are tables are discarded', async () => {
    await added('tables')
    const args = { identity: 'tables', a: { deep: 1 }, b: 'kept', level: [1], no_alias: {} }
    assert.deepEqual(await ask('setIdentityState', args), { status: 204 })
    assert.deepEqual(Object.keys((await record('tables')).state), ['b'])
    await refused('setIdentityState', { identity: 'tables', a: {} }, 400, /must hold a value/)
  })

  test('setIdentityState: one bad value refuses all of them', async () => {
    await added('strict')
    const of = (values: Table) => ({ identity: 'strict', ...values })
    await refused('setIdentityState', of({ a: 'x', temperature: 5 }), 400, /Value is not settable/)
    await refused('setIdentityState', of({ a: 'x', other: 5 }), 400, /Value is not settable/)
    await refused('setIdentityState', of({ a: 'x', level: 12 }), 400, /allowed/)
    await refused('setIdentityState', of({ a: 'x', level: 'high' }), 400, /number/)
    await refused('setIdentityState', of({ a: new Uint8Array([255]) }), 400, /must be a string/)
    await refused('setIdentityState', of({}), 400, /must hold a value/)
    await refused('setIdentityState', { a: 'x' }, 400, /identity must be given/)
    await refused('setIdentityState', { identity: 'nobody', a: 'x' }, 404, /no such identity/)
    assert.deepEqual((await record('strict')).state, {})
  })

  test('setIdentityState: the device is given the value', async () => {
    const device = await newDevice(fixture.millrace.httpUrl, connectorId, 'told')
    await ask('setIdentityState', { identity: 'told', a: 'open' })
    assert.equal((await device.read('a')).body, 'a=open')
  })
})

describe('device2: tags of devices', () => {
  shareInstance()

  test('addIdentityTag and addIdentityTags: a pair that is there stays once', async () => {
    await added('tagged')
    for (const args of [
      { name: 'group', value: 'a' },
      { name: 'group', value: 'b' },
      { name: 'group', value: 'a' },
      { tag: { name: 'claim', value: 7 } },
      { tags: ['plain', { name: 'group', value: 'b' }] },
    ]) {
      for (const operation of ['addIdentityTag', 'addIdentityTags']) {
        assert.deepEqual(await ask(operation, { identity: 'tagged', ...args }), { status: 204 })
      }
    }
    assert.deepEqual((await record('tagged')).tags, [
      { name: 'group', value: 'a' },
      { name: 'group', value: 'b' },
      { name: 'claim', value: '7' },
      { name: 'plain', value: '' },
    ])
  })

  test('removeIdentityTag and removeIdentityTags: a pair, or all of a name', async () => {
    const tag = (name: string, value: string) => ({ name, value })
    const tags = [tag('x', '1'), tag('x', '2'), tag('y', '1'), tag('z', '1')]
    await added('untagged', { tags })
    const remove = async (operation: string, args: Table) =>
      assert.deepEqual(await ask(operation, { identity: 'untagged', ...args }), { status: 204 })
    await remove('removeIdentityTag', { name: 'x', value: '2' })
    await remove('removeIdentityTag', { name: 'never', value: '2' })
    assert.deepEqual((await record('untagged')).tags, [tags[0], tags[2], tags[3]])
    await remove('removeIdentityTags', { tags: ['x', { name: 'y', value: '1' }] })
    assert.deepEqual((await record('untagged')).tags, [tags[3]])
  })

  test('tags: changes at once lose none, and the limit holds', async () => {
    await added('crowd')
    const source = 'Device2.addIdentityTag{identity = "crowd", name = event}'
    const names = Array.from({ length: limits.tagsMax }, (_, index) => `tag${index}`)
    await fixture.together('pump', source, names)
    assert.equal((await record('crowd')).tags.length, limits.tagsMax)
    const more = { identity: 'crowd', name: 'more' }
    await refused('addIdentityTag', more, 400, /tags must be at most/)
    const many = [...names, 'more']
    await refused('addIdentityTags', { identity: 'crowd', tags: many }, 400, /at most/)
    assert.equal((await record('crowd')).tags.length, limits.tagsMax)
  })

  test('tags: bad arguments and unknown identities', async () => {
    for (const operation of ['addIdentityTag', 'removeIdentityTags']) {
      await refused(operation, { identity: 'nobody', name: 'a' }, 404, /no such identity/)
      await refused(operation, { identity: 'new-1' }, 400, /a name, tag or tags/)
      await refused(operation, { identity: 'new-1', name: {} }, 400, /name must be a string/)
      await refused(operation, { identity: 'new-1', tag: { name: '', value: 'x' } }, 400, /empty/)
      await refused(operation, { identity: 'new-1', tags: 'a' }, 400, /tags must be a list/)
    }
  })
})

describe('device2: lists of identities', () => {
  shareInstance()

  test('listIdentities: no arguments give the first page', async () => {
    for (const args of [undefined, {}, []]) {
      const { devices, mayLoadMore } = (await ask('listIdentities', args)) as unknown as Page
      assert.equal(mayLoadMore, false)
      assert.ok(devices.some(({ identity }) => identity === 'shown'))
    }
    const source = 'return #Device2.listIdentities().devices'
    assert.ok(Number(await run(source)) > 5)
  })

  test('listIdentities: by identity, tag, status, limit and before', async () => {
    const named = async (args: Table) => {
      const { devices } = (await ask('listIdentities', args)) as unknown as Page
      return devices.map(({ identity }) => identity)
    }
    for (const digit of [1, 2, 3]) await added(`list-${digit}`, { tags: [`of${digit}`, 'all'] })
    await ask('setIdentity', { identity: 'list-3', locked: true })
    await ask('addIdentityTag', { identity: 'list-2', name: 'color', value: 'red' })
    assert.deepEqual(await named({ identity: '^list-.*' }), ['list-1', 'list-2', 'list-3'])
    assert.deepEqual(await named({ identity: 'list-2' }), ['list-2'])
    assert.deepEqual(await named({ tag: 'all' }), ['list-1', 'list-2', 'list-3'])
    assert.deepEqual(await named({ tag: { name: 'color', value: 'red' } }), ['list-2'])
    assert.deepEqual(await named({ tag: { name: 'color', value: 'blue' } }), [])
    assert.deepEqual(await named({ tag: 'all', status: 'locked' }), ['list-3'])
    const first = (await ask('listIdentities', { tag: 'all', limit: 2 })) as unknown as Page
    assert.deepEqual([first.devices.length, first.mayLoadMore], [2, true])
    assert.deepEqual(await named({ tag: 'all', limit: 2, before: '0:list-2' }), ['list-3'])
  })

  test('listIdentities: what it cannot be asked by is refused', async () => {
    await refused('listIdentities', { limit: 0 }, 400, /limit/)
    await refused('listIdentities', { limit: deviceServiceLimits.deviceListMax + 1 }, 400, /limit/)
    await refused('listIdentities', { status: 'lost' }, 400, /status/)
    await refused('listIdentities', { identity: '(a|b' }, 400, /identity/)
    await refused('listIdentities', { tag: {} }, 400, /tag/)
    await refused('listIdentities', { tag: { name: 'a', other: 1 } }, 400, /other/)
  })

  test('listIdentities: a list that is too much comes in parts, and none is left out', async () => {
    const { platform, businessId } = fixture.millrace
    const value = 'x'.repeat(400_000)
    for (const index of [1, 2, 3, 4]) {
      await platform.provisioning.identities.add(businessId, connectorId, `large-${index}`)
      const where = [businessId, connectorId, `large-${index}`] as const
      await platform.provisioning.setState(...where, { a: value })
    }
    const source = `
      local seen, before = {}, nil
      repeat
        local page = Device2.listIdentities{identity = "large-.*", before = before}
        for _, device in ipairs(page.devices) do
          seen[#seen + 1] = device.identity .. " " .. #device.state.a.set
          before = "0:" .. device.identity
        end
      until not page.mayLoadMore
      return seen`
    const expected = [1, 2, 3, 4].map((index) => `large-${index} 400000`)
    assert.deepEqual(await run(source), expected)
  })
})

describe('device2: what it does not answer', () => {
  shareInstance()

  test('an operation that there is not, and one of a prototype', async () => {
    for (const name of ['listIdentity', 'constructor', '__proto__', 'toString', '']) {
      await refused(name, {}, 404, /no operation/)
    }
  })

  test("another business's connector is as if it were not there", async () => {
    const otherOwner = await fixture.otherOwner()
    await fixture.solution('thief', otherOwner)
    const body = { service: connectorId }
    const added = await fixture.ask('POST', '/solution/thief/serviceconfig', body, otherOwner.token)
    assertStatus(added, 404)
    const source = 'return device2 == nil'
    assert.equal(await fixture.run('thief', source, undefined, otherOwner), true)
  })
})
