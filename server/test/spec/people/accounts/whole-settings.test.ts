import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import type { Principal } from '../../../../src/people/accounts/index.ts'
import { accountsFixture, password, refused } from '../../../fixtures/accounts.ts'
import { startForgingProvider } from '../../../fixtures/peers/forging-provider.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

/** A business with an Administrator, and one who manages users alone. */
async function settingsFixture(context: ReturnType<typeof suiteContext>) {
  const fixture = await accountsFixture()
  const { accounts, business, email, makeEmail } = fixture
  const provider = await startForgingProvider(context, 'millrace')
  await accounts.createRole(business.id, { name: 'HR', permissions: ['User Management'] })
  await accounts.createUser(business.id, { email: makeEmail('hr'), password, role: 'HR' })
  const settings = {
    label: 'Acme',
    issuer: provider.issuer,
    clientId: 'millrace',
    domains: ['example.com'],
    createsRole: null,
  }
  const given = { ...settings, secret: 'of the client' }
  const ann = await accounts.basic(email, password)
  const hr = await accounts.basic(makeEmail('hr'), password)
  return { ...fixture, provider, settings, given, ann, hr }
}

describe('settings that act on all users of a business', () => {
  const context = suiteContext()
  let fixture: Awaited<ReturnType<typeof settingsFixture>>
  let hr: Principal
  let ann: Principal

  before(async () => {
    fixture = await settingsFixture(context)
    ;({ hr, ann } = fixture)
  })

  it('are for who has what any of them may have: the provider that says who signs in', async () => {
    const { accounts, given } = fixture
    await assert.rejects(accounts.setOidc(hr, given), refused('forbidden'))
    await assert.rejects(accounts.oidcSettings(ann), refused('not_found'))
    await accounts.setOidc(ann, given)
  })

  it('and the end of a demanded second step, which all of them may set up', async () => {
    const { accounts, business } = fixture
    await accounts.demandTotp(hr, true)
    await assert.rejects(accounts.demandTotp(hr, false), refused('forbidden'))
    assert.ok((await accounts.businessSettings(business.id)).totpDemanded)
    await accounts.demandTotp(ann, false)
    assert.ok(!(await accounts.businessSettings(business.id)).totpDemanded)
  })

  it('the secret for an issuer is not sent to another one', async () => {
    const { accounts, business, given, settings } = fixture
    const { id } = business
    await accounts.setOidc(id, given)
    await accounts.setOidc(id, { ...settings, label: 'Acme AG' })
    const elsewhere = { ...settings, issuer: 'https://login.example' }
    await assert.rejects(accounts.setOidc(id, elsewhere), refused('invalid_argument'))
    await accounts.setOidc(id, { ...elsewhere, secret: 'another' })
    await assert.rejects(accounts.setOidc(id, settings), refused('invalid_argument'))
  })
})

describe('starts of a sign-in', () => {
  const context = suiteContext()

  it('ask the provider for its endpoints once', async () => {
    const { accounts, business, given, provider } = await settingsFixture(context)
    await accounts.setOidc(business.id, given)
    for (let at = 0; at < 5; at += 1) await accounts.leaveForOidc(business.id)
    assert.deepEqual(provider.paths, ['/.well-known/openid-configuration'])
  })
})

describe('an e-mail address of somebody new', () => {
  it('is no display name, no IP literal, and no look-alike', async () => {
    const { accounts, business } = await accountsFixture()
    for (const wrong of [
      '<a@b.example>',
      'a@[127.0.0.1]',
      'adm\u0131n@a.example',
      '\uff41@a.example',
    ]) {
      const user = { email: wrong, password, role: 'Viewer' }
      await assert.rejects(accounts.createUser(business.id, user), refused('invalid_argument'))
      const invited = accounts.invite(business.id, { email: wrong, role: 'Viewer' })
      await assert.rejects(invited, refused('invalid_argument'), wrong)
    }
  })
})

describe('the ID token of a provider', () => {
  const context = suiteContext()
  let fixture: Awaited<ReturnType<typeof settingsFixture>>

  before(async () => {
    fixture = await settingsFixture(context)
    await fixture.accounts.setOidc(fixture.business.id, fixture.given)
  })

  it('counts with its signature alone', async () => {
    const { accounts, business, provider, email } = fixture
    for (const signing of ['none', 'broken'] as const) {
      const { url, browser } = await accounts.leaveForOidc(business.id)
      const back = accounts.returnFromOidc(provider.signIn(url, email, signing), browser)
      await assert.rejects(back, refused('oidc_failed'), signing)
    }
    const { url, browser } = await accounts.leaveForOidc(business.id)
    const code = await accounts.returnFromOidc(provider.signIn(url, email), browser)
    assert.equal((await accounts.takeOidcSession(code)).email, email)
  })
})
