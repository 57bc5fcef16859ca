import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { provisioningLimits } from '../../../../src/devices/provisioning/index.ts'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { provisioningFixture, refuses } from '../../../fixtures/provisioning.ts'

const us = 1_000_000

const noOptions = { profile: '', apiKey: null, validityMonths: null, url: '' }

describe('connector provisioning settings', () => {
  it('have defaults: token, no developer mode, opaque identities, whitelist only', async (t) => {
    const { business, provisioning } = await provisioningFixture(t)
    const made = await provisioning.connectors.create(business, { name: 'Line 1' })
    assert.match(made.id, /^[a-z][a-z0-9]{15}$/)
    const expected = {
      id: made.id,
      businessId: business,
      name: 'Line 1',
      description: '',
      authType: 'token',
      devmode: false,
      enabled: true,
      selfRegistration: false,
      protocolName: 'http',
      presenterIdentity: false,
      identitiesMax: 1_000_000,
      registrationsPerMinute: 1_000,
      identityFormat: { prefix: '', type: 'opaque', casing: 'any', length: null },
      ipRestriction: { enabled: false, allowed: [] },
      pki: { enabled: false, caPem: null, vendor: null, vendorOptions: noOptions },
      reprovision: { policy: 'on_order', data: 'keep' },
      resources: new Map(),
    }
    assert.deepEqual(made, expected)
    assert.deepEqual(await provisioning.connectors.get(business, made.id), expected)
    assert.deepEqual(await provisioning.connectors.find(made.id), expected)
    assert.deepEqual(await provisioning.connectors.list(business), [expected])
  })

  it('are stored as they were given, all of them', async (t) => {
    const { business, provisioning } = await provisioningFixture(t)
    const made = await provisioning.connectors.create(business, {
      id: 'line-1',
      name: 'Línea 1',
      description: 'north hall',
      devmode: true,
      enabled: false,
      selfRegistration: true,
      authType: 'password',
      ipRestriction: { enabled: true, allowed: ['10.0.0.0/8', '2001:db8::1'] },
      identityFormat: { prefix: 'AC-', type: 'mac_plain', casing: 'upper', length: 12 },
      resources: {
        z: { format: 'number', allowed: ['9-11', '-5--1'], settable: true, initial: '9' },
        a: { format: 'boolean', unit: '%', sync: true },
      },
    })
    assert.deepEqual(await provisioning.connectors.get(business, 'line-1'), made)
    assert.deepEqual([...made.resources.keys()], ['z', 'a'])
  })
})

describe('changes of connector provisioning settings', () => {
  it('change a part; the rest stays', async (t) => {
    const { business, provisioning, connector } = await provisioningFixture(t)
    const { id } = await connector({
      identityFormat: { prefix: 'AC-', type: 'number' },
      resources: { a: { format: 'string' }, b: { format: 'string' } },
    })
    const patched = await provisioning.connectors.patch(business, id, {
      devmode: true,
      identityFormat: { length: 6 },
      resources: { b: null, c: { format: 'number' } },
    })
    assert.equal(patched.name, 'Line 1')
    assert.equal(patched.devmode, true)
    assert.deepEqual(patched.identityFormat, {
      prefix: 'AC-',
      type: 'number',
      casing: 'any',
      length: 6,
    })
    assert.deepEqual([...patched.resources.keys()], ['a', 'c'])
    assert.deepEqual(await provisioning.connectors.get(business, id), patched)
  })

  it('lose nothing when two come at once', async (t) => {
    const { business, provisioning, connector } = await provisioningFixture(t)
    const { connectors } = provisioning
    const { id } = await connector()
    const aliases = Array.from({ length: 8 }, (_, at) => `r${at}`)
    await Promise.all(
      aliases.map((alias) =>
        connectors.patch(business, id, { resources: { [alias]: { format: 'string' } } }),
      ),
    )
    const { resources } = await connectors.get(business, id)
    assert.deepEqual([...resources.keys()].sort(), aliases)
  })

  it('are refused field by field, and then nothing is stored', async (t) => {
    const { other, business, provisioning, connector } = await provisioningFixture(t)
    const { connectors } = provisioning
    const { id } = await connector()
    const before = await connectors.get(business, id)
    const refused: [Record<string, unknown>, string][] = [
      [{ name: '' }, 'name'],
      [{ name: 7 }, 'name'],
      [{ name: 'a\0b' }, 'name'],
      [{ name: 'x'.repeat(1_048_576) }, 'name'],
      [{ description: 'x'.repeat(1_001) }, 'description'],
      [{ description: null }, 'description'],
      [{ authType: 'magic' }, 'authType must be one of token, password, certificate'],
      [{ authType: null }, 'authType'],
      [{ devmode: 'on' }, 'devmode'],
      [{ enabled: 1 }, 'enabled'],
      [{ selfRegistration: 'yes' }, 'selfRegistration'],
      [{ identityFormat: 'uuid' }, 'identityFormat'],
      [{ identityFormat: { type: 'regex' } }, 'identityFormat.type'],
      [{ resources: [] }, 'resources'],
      [{ resources: { 'a.b': { format: 'string' } } }, 'a.b'],
      [{ businessId: other }, 'businessId'],
      [JSON.parse('{"__proto__": {"devmode": true}}'), '__proto__'],
    ]
    for (const [part, says] of refused) {
      await refuses('invalid_argument', () => connectors.patch(business, id, part), says)
      const input = { name: 'n', ...part }
      await refuses('invalid_argument', () => connectors.create(business, input))
    }
    await refuses('invalid_argument', () => connectors.create(business, {}), 'name')
    assert.deepEqual(await connectors.get(business, id), before)
    assert.equal((await connectors.list(business)).length, 1)
  })
})

