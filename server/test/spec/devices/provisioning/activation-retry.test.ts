import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setLimits } from '../../../fixtures/bounds.ts'
import { connectorFixture, overTls, refuses } from '../../../fixtures/provisioning.ts'

describe('a second activation, by a device whose token was lost on its way', () => {
  const elsewhere = { ...overTls, ip: '10.0.0.8' }

  it('is refused unless the operator allows it', async (t) => {
    const { whitelist, activate } = await connectorFixture(t)
    await whitelist('d')
    await activate('d')
    await refuses('already_activated', () => activate('d'))
  })

  it('gets another token once, from the same address, and the first one ends', async (t) => {
    setLimits(t, { activationRetryMinutes: 10 })
    const { whitelist, activate, authenticate, entries } = await connectorFixture(t)
    await whitelist('d')
    const lost = (await activate('d')).token
    await refuses('already_activated', () => activate('d', elsewhere))
    const tries = await Promise.allSettled([activate('d'), activate('d')])
    const won = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value.token] : []))
    assert.equal(won.length, 1)
    await refuses('unknown_credential', () => authenticate(lost))
    assert.equal((await authenticate(won[0] ?? '')).identity, 'd')
    await refuses('already_activated', () => activate('d'))
    const bodies = (await entries()).map(({ body }) => JSON.parse(body).again)
    assert.deepEqual(bodies, [undefined, true])
  })

  it('is refused from the first use of the token, and when its time is up', async (t) => {
    setLimits(t, { activationRetryMinutes: 10 })
    const { whitelist, activate, authenticate, clock } = await connectorFixture(t)
    for (const identity of ['used', 'early', 'late']) await whitelist(identity)
    const { token } = await activate('used')
    await authenticate(token)
    await refuses('already_activated', () => activate('used'))
    assert.equal((await authenticate(token)).identity, 'used')
    await activate('early')
    await activate('late')
    clock.us += 600_000_000 - 1
    assert.match((await activate('early')).token, /^[0-9a-f]{40}$/)
    clock.us += 1
    await refuses('already_activated', () => activate('late'))
  })

  it('of a use and a second activation at once one wins', async (t) => {
    setLimits(t, { activationRetryMinutes: 10 })
    const { whitelist, activate, authenticate } = await connectorFixture(t)
    for (let n = 0; n < 10; n += 1) {
      await whitelist(`d${n}`)
      const { token } = await activate(`d${n}`)
      const both = await Promise.allSettled([authenticate(token), activate(`d${n}`)])
      assert.equal(both.filter(({ status }) => status === 'fulfilled').length, 1)
    }
  })
})
