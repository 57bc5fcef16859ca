import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Status } from '../../../../src/devices/provisioning/index.ts'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { connectorFixture, overPlain, refuses } from '../../../fixtures/provisioning.ts'

const hourUs = 3_600_000_000

const open = (t: TestContext, input = {}) => connectorFixture(t, { devmode: true, ...input })

describe('whitelisting an identity', () => {
  it('gives the whole record; the deadline defaults to 48 hours', async (t) => {
    const { whitelist, clock } = await open(t)
    assert.deepEqual(await whitelist('d1'), {
      identity: 'd1',
      auth: { type: 'token', expire: clock.us + 48 * hourUs },
      state: {},
      locked: false,
      reprovision: false,
      devmode: false,
      lastip: null,
      lastseen: null,
      status: 'whitelisted',
      online: false,
      tags: [],
    })
  })

  it('takes a deadline in microseconds, or none: null and 0', async (t) => {
    const { whitelist, get, clock } = await open(t)
    const expire = clock.us + 5
    assert.equal((await whitelist('a', { auth: { expire } })).auth.expire, expire)
    assert.equal('expire' in (await whitelist('b', { auth: { expire: null } })).auth, false)
    assert.equal('expire' in (await whitelist('c', { auth: { expire: 0 } })).auth, false)
    clock.us += 1_000 * hourUs
    assert.equal((await get('a')).status, 'expired')
    assert.equal((await get('b')).status, 'whitelisted')
  })

  it('requires the format that is configured, and names the rule', async (t) => {
    const { whitelist, list } = await open(t, {
      identityFormat: { prefix: 'AC-', type: 'number', length: 4 },
    })
    await whitelist('AC-1234')
    await refuses('invalid_argument', () => whitelist('1234'), 'start with AC-')
    await refuses('invalid_argument', () => whitelist('AC-12345'), '4 characters')
    await refuses('invalid_argument', () => whitelist('AC-12a4'), 'digits')
    await refuses('invalid_argument', () => whitelist(''), 'empty')
    await refuses('invalid_argument', () => whitelist('x'.repeat(10_000)), '512')
    await refuses('invalid_argument', () => whitelist('AC-1\x003'), 'control')
    assert.equal((await list()).devices.length, 1)
  })

  it('stores any identity that is a text, and its longest', async (t) => {
    const { whitelist, get } = await open(t)
    const all = ["'; drop table x; --", '../..', 'é🙂', '%_\\', 'a&b=c', ' ', '__proto__']
    for (const identity of [...all, '🙂'.repeat(limits.identityCharsMax)]) {
      assert.equal((await whitelist(identity)).identity, identity)
      assert.equal((await get(identity)).identity, identity)
    }
  })

  it('refuses bad fields by name', async (t) => {
    const { whitelist, list } = await open(t)
    const tags = Array(limits.tagsMax + 1).fill({ name: 'a', value: 'b' })
    const refused: [unknown, string][] = [
      [{ auth: { expire: 'tomorrow' } }, 'auth.expire'],
      [{ auth: { expire: -1 } }, 'auth.expire'],
      [{ auth: { expire: 1.5 } }, 'auth.expire'],
      [{ auth: { expire: Number.NaN } }, 'auth.expire'],
      [{ auth: { expire: 1e300 } }, 'auth.expire'],
      [
        { auth: { expire: 1 } },
        'auth.expire must be in microseconds since 1970: by its size 1 is in seconds',
      ],
      [{ auth: { expire: 1_893_456_000 } }, 'by its size 1893456000 is in seconds'],
      [{ auth: { expire: 1e11 - 1 } }, 'is in seconds'],
      [{ auth: { expire: 1e11 } }, 'is in milliseconds'],
      [{ auth: { expire: 1_893_456_000_000 } }, 'is in milliseconds'],
      [{ auth: { expire: 1e14 - 1 } }, 'is in milliseconds'],
      [{ locked: 'true' }, 'locked'],
      [{ locked: null }, 'locked'],
      [{ reprovision: 1 }, 'reprovision'],
      [{ tags: {} }, 'tags'],
      [{ tags }, 'tags must have at most 20'],
      [{ tags: ['a'] }, 'tags'],
      [{ tags: [{ name: '', value: '' }] }, 'tags[0].name'],
      [{ tags: [{ name: 'a' }] }, 'tags[0].value'],
      [{ tags: [{ name: 'a\0', value: 'b' }] }, 'tags[0].name'],
      [{ tags: [{ name: 'a', value: 'x'.repeat(1_048_576) }] }, 'tags[0].value'],
      [{ tags: [{ name: 'a', value: 'b', c: 1 }] }, 'no field "c"'],
      [{ status: 'provisioned' }, 'no field "status"'],
      [[], 'object'],
    ]
    for (const [part, says] of refused) {
      await refuses('invalid_argument', () => whitelist('d', part as object), says)
    }
    assert.deepEqual((await list()).devices, [])
  })
})

