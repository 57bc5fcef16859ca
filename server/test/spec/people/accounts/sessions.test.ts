import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { generateSync } from 'otplib'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { accountLimits } from '../../../../src/people/accounts/index.ts'
import { setLimits } from '../../../fixtures/bounds.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { askJson } from '../../../fixtures/wire/ask.ts'

type Body = Readonly<Record<string, unknown>>

/** Calls a route as a browser with the console does. */
const send = (url: string, as: string, method = 'GET', body?: Body) => {
  const headers = { 'user-agent': 'Test browser', 'millrace-program': 'console' }
  return askJson(url, { as, method, body, headers })
}

describe('the API of second steps and sessions', () => {
  const context = suiteContext()
  let instance: TestPlatform
  let other: { readonly httpUrl: string }
  before(async () => {
    instance = await testPlatform(context)
    other = await instance.another()
  })

  const call = (path: string, as: string, method?: string, body?: Body) =>
    send(`${other.httpUrl}/api:1/${path}`, as, method, body)

  /** A new user with a session. */
  async function signedIn(email: string) {
    const user = { email, password: 'a long phrase' }
    const { json } = await call('users', instance.basic, 'POST', { ...user, role: 'Viewer' })
    const session = async (more: Body = {}) =>
      `token ${(await call('token', '', 'POST', { ...user, ...more })).json.token}`
    return { id: String(json.id), user, session, first: await session() }
  }

  it('signs in in two steps', async () => {
    const { id, user, first, session } = await signedIn('eve@example.com')
    const begun = await call('totp', first, 'POST', { password: user.password })
    assert.equal(begun.status, 201)
    const code = generateSync({ secret: begun.json.secret })
    const confirmed = await call('totp', first, 'PUT', { code })
    assert.equal(confirmed.json.recovery_codes.length, accountLimits.recoveryCodes)
    const asked = await call('token', '', 'POST', user)
    assert.deepEqual([asked.status, asked.json.code], [401, 'totp_required'])
    const second = await session({ code: confirmed.json.recovery_codes[0] })
    assert.equal((await call('whoami', second)).status, 200)
    const users = `users/${id}`
    assert.equal((await call(users, instance.basic)).json.totp, true)
    assert.equal((await call(`${users}/totp`, instance.basic, 'DELETE')).status, 204)
    assert.equal((await call('token', '', 'POST', user)).status, 200)
  })

  it('lists the sessions of a user, and ends one or all in every process', async () => {
    const { id, first, session } = await signedIn('ina@example.com')
    const second = await session()
    const { sessions } = (await call('sessions', first)).json
    const [newest, oldest] = sessions
    assert.deepEqual([sessions.length, newest.user_agent], [2, 'Test browser'])
    assert.match(newest.address, /127\.0\.0\.1|::1/)
    assert.ok(oldest.created_at <= newest.created_at && newest.created_at < newest.expires_at)
    assert.equal((await call(`sessions/${newest.id}`, first, 'DELETE')).status, 204)
    assert.equal((await call('whoami', second)).status, 401)
    const users = `users/${id}/sessions`
    assert.equal((await call(users, instance.basic)).json.sessions.length, 1)
    assert.equal((await call(`${users}/none`, instance.basic, 'DELETE')).status, 404)
    assert.equal((await call(`${users}/${oldest.id}`, instance.basic, 'DELETE')).status, 204)
    assert.equal((await call('whoami', first)).status, 401)
    const third = await session()
    assert.equal((await call('sessions', third, 'DELETE')).status, 204)
    assert.equal((await call('whoami', third)).status, 401)
  })

  it('and not those of a user who may do more', async () => {
    const { id, first } = await signedIn('lea@example.com')
    const clerk = { email: 'clerk@example.com', password: 'a long phrase' }
    const { accounts } = instance.platform
    const permissions = ['User Management']
    await accounts.createRole(instance.businessId, { name: 'Clerk', permissions })
    await accounts.createUser(instance.businessId, { ...clerk, role: 'Clerk' })
    const { token } = await accounts.signIn(clerk.email, clerk.password)
    const own = await call(`users/${id}/sessions`, `token ${token}`)
    assert.equal(own.status, 403)
    assert.equal((await call('whoami', first)).status, 200)
  })

  it('demands a second step of a business, and shows what an app needs', async () => {
    const { accounts } = instance.platform
    const user = { email: 'boss@example.com', password: 'a long phrase' }
    const { id } = await accounts.createBusiness({ name: 'Strict', administrator: user })
    const { token } = await accounts.createToken(id, { name: 'a', role: 'Administrator' })
    const wanted = { totp_demanded: true }
    const demanded = await call('business', `Automation ${token}`, 'PATCH', wanted)
    const { sign_in: signIn, ...business } = demanded.json
    assert.deepEqual(business, { id, name: 'Strict', totp_demanded: true })
    assert.equal(signIn.session_hours, limits.sessionHours)
    const refusal = await call('token', '', 'POST', user)
    assert.equal(refusal.json.code, 'totp_enrolment_required')
    const { json } = await call('token/totp', '', 'POST', user)
    const code = generateSync({ secret: json.secret })
    const begun = await call('token', '', 'POST', { ...user, code })
    assert.equal(begun.json.recovery_codes.length, accountLimits.recoveryCodes)
    assert.equal((await call('totp', `token ${begun.json.token}`)).json.demanded, true)
  })

  it('notes sign-ins, failures, sign-outs and changes of the second step', async () => {
    const { id, user, first } = await signedIn('ida@example.com')
    await call('token', '', 'POST', { ...user, password: 'a wrong one' })
    await call('totp', first, 'POST', { password: user.password })
    await call('totp', first, 'PUT', { code: '000000' })
    await call('token', first, 'DELETE')
    const wanted = [
      'beginTotp done',
      'confirmTotp unknown_credential',
      'signIn done',
      'signIn unknown_credential',
      'signOut done',
    ]
    for (let tries = 0; ; tries += 1) {
      const { entries } = (await call(`audit?subject=user:${id}`, instance.basic)).json
      assert.ok(tries < 10_000, JSON.stringify(entries))
      // The failure is noted beside the answer.
      if (entries.length < wanted.length) continue
      const shown = entries.map((one: Body) => `${one.action} ${one.outcome}`).sort()
      assert.deepEqual(shown, wanted)
      assert.ok(entries.every((one: Body) => one.source === 'console' && one.address !== ''))
      break
    }
  })
})

