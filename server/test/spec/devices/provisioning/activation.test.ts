import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { provisioningLimits } from '../../../../src/devices/provisioning/index.ts'
import { hashToken, limits } from '../../../../src/foundation/kernel/index.ts'
import { until } from '../../../fixtures/engine.ts'
import { connectorFixture, overPlain, overTls, refuses } from '../../../fixtures/provisioning.ts'

const hourUs = 3_600_000_000
const encrypted = { encrypted: true }
const renaming = { own: 'renames a table' }

describe('activation, token method', () => {
  it('provisions within the window: a token of 40 characters, stored as a hash', async (t) => {
    const { business, database, provisioning, ...fixture } = await connectorFixture(t)
    await fixture.whitelist('d')
    const { token } = await fixture.activate('d')
    assert.match(token, /^[0-9a-f]{40}$/)
    const device = await fixture.authenticate(token)
    const credentialHash = hashToken(token)
    assert.deepEqual(device, { connector: fixture.connector, identity: 'd', credentialHash })
    const text = 'select * from provisioning_identity where connector_id = $1'
    const stored = await database.rows<object>(text, [fixture.connector.id])
    assert.ok(JSON.stringify(stored).includes(hashToken(token)))
    assert.ok(!JSON.stringify(stored).includes(token))
    await provisioning.flush()
    const record = await fixture.get('d')
    assert.equal(record.status, 'provisioned')
    assert.equal(record.lastip, '10.0.0.7')
    assert.equal(record.lastseen, fixture.clock.us)
    assert.equal(record.online, true)
    assert.deepEqual(record.auth, { type: 'token' })
    const [entry, ...others] = await fixture.entries()
    assert.deepEqual(others, [])
    assert.deepEqual(
      { ...entry, body: JSON.parse(entry?.body ?? '') },
      {
        businessId: business,
        identity: 'd',
        kind: 'provisioned',
        body: { ip: '10.0.0.7', protocol: 'https' },
      },
    )
  })

  it('succeeds at 47:59:59.999999, and at 48:00:00.000000 it is refused', async (t) => {
    const { clock, whitelist, activate, get } = await connectorFixture(t)
    await whitelist('early')
    await whitelist('late')
    clock.us += 48 * hourUs - 1
    await activate('early')
    assert.equal((await get('late')).status, 'whitelisted')
    clock.us += 1
    await refuses('window_closed', () => activate('late'))
    assert.equal((await get('late')).status, 'expired')
    await whitelist('late')
    await activate('late')
  })

  it('succeeds once, and never again', async (t) => {
    const { whitelist, activate, authenticate, entries } = await connectorFixture(t)
    await whitelist('d')
    const { token } = await activate('d')
    await refuses('already_activated', () => activate('d'))
    await authenticate(token)
    assert.equal((await entries()).length, 1)
  })

  it('of fifty at once exactly one wins', async (t) => {
    for (const selfRegistration of [false, true]) {
      const { whitelist, activate, authenticate, entries } = await connectorFixture(t, {
        selfRegistration,
      })
      if (!selfRegistration) await whitelist('d')
      const tries = Array.from({ length: 50 }, () => activate('d'))
      const results = await Promise.allSettled(tries)
      const won = results.filter((result) => result.status === 'fulfilled')
      assert.equal(won.length, 1)
      for (const result of results) {
        if (result.status === 'rejected') assert.equal(result.reason.code, 'already_activated')
      }
      assert.equal((await authenticate(won[0]?.value.token ?? '')).identity, 'd')
      assert.equal((await entries()).length, 1)
    }
  })

  it('is refused for an identity that nobody whitelisted', async (t) => {
    const { activate, entries } = await connectorFixture(t)
    await refuses('unknown_identity', () => activate('d'))
    await refuses('unknown_identity', () => activate('x'.repeat(limits.identityCharsMax)))
    assert.deepEqual(await entries(), [])
  })

  it('is refused for what can be no identity', async (t) => {
    const { activate } = await connectorFixture(t, { selfRegistration: true })
    for (const identity of ['', 'a\0', 'a\r\n', 'x'.repeat(10_000), '\ud800']) {
      await refuses('invalid_argument', () => activate(identity), 'identity')
    }
  })

  it('is refused while locked, even within the window', async (t) => {
    const { whitelist, activate } = await connectorFixture(t)
    await whitelist('d', { locked: true })
    await refuses('locked', () => activate('d'))
    await whitelist('d', { locked: false })
    await activate('d')
  })

  it('is refused where the connector expects another method, or none now', async (t) => {
    const { whitelist, activate, connector } = await connectorFixture(t)
    await whitelist('d')
    for (const authType of ['certificate', 'password'] as const) {
      await refuses('wrong_method', () => activate('d', overTls, { ...connector, authType }))
    }
    await refuses('forbidden', () => activate('d', overTls, { ...connector, enabled: false }))
    await activate('d')
  })

  it('stores nothing where the log cannot be written', async (t) => {
    const { database, whitelist, activate, get } = await connectorFixture(t, {}, renaming)
    await whitelist('d')
    await database.run('alter table eventlog_entry rename to gone')
    await assert.rejects(activate('d'))
    await database.run('alter table gone rename to eventlog_entry')
    assert.equal((await get('d')).status, 'whitelisted')
    await activate('d')
  })
})

