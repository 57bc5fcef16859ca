import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { limits } from '../../../src/kernel/index.ts'
import { handClock } from '../../fixtures/assets.ts'
import {
  assertOk,
  assertRefused,
  basicOf,
  managementFixture,
} from '../../fixtures/wire/management.ts'

const connectors = '/api:1/connectors'

test('the account holder authenticates with HTTP Basic, user is the e-mail address', async (t) => {
  const { ask, addAnn } = await managementFixture(t)
  const ann = await addAnn()
  assertOk(await ask('GET', connectors, { as: basicOf(ann) }))
  const wrong = await ask('GET', connectors, { as: basicOf({ ...ann, password: 'wrong horse' }) })
  assertRefused(wrong, 'unknown_credential')
  assert.equal(wrong.headers['www-authenticate'], 'Basic realm="Millrace"')
})

test('a token from /api:1/token/ serves in place of Basic until it is deleted', async (t) => {
  const { ask, addAnn } = await managementFixture(t)
  const ann = await addAnn()
  const signedIn = await ask('POST', '/api:1/token/', { body: ann, as: null })
  assertOk(signedIn)
  const { token, ...rest } = signedIn.json()
  assert.match(token, /^[0-9a-f]{40}$/)
  assert.deepEqual(rest, {})
  assert.equal(signedIn.headers['cache-control'], 'no-store')
  const as = `token ${token}`
  assertOk(await ask('GET', connectors, { as }))
  assertOk(await ask('DELETE', '/api:1/token/', { as }), 204)
  assertRefused(await ask('GET', connectors, { as }), 'unknown_credential')
  assertRefused(await ask('DELETE', '/api:1/token/', { as: basicOf(ann) }), 'invalid_argument')
})

test('a version whose colon is escaped is the same version', async (t) => {
  const { ask, addAnn } = await managementFixture(t)
  const ann = await addAnn()
  for (const url of ['/api%3A1/connectors', '/api%3a1/connectors/', '/api:1/connectors?']) {
    assertOk(await ask('GET', url))
  }
  assertOk(await ask('POST', '/api%3A1/token', { body: ann, as: null }))
})

test('a sign-in returns 401 for a wrong pair and 400 for what is no pair', async (t) => {
  const { ask, addAnn, emailOf } = await managementFixture(t)
  const ann = await addAnn()
  const sign = (body: unknown) => ask('POST', '/api:1/token/', { body, as: null })
  const email = ann.email
  const wrong = [
    { ...ann, password: 'wrong horse' },
    { ...ann, email: emailOf('bob') },
    { ...ann, email: '' },
    { ...ann, email: '../../etc/passwd' },
    { ...ann, email: `${email}\0` },
    { ...ann, email: 'x'.repeat(5_000) },
    { ...ann, password: '' },
    { ...ann, password: '\0' },
    { ...ann, password: '\ud800' },
    { ...ann, password: 'p'.repeat(5_000) },
  ]
  for (const body of wrong) assertRefused(await sign(body), 'unknown_credential')
  const invalid = [
    { email },
    { password: ann.password },
    { email: null, password: '' },
    { email: [email], password: ann.password },
    { email, password: 12 },
    { email, password: { $ne: '' } },
    { ...ann, role: 'Administrator' },
  ]
  for (const body of invalid) assertRefused(await sign(body), 'invalid_argument')
})

test('what is no JSON object is refused by its kind', async (t) => {
  const { ask, addAnn } = await managementFixture(t)
  const ann = await addAnn()
  const sign = (body: unknown, type = 'application/json') =>
    ask('POST', '/api:1/token/', { body, as: null, headers: { 'content-type': type } })
  const texts = ['', '{', 'null', '[]', '"text"', '7', '{"__proto__":{"x":1}}', '\0', '{"a":1}}']
  for (const text of texts) assertRefused(await sign(text), 'malformed_request')
  assertRefused(await sign('['.repeat(limits.signInBodyBytesMax)), 'malformed_request')
  assertRefused(await sign('['.repeat(limits.signInBodyBytesMax + 1)), 'too_large')
  assertRefused(await sign(Buffer.from([0xff, 0xfe, 0x00])), 'malformed_request')
  assertRefused(await ask('POST', '/api:1/token/', { as: null }), 'malformed_request')
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'x',
  ])
    assertRefused(await sign(JSON.stringify(ann), type), 'wrong_content_type')
  assertOk(await sign(JSON.stringify(ann), 'application/json; charset=utf-8'))
})

test('a body may have its limit and no byte more', async (t) => {
  const { ask, addAnn } = await managementFixture(t)
  const ann = await addAnn()
  const text = JSON.stringify(ann)
  const full = text + ' '.repeat(limits.signInBodyBytesMax - text.length)
  assertOk(await ask('POST', '/api:1/token/', { body: full, as: null }))
  const over = await ask('POST', '/api:1/token/', { body: `${full} `, as: null })
  assertRefused(over, 'too_large')
})