describe('whitelisting an identity again', () => {
  it('changes what is given and keeps the rest', async (t) => {
    const { whitelist, clock } = await open(t)
    const tags = [{ name: 'group', value: 'north' }]
    const first = await whitelist('d', { tags })
    clock.us += hourUs
    const second = await whitelist('d', { locked: true })
    assert.deepEqual(second, { ...first, locked: true, status: 'locked' })
    assert.deepEqual((await whitelist('d', { tags: [] })).tags, [])
    assert.equal((await whitelist('d', { locked: false })).status, 'whitelisted')
    const expire = 1e14 + 7
    assert.equal((await whitelist('d', { auth: { expire } })).auth.expire, expire)
  })

  it('opens a window anew where it has closed, and only there', async (t) => {
    const { whitelist, get, clock } = await open(t)
    await whitelist('d')
    await whitelist('never', { auth: { expire: null } })
    clock.us += 48 * hourUs
    assert.equal((await get('d')).status, 'expired')
    const locked = await whitelist('d', { locked: true })
    assert.deepEqual([locked.status, locked.auth.expire], ['locked', clock.us])
    const again = await whitelist('d', { locked: false })
    assert.equal(again.status, 'whitelisted')
    assert.equal(again.auth.expire, clock.us + 48 * hourUs)
    assert.equal('expire' in (await whitelist('never')).auth, false)
  })

  it('loses no provisioning', async (t) => {
    const { provisioning, whitelist, activate } = await open(t)
    await whitelist('d')
    const { token } = await activate('d')
    const record = await whitelist('d', {
      tags: [{ name: 'a', value: 'b' }],
      auth: { expire: 1e14 },
    })
    assert.equal(record.status, 'provisioned')
    assert.deepEqual(record.tags, [{ name: 'a', value: 'b' }])
    const device = await provisioning.authenticateToken(token, { encrypted: true })
    assert.equal(device.identity, 'd')
  })
})

