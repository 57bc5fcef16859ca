import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { provisioningLimits, valueEffects } from '../../../../src/devices/provisioning/index.ts'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { connectorFixture, overTls, refuses } from '../../../fixtures/provisioning.ts'

const resources = {
  bob: { format: 'number', settable: true, allowed: ['0-99'], initial: '9' },
  note: { format: 'string', settable: true },
  t: { format: 'number' },
}

async function open(t: TestContext, input = {}) {
  const fixture = await connectorFixture(t, { resources, ...input })
  const { business, provisioning, eventlog, clock, connector } = fixture
  const { id } = connector

  async function device(identity: string) {
    await fixture.whitelist(identity)
    await fixture.activate(identity)
  }

  function say(
    kind: 'write' | 'set',
    identity: string,
    points: readonly (readonly [number, Record<string, string>])[],
  ) {
    const payload = points.map(([timestamp, values]) => ({ timestamp, values }))
    const body = { ip: '10.0.0.7', protocol: 'https', payload }
    const of = { businessId: business, connectorId: id, identity }
    return eventlog.append({ ...of, kind, at: clock.us, body })
  }

  const state = (identity: string) => provisioning.state(business, id, identity)
  const set = (identity: string, values: object) =>
    provisioning.setState(business, id, identity, values as Record<string, unknown>)
  return { ...fixture, device, say, state, set }
}

describe('the values of a resource: set by the device and by the cloud', () => {
  it("are both set by a device's write, as typed", async (t) => {
    const { device, say, state, clock } = await open(t)
    await device('d')
    clock.us += 10
    await say('write', 'd', [[clock.us, { t: '0', bob: '21.50' }]])
    assert.deepEqual(await state('d'), {
      bob: { reported: '21.50', set: '21.50', timestamp: clock.us },
      t: { reported: '0', set: '0', timestamp: clock.us },
    })
  })

  it('are set only as `set` by the cloud, and acknowledged by the device', async (t) => {
    const { device, say, set, state, clock, entries } = await open(t)
    await device('d')
    clock.us += 10
    await say('write', 'd', [[clock.us, { bob: '5' }]])
    clock.us += 10
    await set('d', { bob: 7 })
    assert.deepEqual((await state('d')).bob, { reported: '5', set: '7', timestamp: clock.us })
    clock.us += 10
    await say('write', 'd', [[clock.us, { bob: '7' }]])
    assert.deepEqual((await state('d')).bob, { reported: '7', set: '7', timestamp: clock.us })
    const said = (await entries()).findLast(
      (entry) => entry.kind === 'set' && !entry.body.includes('initial'),
    )
    assert.deepEqual(JSON.parse(said?.body ?? ''), {
      ip: '',
      protocol: 'api',
      payload: [{ timestamp: clock.us - 10, values: { bob: '7' } }],
    })
  })

  it('start with what is initial on a new device, and only there', async (t) => {
    const { business, provisioning, connector, device, say, state, clock, entries } = await open(t)
    await device('d')
    const initial = { bob: { reported: null, set: '9', timestamp: clock.us } }
    assert.deepEqual(await state('d'), initial)
    const [, said, ...others] = await entries()
    assert.deepEqual(others, [])
    assert.deepEqual(JSON.parse(said?.body ?? ''), {
      ip: '',
      protocol: 'initial',
      payload: [{ timestamp: clock.us, values: { bob: '9' } }],
    })
    await say('write', 'd', [[clock.us + 1, { bob: '5' }]])
    const again = { reprovision: true }
    await provisioning.identities.whitelist(business, connector.id, 'd', again)
    await provisioning.activate(connector, 'd', overTls)
    assert.equal((await state('d')).bob?.set, '5')
  })

  it('are not stored for an unknown identity', async (t) => {
    const { business, provisioning, connector, say, state, clock } = await open(t)
    await say('write', 'ghost', [[clock.us, { t: '1' }]])
    await provisioning.identities.whitelist(business, connector.id, 'ghost')
    assert.deepEqual(await state('ghost'), {})
  })

  it('may have odd names and texts', async (t) => {
    const alias = '🙂'.repeat(provisioningLimits.aliasCharsMax)
    const odd = {
      [alias]: { format: 'string' },
      constructor: { format: 'string' },
      "a'b": { format: 'string' },
    }
    const { provisioning, connector, device, say, clock } = await open(t, { resources: odd })
    const identity = '🙂'.repeat(limits.identityCharsMax)
    await device(identity)
    const values = { [alias]: '{"001":21.5}', constructor: '', "a'b": "';--\n\\" }
    await say('write', identity, [[clock.us, values]])
    const found = await provisioning.values({ connector, identity }, Object.keys(values))
    const read = [...found].map(([name, value]) => [name, value.reported])
    assert.deepEqual(Object.fromEntries(read), values)
  })
})