describe('the API of roles', () => {
  const context = suiteContext()

  it("sets the limits of a role's API tokens", async () => {
    const { httpUrl, basic } = await testPlatform(context)
    const call = (path: string, method?: string, body?: Body) =>
      send(`${httpUrl}/api:1/${path}`, basic, method, body)
    const path = 'roles/Operator/rate-limits'
    const set = await call(path, 'PUT', { requests: 7 })
    assert.deepEqual(set.json.rate_limits, { requests: 7, time: null })
    const { roles } = (await call('roles')).json
    const operator = roles.find(({ name }: Body) => name === 'Operator')
    assert.deepEqual(operator.rate_limits, { requests: 7, time: null })
    assert.equal((await call(path, 'PUT', { requests: 0 })).status, 400)
    assert.equal((await call('roles/None/rate-limits', 'PUT', {})).status, 404)
  })
})

describe('the requests of a person', () => {
  it('count together, of both APIs, of all sessions and with the password', async (t) => {
    setLimits(t, { personWindowRequests: 10 })
    const { httpUrl, account, basic, token } = await testPlatform(t)
    const path = `${httpUrl}/api:1`
    const session = async () =>
      `token ${(await send(`${path}/token`, '', 'POST', account)).json.token}`
    const holders = [await session(), await session(), basic]
    for (let at = 0; at < 10; at += 1) {
      const as = holders[at % holders.length] ?? ''
      const { status } =
        at % 2 === 0
          ? await send(`${path}/whoami`, as)
          : await send(`${httpUrl}/api/graphql`, as, 'POST', { query: '{ assetCount }' })
      assert.equal(status, 200)
    }
    const refused = await send(`${path}/whoami`, basic)
    assert.deepEqual([refused.status, refused.json.code], [429, 'rate_requests_exceeded'])
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    for (let at = 0; at < 10; at += 1) {
      assert.equal((await send(`${path}/whoami`, `Automation ${token}`)).status, 200)
    }
    const ofToken = await send(`${path}/whoami`, `Automation ${token}`)
    assert.deepEqual([ofToken.status, ofToken.json.code], [429, 'rate_requests_exceeded'])
    const graph = { query: '{ assetCount }' }
    const other = await send(`${httpUrl}/api/graphql`, `Automation ${token}`, 'POST', graph)
    assert.equal(other.status, 200)
  })
})