describe('a connector with self-registration', () => {
  it('provisions a device with the identity that it presents', async (t) => {
    const { activate, authenticate } = await connectorFixture(t, {
      selfRegistration: true,
      identityFormat: { type: 'mac_plain' },
    })
    const { token } = await activate('001b44113ab7')
    assert.equal((await authenticate(token)).identity, '001b44113ab7')
    await refuses('already_activated', () => activate('001b44113ab7'))
    await refuses('invalid_argument', () => activate('hello'), 'MAC')
  })

  it('opens no window that an operator has closed', async (t) => {
    const { clock, whitelist, activate } = await connectorFixture(t, { selfRegistration: true })
    await whitelist('d')
    await whitelist('l', { locked: true })
    clock.us += 48 * hourUs
    await refuses('window_closed', () => activate('d'))
    await refuses('locked', () => activate('l'))
  })

  it('takes whom the operator let in before the format changed', async (t) => {
    const { business, provisioning, whitelist, activate } = await connectorFixture(t, {
      selfRegistration: true,
    })
    await whitelist('old style')
    const [{ id } = { id: '' }] = await provisioning.connectors.list(business)
    const identityFormat = { type: 'uuid' }
    const connector = await provisioning.connectors.patch(business, id, { identityFormat })
    await activate('old style', overTls, connector)
  })
})

describe('an order to activate again', () => {
  it('makes the old credential unknown, and one activation possible', async (t) => {
    const { clock, whitelist, activate, authenticate, get, entries } = await connectorFixture(t)
    await whitelist('d')
    const { token: first } = await activate('d')
    await authenticate(first)
    clock.us += 1_000 * hourUs
    const ordered = await whitelist('d', { reprovision: true })
    assert.equal(ordered.status, 'reprovision')
    assert.equal(ordered.auth.expire, clock.us + 48 * hourUs)
    await refuses('unknown_credential', () => authenticate(first))
    const { token: second } = await activate('d')
    await refuses('unknown_credential', () => authenticate(first))
    assert.equal((await authenticate(second)).identity, 'd')
    assert.equal((await get('d')).reprovision, false)
    await refuses('already_activated', () => activate('d'))
    assert.equal((await entries()).length, 2)
  })

  it('has a window, and can be withdrawn', async (t) => {
    const { clock, whitelist, activate, authenticate, get } = await connectorFixture(t)
    await whitelist('d')
    const { token } = await activate('d')
    await whitelist('d', { reprovision: true })
    clock.us += 48 * hourUs
    assert.equal((await get('d')).status, 'expired')
    await refuses('window_closed', () => activate('d'))
    assert.equal((await whitelist('d', { reprovision: false })).status, 'provisioned')
    await authenticate(token)
  })

  it('returns nothing of a device that never was provisioned', async (t) => {
    const { whitelist } = await connectorFixture(t)
    const record = await whitelist('d', { reprovision: true })
    assert.equal(record.reprovision, false)
    assert.equal(record.status, 'whitelisted')
  })
})