describe("a connector's id", () => {
  it('can be the label of a host', async (t) => {
    const { connector } = await provisioningFixture(t)
    for (const id of ['a', '1', 'line-2', 'x'.repeat(63)]) {
      assert.equal((await connector({ id })).id, id)
    }
    const others = ['', '-a', 'a-', 'A', 'a.b', 'a_b', 'é', '../a', 'a\0', 'x'.repeat(64), 5, null]
    for (const id of others) await refuses('invalid_argument', () => connector({ id }), 'id')
  })

  it('is given once, over all businesses', async (t) => {
    const { other, provisioning, connector } = await provisioningFixture(t)
    await connector({ id: 'mine' })
    await refuses('already_exists', () => connector({ id: 'mine' }))
    const theirs = { id: 'mine', name: 'n' }
    await refuses('already_exists', () => provisioning.connectors.create(other, theirs))
  })
})

describe('a business and its connectors', () => {
  it('has at most so many connectors', async (t) => {
    const { business, database, connector } = await provisioningFixture(t)
    await database.run(
      `insert into provisioning_connector (id, business_id, settings, created_at)
       select 'c' || n, $2, '{"identitiesMax": 1, "resources": []}', 1
       from generate_series(2, $1::int) n`,
      [limits.connectorsMax, business],
    )
    await connector()
    await refuses('invalid_argument', () => connector(), '1000 connectors')
  })
})

describe('finding a connector by the request’s host', () => {
  it('is synchronous once it was read, and sees a change of this process at once', async (t) => {
    const { business, provisioning, connector } = await provisioningFixture(t)
    const { id } = await connector()
    const { find, patch } = provisioning.connectors
    await find(id)
    assert.ok(!(find(id) instanceof Promise))
    await patch(business, id, { devmode: true })
    assert.equal((await find(id))?.devmode, true)
    assert.equal(await find('nobody'), undefined)
    assert.equal(await find(''), undefined)
  })

  it('sees a new connector after it was asked for in vain', async (t) => {
    const { provisioning, connector } = await provisioningFixture(t)
    assert.equal(await provisioning.connectors.find('soon'), undefined)
    await connector({ id: 'soon' })
    assert.equal((await provisioning.connectors.find('soon'))?.id, 'soon')
  })

  it('sees a change of another process after a few seconds', async (t) => {
    const { business, provisioning, connector, another, clock } = await provisioningFixture(t)
    const { id } = await connector()
    const other = another()
    await other.connectors.find(id)
    await provisioning.connectors.patch(business, id, { devmode: true })
    clock.us += provisioningLimits.connectorCacheMs * 1_000 - 1_000
    assert.equal((await other.connectors.find(id))?.devmode, false)
    clock.us += 1_000
    assert.equal((await other.connectors.find(id))?.devmode, true)
    assert.ok(provisioningLimits.connectorCacheMs * 1_000 <= 5 * us)
  })
})
