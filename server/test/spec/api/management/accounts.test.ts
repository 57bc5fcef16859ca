import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { managementLimits } from '../../../../src/api/management/index.ts'
import {
  assertOk,
  assertRefused,
  basicFor,
  managementFixture,
} from '../../../fixtures/wire/management.ts'

const connectors = '/api:1/connectors'

test('the account holder authenticates with HTTP Basic, user is the e-mail address', async (t) => {
  const { ask, addAnn } = await managementFixture(t)
  const ann = await addAnn()
  assertOk(await ask('GET', connectors, { as: basicFor(ann) }))
  const wrong = await ask('GET', connectors, { as: basicFor({ ...ann, password: 'wrong horse' }) })
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
  assertRefused(await ask('DELETE', '/api:1/token/', { as: basicFor(ann) }), 'invalid_argument')
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
  const { ask, addAnn, makeEmail } = await managementFixture(t)
  const ann = await addAnn()
  const sign = (body: unknown) => ask('POST', '/api:1/token/', { body, as: null })
  const email = ann.email
  const wrong = [
    { ...ann, password: 'wrong horse' },
    { ...ann, email: makeEmail('bob') },
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
  assertRefused(await sign('['.repeat(managementLimits.signInBodyBytesMax)), 'malformed_request')
  assertRefused(await sign('['.repeat(managementLimits.signInBodyBytesMax + 1)), 'too_large')
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

test('a path that is not there is 404', async (t) => {
  const { ask } = await managementFixture(t)
  for (const url of ['/api:1', '/api:1/', '/api:1/nothing', '/api:2/connectors', '/nothing']) {
    assertRefused(await ask('GET', url), 'not_found')
    assertRefused(await ask('POST', url, { body: {} }), 'not_found')
  }
  assertRefused(await ask('GET', '/api:1/service/%zz/device2'), 'malformed_request')
})