test('every call but signing in authenticates, before it reads a body', async (t) => {
  const { ask, device } = await managementFixture(t)
  const calls = [
    ['DELETE', '/api:1/token/'],
    ['GET', connectors],
    ['POST', connectors],
    ['GET', device],
    ['PATCH', device],
    ['GET', `${device}/identity/`],
    ['GET', `${device}/identity/a`],
    ['PUT', `${device}/identity/a`],
    ['DELETE', `${device}/identity/a`],
    ['GET', `${device}/identity/a/state`],
    ['PATCH', `${device}/identity/a/state`],
    ['GET', '/api:1/modules'],
    ['POST', '/api:1/modules'],
    ['DELETE', '/api:1/modules/a'],
  ] as const
  for (const [method, url] of calls) {
    for (const as of [null, 'Basic !', 'Bearer x', `token ${'0'.repeat(40)}`]) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : '{'
      const reply = await ask(method, url, { as, body })
      assertRefused(reply, 'unknown_credential')
      assert.equal(reply.headers['www-authenticate'], 'Basic realm="Millrace"', url)
    }
  }
})

test('connectors and identities need the permission Setup', async (t) => {
  const { accounts, ask, business, device } = await managementFixture(t)
  for (const role of ['Operator', 'Viewer']) {
    const { token } = await accounts.createToken(business.id, { name: role, role })
    const as = `Automation ${token}`
    for (const url of [connectors, device, `${device}/identity/`]) {
      assertRefused(await ask('GET', url, { as }), 'forbidden', /"Setup"/)
    }
    const put = await ask('PUT', `${device}/identity/a`, { as, body: { locked: false } })
    assertRefused(put, 'forbidden')
  }
})

test('the password of a user who may do more is not set', async (t) => {
  const { accounts, addAnn, ask, business, database, emailOf } = await managementFixture(t)
  await addAnn()
  await database.run(
    'insert into accounts_role (business_id, name, permissions) values ($1, $2, $3)',
    [business.id, 'Clerk', ['User Management', 'View Asset', 'View Asset Data']],
  )
  const { token } = await accounts.createToken(business.id, { name: 'c', role: 'Clerk' })
  const as = `Automation ${token}`
  const viewer = { email: emailOf('v'), password: 'a long phrase', role: 'Viewer' }
  assertOk(await ask('POST', '/api:1/users', { body: viewer, as }), 201)
  const { users } = (await ask('GET', '/api:1/users')).json<{ users: { id: string }[] }>()
  const answers = users.map(({ id }) =>
    ask('PUT', `/api:1/users/${id}/password`, { body: { password: 'another phrase' }, as }),
  )
  const [administrator, other] = await Promise.all(answers)
  assert(administrator !== undefined && other !== undefined)
  assertRefused(administrator, 'forbidden', /This needs the permission/)
  assertOk(other, 204)
})

test('an API token that has expired is 401, at the millisecond', async (t) => {
  const clock = handClock()
  const { ask } = await managementFixture(t, { own: 'its clock stands', clock })
  const expiresAt = clock.nowMs() + 60_000
  const wanted = { name: 'short', role: 'Administrator', expires_at: expiresAt }
  const made = await ask('POST', '/api:1/api-tokens', { body: wanted })
  assertOk(made, 201)
  const { id, token } = made.json<{ id: string; token: string }>()
  const as = `Automation ${token}`
  clock.set((expiresAt - 1) * 1000)
  const listed = (await ask('GET', '/api:1/api-tokens', { as })).json<{
    tokens: { id: string }[]
  }>()
  const shown = listed.tokens.find((one) => one.id === id) as { expires_at?: number } | undefined
  assert.equal(shown?.expires_at, expiresAt)
  clock.set(expiresAt * 1000)
  assertRefused(await ask('GET', connectors, { as }), 'unknown_credential')
  for (const wrong of [expiresAt, expiresAt * 1000, 'soon', 1.5, null]) {
    const body = { name: 'x', role: 'Viewer', expires_at: wrong }
    assertRefused(await ask('POST', '/api:1/api-tokens', { body }), 'invalid_argument')
  }
})

test('a path that is not there is 404, a method that a path does not answer 405', async (t) => {
  const { ask } = await managementFixture(t)
  for (const url of ['/api:1', '/api:1/', '/api:1/nothing', '/api:2/connectors', '/nothing']) {
    assertRefused(await ask('GET', url), 'not_found')
    assertRefused(await ask('POST', url, { body: {} }), 'not_found')
  }
  const other = await ask('PUT', connectors, { body: '{', as: null })
  assertRefused(other, 'method_not_allowed')
  assert.equal(other.headers.allow, 'GET, HEAD, POST')
  assertRefused(await ask('GET', '/api:1/token/'), 'method_not_allowed')
  assertRefused(await ask('OPTIONS', connectors), 'method_not_allowed')
  assertRefused(await ask('GET', '/api:1/service/%zz/device2'), 'malformed_request')
})

test('the health of the instance is for everybody to see', async (t) => {
  const { ask } = await managementFixture(t)
  const reply = await ask('GET', '/healthz', { as: null })
  assertOk(reply)
  assert.deepEqual(reply.json(), { status: 'ok', roles: ['device', 'worker', 'api'] })
})
