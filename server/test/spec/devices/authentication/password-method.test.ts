import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { provisioningLimits } from '../../../../src/devices/provisioning/index.ts'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { connectorFixture, overPlain, overTls, refuses } from '../../../fixtures/provisioning.ts'

const encrypted = { encrypted: true, ip: '10.0.0.7' }
const secret = 'twenty bytes at least'

async function open(t: TestContext, input = {}) {
  const fixture = await connectorFixture(t, { authType: 'password', ...input })
  const { connector, provisioning } = fixture
  return {
    ...fixture,
    activate: (identity: string, password = secret, origin = overTls) =>
      provisioning.activate(connector, identity, origin, { password }),
    basic: (identity: string, password = secret, connection = encrypted) =>
      provisioning.authenticateBasic(connector.id, `${identity}:${password}`, connection),
  }
}

describe('the password method', () => {
  it('provisions within the window, then authenticates the device by its password', async (t) => {
    const { whitelist, activate, basic, get, entries, connector } = await open(t)
    await whitelist('d')
    await activate('d')
    const device = await basic('d')
    assert.deepEqual(device.connector, connector)
    assert.equal(device.identity, 'd')
    const { status, auth } = await get('d')
    assert.deepEqual({ status, auth }, { status: 'provisioned', auth: { type: 'password' } })
    const log = (await entries()).map(({ kind, identity }) => `${kind} ${identity}`)
    assert.deepEqual(log, ['provisioned d'])
  })

  it('stores an argon2id hash of the password, and nothing else of it', async (t) => {
    const { whitelist, activate, database, connector } = await open(t)
    await whitelist('d')
    await activate('d')
    const text = 'select * from provisioning_identity where connector_id = $1'
    const rows = JSON.stringify(await database.rows(text, [connector.id]))
    assert.match(rows, /\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.ok(!rows.includes(secret))
  })

  it('is refused on a plain connection without developer mode', async (t) => {
    const { whitelist, activate, basic } = await open(t)
    await whitelist('d')
    const plain = { encrypted: false, ip: '10.0.0.7' }
    await refuses('plain_connection', () => activate('d', secret, overPlain))
    await activate('d')
    await refuses('plain_connection', () => basic('d', secret, plain))
  })

  it('marks the device whose password crossed a plain connection', async (t) => {
    const { whitelist, activate, basic, get, provisioning } = await open(t, { devmode: true })
    await whitelist('d')
    await activate('d')
    assert.equal((await get('d')).status, 'provisioned')
    await basic('d', secret, { encrypted: false, ip: '10.0.0.7' })
    await provisioning.flush()
    assert.equal((await get('d')).status, 'devmode')
  })

  it('provisions an unregistered device if the connector lets devices register', async (t) => {
    const { activate, basic } = await open(t, { selfRegistration: true })
    await activate('unknown')
    assert.equal((await basic('unknown')).identity, 'unknown')
    await refuses('already_activated', () => activate('unknown'))
  })
})

describe('an activation with a password', () => {
  it('takes 20 bytes and refuses 19, counted as UTF-8', async (t) => {
    const { whitelist, activate, basic } = await open(t)
    for (const name of ['a', 'b', 'c']) await whitelist(name)
    await refuses('wrong_method', () => activate('a', 'x'.repeat(19)), 'at least 20 bytes')
    await activate('a', 'x'.repeat(20))
    await refuses('wrong_method', () => activate('b', `${'é'.repeat(9)}x`), 'it has 19')
    await activate('b', 'é'.repeat(10))
    assert.equal((await basic('b', 'é'.repeat(10))).identity, 'b')
  })

  it('takes the longest password that it may, and refuses one byte more', async (t) => {
    const { whitelist, activate, basic } = await open(t)
    await whitelist('d')
    const most = 'x'.repeat(limits.devicePasswordBytesMax)
    await refuses('too_large', () => activate('d', `${most}x`), 'at most 512 bytes')
    await activate('d', most)
    assert.equal((await basic('d', most)).identity, 'd')
  })

  it('succeeds at 47:59:59.999999, and at 48:00:00.000000 it is refused', async (t) => {
    const { whitelist, activate, clock } = await open(t)
    await whitelist('early')
    await whitelist('late')
    clock.us += limits.activationWindowHours * 3_600_000_000 - 1
    await activate('early')
    clock.us += 1
    await refuses('window_closed', () => activate('late'))
  })

  it('succeeds once: of fifty at once one wins, and its password is the one', async (t) => {
    const { whitelist, activate, basic, entries } = await open(t)
    await whitelist('d')
    const words = Array.from({ length: 50 }, (_, at) => `password of device ${at}.`)
    const results = await Promise.allSettled(words.map((word) => activate('d', word)))
    const won = results.flatMap(({ status }, at) => (status === 'fulfilled' ? [at] : []))
    assert.equal(won.length, 1)
    for (const result of results) {
      if (result.status === 'rejected') assert.equal(result.reason.code, 'already_activated')
    }
    assert.equal((await basic('d', words[won[0] ?? 0])).identity, 'd')
    assert.equal((await entries()).length, 1)
  })
})

describe('a request with a password', () => {
  it('refuses a wrong password, another identity and another connector alike', async (t) => {
    const { business, whitelist, activate, basic, provisioning, connector } = await open(t)
    await whitelist('d')
    await whitelist('never activated')
    await activate('d')
    const other = await provisioning.connectors.create(business, {
      name: 'x',
      authType: 'password',
    })
    const on = (id: string) => provisioning.authenticateBasic(id, `d:${secret}`, encrypted)
    await refuses('unknown_credential', () => basic('d', `${secret}!`))
    await refuses('unknown_credential', () => basic('e'))
    await refuses('unknown_credential', () => basic('never activated'))
    await refuses('unknown_credential', () => on(other.id))
    await refuses('unknown_credential', () => on('nobody'))
    await refuses('unknown_credential', () => on(''), 'host')
    for (const text of ['', ':', 'd', 'd:', `:${secret}`, `\0:${secret}`, ':'.repeat(9_000)]) {
      const odd = () => provisioning.authenticateBasic(connector.id, text, encrypted)
      await refuses('unknown_credential', odd)
    }
  })

  it('finds an identity with colons in it, and a password with colons', async (t) => {
    const { whitelist, activate, basic } = await open(t)
    for (const name of ['00:1b:44:11:3a:b7', 'urn:device', 'urn']) await whitelist(name)
    const word = 'with:colons:in:the:password'
    await activate('00:1b:44:11:3a:b7', word)
    await activate('urn:device', word)
    await activate('urn', `${word}.`)
    assert.equal((await basic('00:1b:44:11:3a:b7', word)).identity, '00:1b:44:11:3a:b7')
    assert.equal((await basic('00:1b:44:11:3a:b7', word)).identity, '00:1b:44:11:3a:b7')
    assert.equal((await basic('urn:device', word)).identity, 'urn:device')
    assert.equal((await basic('urn', `${word}.`)).identity, 'urn')
  })

  it('runs argon2 again after a while, and once for many that come together', async (t) => {
    const { whitelist, activate, basic, clock, another, connector } = await open(t)
    await whitelist('d')
    await activate('d')
    const other = another()
    const together = Array.from({ length: limits.passwordChecksWaitingMax * 3 }, () =>
      other.authenticateBasic(connector.id, `d:${secret}`, encrypted),
    )
    assert.equal((await Promise.all(together)).length, limits.passwordChecksWaitingMax * 3)
    await basic('d')
    clock.us += limits.passwordCacheMs * 1_000
    assert.equal((await basic('d')).identity, 'd')
  })

  it('answers 503 where one address guesses too often, and lets the device go on', async (t) => {
    const { whitelist, activate, basic } = await open(t)
    await whitelist('d')
    await activate('d')
    const guess = { encrypted: true, ip: '10.6.6.6' }
    for (let at = 0; at < provisioningLimits.failedDevicePasswordsPerMinuteMax; at += 1) {
      await refuses('unknown_credential', () => basic('d', `guess number ${at} of many`, guess))
    }
    await refuses('overloaded', () => basic('d', 'guess number 21 of many', guess))
    assert.equal((await basic('d')).identity, 'd')
  })
})

describe('a password after a change of its device', () => {
  it('of a locked device is refused at once, and good again when unlocked', async (t) => {
    const { whitelist, activate, basic } = await open(t)
    await whitelist('d')
    await activate('d')
    await basic('d')
    await whitelist('d', { locked: true })
    await refuses('locked', () => basic('d'))
    await refuses('unknown_credential', () => basic('d', `${secret}!`))
    await whitelist('d', { locked: false })
    await basic('d')
  })

  it('is unknown once the device must activate again, and the new one is good', async (t) => {
    const { whitelist, activate, basic } = await open(t)
    await whitelist('d')
    await activate('d')
    await basic('d')
    await whitelist('d', { reprovision: true })
    await refuses('unknown_credential', () => basic('d'))
    await activate('d', `new ${secret}`)
    await refuses('unknown_credential', () => basic('d'))
    assert.equal((await basic('d', `new ${secret}`)).identity, 'd')
  })

  it('is good at once in another process that knew the one before', async (t) => {
    const { whitelist, activate, another, connector } = await open(t)
    const other = another()
    const basic = (word: string) => other.authenticateBasic(connector.id, `d:${word}`, encrypted)
    await whitelist('d')
    await activate('d')
    await basic(secret)
    await whitelist('d', { reprovision: true })
    await activate('d', `new ${secret}`)
    assert.equal((await basic(`new ${secret}`)).identity, 'd')
    await refuses('unknown_credential', () => basic(secret))
  })

  it('is gone with a device that was removed', async (t) => {
    const { business, whitelist, activate, basic, provisioning, connector } = await open(t)
    await whitelist('d')
    await activate('d')
    await basic('d')
    await provisioning.identities.remove(business, connector.id, 'd')
    await refuses('unknown_credential', () => basic('d'))
  })
})

describe('a connector of which the method is changed', () => {
  it('leaves provisioned devices as they are: they keep their earlier type', async (t) => {
    const { business, provisioning, connector, whitelist, activate, basic, get } = await open(t)
    const patch = (authType: string) =>
      provisioning.connectors.patch(business, connector.id, { authType })
    await whitelist('by password')
    await whitelist('by token')
    await activate('by password')
    const changed = await patch('token')
    const { token } = await provisioning.activate(changed, 'by token', overTls)
    assert.equal((await basic('by password')).identity, 'by password')
    assert.equal((await get('by password')).auth.type, 'password')
    await patch('password')
    assert.equal((await provisioning.authenticateToken(token, encrypted)).identity, 'by token')
    assert.equal((await get('by token')).auth.type, 'token')
  })

  it('refuses an activation of the other method in both directions', async (t) => {
    const { provisioning, connector, whitelist } = await open(t)
    await whitelist('d')
    const token = { ...connector, authType: 'token' } as const
    await refuses('wrong_method', () => provisioning.activate(connector, 'd', overTls), 'password')
    await refuses(
      'wrong_method',
      () => provisioning.activate(token, 'd', overTls, { password: secret }),
      'tokens',
    )
  })
})