describe('the values of a resource: the order of their times', () => {
  it('do not step back: an older record changes nothing, an equal one does', async (t) => {
    const { device, say, state, clock } = await open(t)
    await device('d')
    clock.us += 1_000
    const now = clock.us
    await say('write', 'd', [[now, { t: 'new' }]])
    await say('write', 'd', [[now - 1, { t: 'older' }]])
    assert.deepEqual((await state('d')).t, { reported: 'new', set: 'new', timestamp: now })
    await say('write', 'd', [[now, { t: 'said later' }]])
    assert.equal((await state('d')).t?.reported, 'said later')
  })

  it('keep the times of both apart: a late report is a report still', async (t) => {
    const { device, say, set, state, clock } = await open(t)
    await device('d')
    clock.us += 1_000
    await say('write', 'd', [[clock.us - 900, { bob: '1' }]])
    await set('d', { bob: '7' })
    await say('write', 'd', [[clock.us - 100, { bob: '2' }]])
    assert.deepEqual((await state('d')).bob, { reported: '2', set: '7', timestamp: clock.us })
  })

  it('are the last of a record, in whatever order it came', async (t) => {
    const { device, say, state, clock } = await open(t)
    await device('d')
    const at = clock.us
    clock.us += 100
    await say('write', 'd', [
      [at + 30, { t: '3' }],
      [at + 10, { t: '1', bob: '1' }],
      [at + 20, { t: '2' }],
    ])
    assert.equal((await state('d')).t?.reported, '3')
    assert.deepEqual((await state('d')).bob, { reported: '1', set: '1', timestamp: at + 10 })
  })

  it('are not frozen by a device whose clock runs ahead', async (t) => {
    const { device, say, state, clock } = await open(t)
    await device('d')
    await say('write', 'd', [[clock.us + 1_000_000_000, { t: 'from the future' }]])
    clock.us += 1
    await say('write', 'd', [[clock.us, { t: 'now' }]])
    assert.equal((await state('d')).t?.reported, 'now')
  })

  it('are counted once in a batch of many devices, each its own last', async (t) => {
    const { provisioning, connector, device, say, clock } = await open(t)
    const names = ['d0', 'd1', 'd2', 'd3']
    for (const name of names) await device(name)
    const writes = Array.from({ length: 400 }, (_, at) => {
      clock.us += 1
      return say('write', names[at % 4] ?? '', [[clock.us, { t: `${at}` }]])
    })
    await Promise.all(writes)
    for (const [at, identity] of names.entries()) {
      const values = await provisioning.values({ connector, identity }, ['t'])
      assert.equal(values.get('t')?.reported, `${396 + at}`)
    }
  })
})

