import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, describe, it } from 'node:test'
import { findProvider, startProvider } from '../../../fixtures/peers/oidc-provider.ts'
import { testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { askJson } from '../../../fixtures/wire/ask.ts'

const Provider = await findProvider()
const skip = Provider === undefined ? 'npm run test:provider installs the provider' : false

const people = [
  { email: 'ann@acme.example', email_verified: true },
  { email: 'Invited@acme.example', email_verified: true },
  { email: 'new@acme.example', email_verified: true },
  { email: 'unverified@acme.example', email_verified: false },
  { email: 'else@other.example', email_verified: true },
  { email: 'foreign@acme.example', email_verified: true },
]

type Body = Readonly<Record<string, unknown>>

/** Two processes, a business with a provider, and its people. */
async function oidcFixture(context: ReturnType<typeof suiteContext>) {
  if (Provider === undefined) return assert.fail('the provider is not installed')
  const provider = await startProvider(context, Provider, people)
  const instance = await testPlatform(context)
  const other = await instance.another()
  const { accounts } = instance.platform
  const user = { email: 'ann@acme.example', password: 'a long phrase', role: 'Operator' }
  await accounts.createUser(instance.businessId, user)
  const { id } = await accounts.createBusiness({ name: 'Other' })
  await accounts.createUser(id, { ...user, email: 'foreign@acme.example' })

  const call = (path: string, method = 'GET', body?: Body, as = instance.basic) =>
    askJson(`${other.httpUrl}/api:1/${path}`, { method, body, as })

  const configure = (more: Body) =>
    call('business/oidc', 'PUT', {
      label: 'Acme',
      issuer: provider.issuer,
      client_id: provider.client_id,
      secret: provider.client_secret,
      domains: ['acme.example'],
      ...more,
    })

  /** Sends the browser off. */
  async function leave() {
    const { json } = await call(`oidc?business=${instance.businessId}`, 'GET', undefined, '')
    assert.equal(json.provider.label, 'Acme')
    const left = await fetch(`${instance.httpUrl}${json.provider.url}`, { redirect: 'manual' })
    assert.equal(left.status, 302)
    const set = left.headers.get('set-cookie') ?? ''
    assert.match(set, /HttpOnly; SameSite=Lax/)
    return { url: left.headers.get('location') ?? '', cookie: set.split(';')[0] ?? '' }
  }

  /** Comes back, to the other process, and returns what the address has behind `#`. */
  async function comeBack(url: string, cookie: string): Promise<string> {
    const there = url.replace('http://localhost:8080', other.httpUrl)
    const back = await fetch(there, { redirect: 'manual', headers: { cookie } })
    assert.equal(back.status, 302)
    return (back.headers.get('location') ?? '').replace('/#', '')
  }

  async function signIn(email: string): Promise<string> {
    const { url, cookie } = await leave()
    return comeBack(await provider.signIn(url, email), cookie)
  }

  /** The session of who has come back. */
  async function readSession(hash: string) {
    assert.match(hash, /^oidc=[0-9a-f]{40}$/)
    const code = hash.slice('oidc='.length)
    const taken = await call('token/oidc', 'POST', { code }, '')
    assert.equal(taken.status, 200)
    const again = await call('token/oidc', 'POST', { code }, '')
    assert.deepEqual([again.status, again.json.code], [401, 'unknown_credential'])
    return taken.json as { token: string; email: string }
  }

  assert.equal((await configure({})).status, 200)
  return { instance, provider, call, configure, leave, comeBack, signIn, readSession }
}

type Fixture = Awaited<ReturnType<typeof oidcFixture>>

describe('signing in at the OpenID Connect provider of a business', { skip }, () => {
  const context = suiteContext()
  let fixture: Fixture
  before(async () => {
    if (!skip) fixture = await oidcFixture(context)
  })

  it('goes with PKCE, state and nonce, and opens a session of an existing user', async () => {
    const { call, leave, signIn, readSession } = fixture
    const { url } = await leave()
    const asked = new URL(url).searchParams
    assert.equal(asked.get('response_type'), 'code')
    assert.equal(asked.get('code_challenge_method'), 'S256')
    for (const name of ['code_challenge', 'state', 'nonce']) assert.ok(asked.get(name), name)
    const { token, email } = await readSession(await signIn('ann@acme.example'))
    assert.equal(email, 'ann@acme.example')
    const who = await call('whoami', 'GET', undefined, `token ${token}`)
    assert.ok(who.json.permissions.includes('Asset Management'))
    const { json } = await call('sessions', 'GET', undefined, `token ${token}`)
    assert.equal(json.sessions[0].method, 'oidc')
  })

  it('makes the user of an invitation, with its role, once the address is verified', async () => {
    const { instance, call, signIn, readSession } = fixture
    const { accounts } = instance.platform
    const invitation = { email: 'invited@acme.example', role: 'Viewer' }
    await accounts.invite(instance.businessId, invitation)
    const { token } = await readSession(await signIn('Invited@acme.example'))
    const who = await call('whoami', 'GET', undefined, `token ${token}`)
    assert.deepEqual(who.json.permissions.sort(), ['View Asset', 'View Asset Data'])
    assert.deepEqual(await accounts.listInvitations(instance.businessId), [])
  })

  it('makes a new user only where the business says with which role', async () => {
    const { call, configure, signIn, readSession } = fixture
    assert.equal(await signIn('new@acme.example'), 'oidc-error=forbidden')
    const set = await configure({ creates_role: 'Viewer', secret: undefined })
    assert.equal(set.json.creates_role, 'Viewer')
    const { token } = await readSession(await signIn('new@acme.example'))
    const who = await call('whoami', 'GET', undefined, `token ${token}`)
    assert.deepEqual(who.json.permissions.sort(), ['View Asset', 'View Asset Data'])
    assert.equal((await configure({ creates_role: 'None' })).status, 400)
  })
})

describe('a sign-in at a provider', { skip }, () => {
  const context = suiteContext()
  let fixture: Fixture
  before(async () => {
    if (!skip) fixture = await oidcFixture(context)
  })

  it('refuses addresses that are not verified, of other domains or businesses', async () => {
    const { signIn } = fixture
    for (const email of ['unverified@acme.example', 'else@other.example', 'foreign@acme.example']) {
      assert.equal(await signIn(email), 'oidc-error=forbidden', email)
    }
  })

  it('refuses to come back in another browser, again, or with what was changed', async () => {
    const { provider, leave, comeBack, readSession } = fixture
    const { url, cookie } = await leave()
    const back = await provider.signIn(url, 'ann@acme.example')
    const otherBrowser = `millrace-oidc=${'0'.repeat(40)}`
    assert.equal(await comeBack(back, otherBrowser), 'oidc-error=not_found')
    assert.equal(await comeBack(back, ''), 'oidc-error=not_found')
    const forged = back.replace(/state=[0-9a-f]+/, `state=${'0'.repeat(40)}`)
    assert.equal(await comeBack(forged, cookie), 'oidc-error=not_found')
    const stolen = back.replace(/code=[^&]+/, 'code=another')
    assert.equal(await comeBack(stolen, cookie), 'oidc-error=oidc_failed')
    await readSession(await comeBack(back, cookie))
    assert.equal(await comeBack(back, cookie), 'oidc-error=not_found')
  })

  it('keeps the secret sealed, shows it to nobody, and is removed', async () => {
    const { instance, provider, call, configure } = fixture
    const { database } = instance.platform
    const rows = JSON.stringify(await database.rows('select * from accounts_oidc'))
    assert.ok(!rows.includes(provider.client_secret))
    const shown = await call('business/oidc')
    assert.ok(!JSON.stringify(shown.json).includes(provider.client_secret))
    assert.equal(shown.json.redirect_uri, 'http://localhost:8080/api:1/oidc/callback')
    for (const wrong of [{ issuer: 'http://login.example' }, { domains: [] }, { domains: ['x'] }]) {
      assert.equal((await configure(wrong)).status, 400, JSON.stringify(wrong))
    }
    assert.equal((await call('business/oidc', 'DELETE')).status, 204)
    assert.equal((await call('business/oidc')).status, 404)
    const none = await fetch(`${instance.httpUrl}/api:1/oidc/${instance.businessId}/start`, {
      redirect: 'manual',
    })
    assert.equal(none.headers.get('location'), '/#oidc-error=not_found')
  })
})

describe('a provider at a private address', () => {
  const context = suiteContext()
  it('receives no request, unless the operator allows it', async () => {
    const instance = await testPlatform(context, {
      own: 'allows no private address',
      config: { outboundAllow: [] },
    })
    let requests = 0
    const server = createServer((_, response) => {
      requests += 1
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await instance.platform.accounts.setOidc(instance.businessId, {
      label: 'Inside',
      issuer: `http://127.0.0.1:${port}`,
      clientId: 'x',
      secret: 'y',
      domains: ['acme.example'],
      createsRole: null,
    })
    const url = `${instance.httpUrl}/api:1/oidc/${instance.businessId}/start`
    const left = await fetch(url, { redirect: 'manual' })
    server.close()
    assert.match(
      left.headers.get('location') ?? '',
      /^\/#oidc-error=(oidc_failed|address_refused)$/,
    )
    assert.equal(requests, 0)
  })
})