describe('a plain connection', () => {
  it('is refused by a connector without developer mode', async (t) => {
    const { provisioning, whitelist, activate, get } = await connectorFixture(t)
    await whitelist('d')
    await refuses('plain_connection', () => activate('d', overPlain))
    const { token } = await activate('d')
    const plain = { encrypted: false }
    await refuses('plain_connection', async () => provisioning.authenticateToken(token, plain))
    assert.equal((await get('d')).devmode, false)
  })

  it('marks the credential that crossed it, until the next one', async (t) => {
    const { provisioning, whitelist, activate, get } = await connectorFixture(t, { devmode: true })
    await whitelist('a')
    await whitelist('b')
    await activate('a', overPlain)
    assert.equal((await get('a')).status, 'devmode')
    const { token } = await activate('b')
    assert.equal((await get('b')).status, 'provisioned')
    await provisioning.authenticateToken(token, { encrypted: false })
    await provisioning.authenticateToken(token, encrypted)
    await provisioning.flush()
    assert.equal((await get('b')).status, 'devmode')
    assert.equal((await get('b')).devmode, true)
    await whitelist('b', { reprovision: true })
    await activate('b')
    await provisioning.flush()
    assert.equal((await get('b')).devmode, false)
  })
})

describe('the credential of a device', () => {
  it('is looked up in memory once it was found', async (t) => {
    const { provisioning, whitelist, activate } = await connectorFixture(t)
    await whitelist('d')
    const { token } = await activate('d')
    assert.ok(provisioning.authenticateToken(token, encrypted) instanceof Promise)
    await provisioning.authenticateToken(token, encrypted)
    const device = provisioning.authenticateToken(token, encrypted)
    assert.ok(!(device instanceof Promise))
    assert.equal(device.identity, 'd')
  })

  it('is unknown where nobody issued it', async (t) => {
    const { authenticate } = await connectorFixture(t)
    const others = ['', 'a', '0'.repeat(40), '0'.repeat(41), '\0'.repeat(40), 'é'.repeat(40)]
    for (const token of [...others, 'x'.repeat(1_048_576)]) {
      await refuses('unknown_credential', () => authenticate(token))
    }
  })

  it('of a locked device is refused at once, and good again when unlocked', async (t) => {
    const { whitelist, activate, authenticate } = await connectorFixture(t)
    await whitelist('d')
    const { token } = await activate('d')
    await authenticate(token)
    await whitelist('d', { locked: true })
    await refuses('locked', () => authenticate(token))
    await whitelist('d', { locked: false })
    await authenticate(token)
  })

  it('of a device that another process locked or removed lives a cache time', async (t) => {
    const { business, provisioning, connector, another, clock, ...fixture } =
      await connectorFixture(t)
    await fixture.whitelist('d')
    await fixture.whitelist('e')
    const { token } = await fixture.activate('d')
    const removed = (await fixture.activate('e')).token
    const other = another()
    await other.authenticateToken(token, encrypted)
    await other.authenticateToken(removed, encrypted)
    await fixture.whitelist('d', { locked: true })
    await provisioning.identities.remove(business, connector.id, 'e')
    clock.us += provisioningLimits.credentialCacheMs * 1_000 - 1_000
    await other.authenticateToken(token, encrypted)
    clock.us += 1_000
    await refuses('locked', async () => other.authenticateToken(token, encrypted))
    await refuses('unknown_credential', async () => other.authenticateToken(removed, encrypted))
  })

  it('is cached for longer by a process that reads what others revoke', async (t) => {
    const { business, connector, another, clock, provisioning, ...fixture } =
      await connectorFixture(t)
    for (const identity of ['d', 'e', 'f']) await fixture.whitelist(identity)
    const other = another()
    const early = (await fixture.activate('f')).token
    await other.authenticateToken(early, encrypted)
    await other.revocations.startPolling()
    const tokens = [(await fixture.activate('d')).token, (await fixture.activate('e')).token]
    for (const token of tokens) await other.authenticateToken(token, encrypted)
    const isCached = (token: string) =>
      !(other.authenticateToken(token, encrypted) instanceof Promise)
    clock.us += (provisioningLimits.credentialCachePublishedMs - 1_000) * 1_000
    assert.ok(!isCached(early), 'what changed before it was read from then on is not known')
    await until(async () => tokens.every(isCached))
    await fixture.whitelist('d', { locked: true })
    await provisioning.identities.remove(business, connector.id, 'e')
    for (const [at, code] of (['locked', 'unknown_credential'] as const).entries()) {
      const authenticate = async () => other.authenticateToken(tokens[at] ?? '', encrypted)
      await until(() =>
        authenticate().then(
          () => false,
          () => true,
        ),
      )
      await refuses(code, authenticate)
    }
  })

  it('is good with the settings of its connector as they are now', async (t) => {
    const { business, provisioning, connector, whitelist, activate, authenticate } =
      await connectorFixture(t)
    await whitelist('d')
    const { token } = await activate('d')
    await authenticate(token)
    const resources = { a: { format: 'string' } }
    await provisioning.connectors.patch(business, connector.id, { resources, enabled: false })
    const device = await authenticate(token)
    assert.deepEqual([...device.connector.resources.keys()], ['a'])
  })
})