describe('reading current values', () => {
  it('gives those that are asked for and have one', async (t) => {
    const { provisioning, connector, device } = await open(t)
    await device('d')
    const one = { connector, identity: 'd' }
    assert.deepEqual([...(await provisioning.values(one, ['bob', 't', 'x'])).keys()], ['bob'])
    assert.equal((await provisioning.values(one, [])).size, 0)
  })

  it('shows a record only what the connector defines', async (t) => {
    const { business, provisioning, connector, device, state } = await open(t)
    await device('d')
    await provisioning.connectors.patch(business, connector.id, { resources: { bob: null } })
    assert.deepEqual(await state('d'), {})
  })

  it('stops at a limit of bytes: a page ends early, a record is cut and marked', async (t) => {
    const large = Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [`r${at}`, { format: 'string' }]),
    )
    const { business, provisioning, connector, device, say, state, clock } = await open(t, {
      resources: large,
    })
    const mebibyte = 'x'.repeat(limits.resourceValueBytesMax)
    for (const name of ['a', 'b', 'c']) {
      await device(name)
      for (let at = 0; at < 5; at += 1)
        await say('write', name, [[clock.us, { [`r${at}`]: mebibyte }]])
    }
    const page = await provisioning.identities.list(business, connector.id)
    assert.equal(page.mayLoadMore, true)
    assert.deepEqual(
      page.devices.map((record) => Object.keys(record.state).length),
      [5],
    )
    for (let at = 5; at < 9; at += 1)
      await say('write', 'a', [[clock.us, { [`r${at}`]: mebibyte }]])
    await refuses('too_large', () => state('a'))
    const [cut, ...others] = (await provisioning.identities.list(business, connector.id)).devices
    assert.deepEqual([cut?.identity, cut?.stateCut, others.length], ['a', true, 0])
    assert.equal(Object.keys(cut?.state ?? {}).length, 7)
    const one = { connector, identity: 'a' }
    await refuses('too_large', () => provisioning.values(one, Object.keys(large)))
    assert.equal((await provisioning.values(one, ['r0', 'r1'])).size, 2)
  })
})

describe('setting values from the cloud', () => {
  it('is rejected whole, with the reason, and nothing is published', async (t) => {
    const { device, set, state, entries } = await open(t)
    await device('d')
    const before = await state('d')
    await refuses('not_settable', () => set('d', { t: '1' }), 'Value is not settable')
    await refuses(
      'not_settable',
      () => set('d', { bob: '1', nobody: '1' }),
      'Value is not settable',
    )
    await refuses('value_refused', () => set('d', { bob: '100' }), 'bob')
    await refuses('value_refused', () => set('d', { note: 'a\0' }), 'NUL')
    await refuses('invalid_argument', () => set('d', {}), 'state')
    await refuses('invalid_argument', () => set('d', { bob: null }), 'bob')
    await refuses('unknown_identity', () => set('nobody', { bob: '1' }))
    assert.deepEqual(await state('d'), before)
    assert.deepEqual(
      (await entries()).map((entry) => entry.kind),
      ['provisioned', 'set'],
    )
  })

  it('reaches an identity that was not activated yet, and stays its value', async (t) => {
    const { business, provisioning, connector, device, set, state } = await open(t)
    await provisioning.identities.whitelist(business, connector.id, 'd')
    await set('d', { bob: '7' })
    await device('d')
    assert.equal((await state('d')).bob?.set, '7')
  })
})

describe('the effects of entries', () => {
  it('are none if no value is given, and one statement if many are', () => {
    const entry = { businessId: 'b', connectorId: 'c', identity: 'd', at: 5 }
    const connection = { ip: '', protocol: 'https' }
    assert.deepEqual(valueEffects([]), [])
    assert.deepEqual(valueEffects([{ ...entry, kind: 'deleted', body: {} }]), [])
    const body = { ...connection, payload: [{ timestamp: 5, values: { a: '1', b: '2' } }] }
    const writes = [
      { ...entry, kind: 'write' as const, body },
      { ...entry, kind: 'set' as const, body },
    ]
    assert.equal(valueEffects(writes).length, 1)
    const empty = { ...connection, payload: [], unknown: ['x'] }
    assert.deepEqual(valueEffects([{ ...entry, kind: 'write', body: empty }]), [])
  })
})