describe('the list of identities', () => {
  it('is bounded, newest lastseen first, in pages that neither repeat nor skip', async (t) => {
    const { provisioning, whitelist, list, clock, connector } = await open(t)
    for (let at = 0; at < 9; at += 1) await whitelist(`d${at}`)
    for (const at of [3, 1, 5]) {
      clock.us += 1
      provisioning.noteSeen({ connector, identity: `d${at}` }, '10.1.1.1')
    }
    provisioning.noteSeen({ connector, identity: 'd6' }, '10.1.1.1')
    await provisioning.flush()
    const seen: string[] = []
    let before: string | undefined
    for (let pages = 0; pages < 9; pages += 1) {
      const page = await list({ limit: 2, ...(before !== undefined && { before }) })
      seen.push(...page.devices.map((device) => device.identity))
      const last = page.devices.at(-1)
      before = `${last?.lastseen ?? 0}:${last?.identity}`
      assert.equal(page.mayLoadMore, seen.length < 9)
      if (!page.mayLoadMore) break
    }
    assert.deepEqual(seen, ['d5', 'd6', 'd1', 'd3', 'd0', 'd2', 'd4', 'd7', 'd8'])
    const older = await list({ before: `${clock.us}` })
    assert.deepEqual(
      older.devices.map((device) => device.identity),
      ['d1', 'd3', 'd0', 'd2', 'd4', 'd7', 'd8'],
    )
  })

  it('finds each status, and the identities of that status', async (t) => {
    const { provisioning, whitelist, activate, list, remove, clock } = await open(t)
    await whitelist('w')
    await whitelist('p')
    await whitelist('dev')
    await whitelist('l', { locked: true })
    await whitelist('e', { auth: { expire: clock.us } })
    await whitelist('r')
    await whitelist('re')
    await whitelist('gone')
    await Promise.all(['p', 'r', 're'].map((identity) => activate(identity)))
    await activate('dev', overPlain)
    await whitelist('r', { reprovision: true })
    await whitelist('re', { reprovision: true, auth: { expire: clock.us } })
    await remove('gone')
    await provisioning.flush()
    const expected: Record<Status, string[]> = {
      whitelisted: ['w'],
      provisioned: ['p'],
      locked: ['l'],
      reprovision: ['r'],
      expired: ['e', 're'],
      devmode: ['dev'],
    }
    for (const [status, identities] of Object.entries(expected)) {
      const { devices } = await list({ status })
      assert.deepEqual(devices.map((device) => device.identity).sort(), identities, status)
      assert.ok(devices.every((device) => device.status === status))
    }
    assert.equal((await list()).devices.length, 7)
  })

  it('finds identities by a pattern', async (t) => {
    const { whitelist, list } = await open(t)
    for (const identity of ['AC-1', 'AC-22', 'BAC-1', 'a_c', 'abc', '50%'])
      await whitelist(identity)
    const find = async (identity: string) =>
      (await list({ identity })).devices.map((device) => device.identity).sort()
    assert.deepEqual(await find('AC-'), ['AC-1', 'AC-22', 'BAC-1'])
    assert.deepEqual(await find('^AC-'), ['AC-1', 'AC-22'])
    assert.deepEqual(await find('^AC-.$'), ['AC-1'])
    assert.deepEqual(await find('^A.*2$'), ['AC-22'])
    assert.deepEqual(await find('a_c'), ['a_c'])
    assert.deepEqual(await find('a.c'), ['a_c', 'abc'])
    assert.deepEqual(await find('%'), ['50%'])
    await refuses('invalid_argument', () => find('(a+)+$'), 'not')
  })

  it('refuses what it cannot be asked', async (t) => {
    const { list } = await open(t)
    const refused: [object, string][] = [
      [{ limit: 0 }, 'limit'],
      [{ limit: limits.pageMax + 1 }, 'limit'],
      [{ limit: '5' }, 'limit'],
      [{ before: 'yesterday' }, 'before'],
      [{ before: '99999999999999999' }, 'before'],
      [{ before: 5 }, 'before'],
      [{ before: '5:a\0' }, 'before'],
      [{ status: 'gone' }, 'status'],
      [{ identity: 5 }, 'identity'],
      [{ identity: 'a\0' }, 'identity'],
    ]
    for (const [query, says] of refused) await refuses('invalid_argument', () => list(query), says)
  })
})

describe('removing an identity', () => {
  it('ends its credential at once, its values, and logs it', async (t) => {
    const fixture = await open(t, { resources: { a: { format: 'string', settable: true } } })
    const { business, provisioning, connector, whitelist, activate, get, remove } = fixture
    await whitelist('d')
    const { token } = await activate('d')
    await provisioning.setState(business, connector.id, 'd', { a: 'x' })
    await provisioning.authenticateToken(token, { encrypted: true })
    await remove('d')
    await refuses('unknown_credential', () =>
      provisioning.authenticateToken(token, { encrypted: true }),
    )
    await refuses('unknown_identity', () => get('d'))
    await refuses('unknown_identity', () => remove('d'))
    assert.deepEqual(
      (await fixture.entries()).map((entry) => entry.kind),
      ['provisioned', 'set', 'deleted'],
    )
    assert.equal((await fixture.entries())[2]?.body, '{}')
    await whitelist('d')
    assert.deepEqual(await provisioning.state(business, connector.id, 'd'), {})
    assert.equal((await get('d')).lastseen, null)
  })

  it('leaves nothing of writes that race with it', async (t) => {
    const fixture = await open(t, { resources: { a: { format: 'string' } } })
    const { business, provisioning, connector, eventlog, clock, whitelist, remove } = fixture
    for (let round = 0; round < 10; round += 1) {
      const identity = `d${round}`
      await whitelist(identity)
      const at = clock.us
      const payload = [{ timestamp: at, values: { a: 'x' } }]
      const body = { ip: '', protocol: 'https', payload }
      const entry = { businessId: business, connectorId: connector.id, identity, at, body }
      const writes = Array.from({ length: 20 }, () => eventlog.append({ ...entry, kind: 'write' }))
      await Promise.all([...writes, remove(identity)])
      await whitelist(identity)
      assert.deepEqual(await provisioning.state(business, connector.id, identity), {})
    }
  })
})