describe('who was seen', () => {
  it('is written down in batches, the newest of each', async (t) => {
    const { provisioning, connector, clock, whitelist, get } = await connectorFixture(t)
    const many = provisioningLimits.presenceBatchMax + 5
    await whitelist('d')
    for (let at = 0; at < many; at += 1) {
      provisioning.noteSeen({ connector, identity: `unknown ${at}` }, '10.0.0.1')
    }
    provisioning.noteSeen({ connector, identity: 'd' }, '10.0.0.1')
    clock.us += 5
    provisioning.noteSeen({ connector, identity: 'd' }, '10.0.0.2')
    const seen = clock.us
    await provisioning.flush()
    assert.equal((await get('d')).lastip, '10.0.0.2')
    assert.equal((await get('d')).lastseen, seen)
    clock.us = seen + provisioningLimits.deviceOnlineMs * 1_000 - 1
    assert.equal((await get('d')).online, true)
    clock.us += 1
    assert.equal((await get('d')).online, false)
  })

  it('also by its credential, if the server passes the address', async (t) => {
    const { provisioning, clock, whitelist, activate, get } = await connectorFixture(t)
    await whitelist('d')
    const { token } = await activate('d')
    clock.us += 5
    await provisioning.authenticateToken(token, { encrypted: true, ip: '::1' })
    await provisioning.flush()
    const { lastip, lastseen } = await get('d')
    assert.deepEqual({ lastip, lastseen }, { lastip: '::1', lastseen: clock.us })
  })

  it('waits where the database does not take it, and is written later', async (t) => {
    const { database, provisioning, connector, whitelist, get } = await connectorFixture(
      t,
      {},
      renaming,
    )
    await whitelist('d')
    await database.run('alter table provisioning_presence rename to gone')
    provisioning.noteSeen({ connector, identity: 'd' }, '10.0.0.1')
    await provisioning.flush()
    await database.run('alter table gone rename to provisioning_presence')
    await provisioning.flush()
    assert.equal((await get('d')).lastip, '10.0.0.1')
  })
})
