import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { webserviceLimits } from '../../../../src/scripts/services/webservice/index.ts'
import {
  assertRefused,
  type EndpointsFixture,
  endpointsFixture,
} from '../../../fixtures/endpoints.ts'
import type { OwnPlatform } from '../../../fixtures/platform.ts'
import { assertFault, assertStatus } from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

const key = 'a-key-of-more-than-20-letters'

let fixture: EndpointsFixture<OwnPlatform>

let token = ''

const configure = async (body: Record<string, unknown>) => {
  const { items } = (await fixture.pump('GET', '/serviceconfig')).json
  const own = items.find((one: { service: string }) => one.service === 'webservice')
  return own === undefined
    ? fixture.pump('POST', '/serviceconfig', { service: 'webservice', ...body })
    : fixture.pump('PATCH', `/serviceconfig/${own.id}`, body)
}

const shareInstance = sharedBySuites(async (suite) => {
  fixture = await endpointsFixture(suite, { movesClock: true })
  token = fixture.millrace.token
  const echo = 'return {security = request.security, headers = request.headers}'
  await fixture.serve(`--#ENDPOINT GET /open
${echo}
--#ENDPOINT GET /basic
--#SECURITY basic platform
${echo}
--#ENDPOINT GET /bearer
--#SECURITY bearer platform
${echo}
--#ENDPOINT GET /key
--#SECURITY apiKey platform
${echo}
--#ENDPOINT GET /page text/html
response.headers = {
  ["Set-Cookie"] = "a=1", ["Content-Security-Policy"] = "default-src *", ["X-Own"] = "yes",
  ["Clear-Site-Data"] = "*", ["Alt-Svc"] = "h2=evil", ["WWW-Authenticate"] = "Basic",
  ["Service-Worker-Allowed"] = "/", ["X-Frame-Options"] = "ALLOWALL", Refresh = "0; url=/",
  ["Access-Control-Allow-Origin"] = "*", Link = "</x>; rel=preload", ETag = '"1"' }
return "<script>parent.x</script>"
--#ENDPOINT GET /seldom
--#RATELIMIT 2 60
return "now"
--#ENDPOINT GET /other
--#RATELIMIT 2 60
return "now"
`)
})

const prepare = async () => {
  assertStatus(await configure({ api_keys: null, cors: null }), 200 + (await isNew()))
}

const isNew = async () => {
  const { items } = (await fixture.pump('GET', '/serviceconfig')).json
  return items.length === 1 && items[0].created_at === items[0].updated_at ? 1 : 0
}

const withAuth = (Authorization: string) => ({ headers: { Authorization } })

const ask = (Origin: string, more: Record<string, string> = {}) => ({
  headers: { Origin, ...more },
})

const preflight = (Origin: string) => ({
  method: 'OPTIONS',
  headers: { Origin, 'Access-Control-Request-Method': 'GET' },
})

describe('who may call an endpoint: its security scheme', () => {
  shareInstance()

  beforeEach(prepare)

  it('none: everybody, and the script sees what its own callers present', async () => {
    const answer = await fixture.get('/open', withAuth('Custom abc'))
    assert.equal(answer.json.security, undefined)
    assert.equal(answer.json.headers.authorization, 'Custom abc')
  })

  it('basic: a user of the business, whose password the script never sees', async () => {
    const none = await fixture.get('/basic')
    assertRefused(none, 401, 'unknown_credential')
    assert.equal(none.headers['www-authenticate'], 'Basic realm="pump"')
    const { basic } = fixture.millrace
    const answer = await fixture.get('/basic', withAuth(basic))
    assert.equal(answer.status, 200)
    assert.equal(answer.json.security.type, 'basic')
    assert.match(answer.json.security.subject, /^user:/)
    assert.ok(answer.json.security.permissions.includes('Setup'))
    assert.equal(answer.json.headers.authorization, undefined)
    const guess = `Basic ${Buffer.from('ops@example.com:wrong').toString('base64')}`
    for (const wrong of [guess, `Bearer ${token}`, `Automation ${token}`, 'Basic', 'Basic !']) {
      assertRefused(await fixture.get('/basic', withAuth(wrong)), 401, 'unknown_credential')
    }
  })

  it('bearer: an API token of the business, and no session', async () => {
    const none = await fixture.get('/bearer')
    assertRefused(none, 401, 'unknown_credential')
    assert.equal(none.headers['www-authenticate'], 'Bearer realm="pump"')
    for (const scheme of ['Bearer', 'bearer', 'Automation']) {
      const answer = await fixture.get('/bearer', withAuth(`${scheme} ${token}`))
      assert.equal(answer.status, 200)
      assert.match(answer.json.security.subject, /^token:/)
      assert.equal(answer.json.headers.authorization, undefined)
    }
    const { email, password } = fixture.millrace.account
    const session = await fixture.millrace.platform.accounts.signIn(email, password)
    const wrong = [
      `Bearer ${session.token}`,
      `token ${session.token}`,
      fixture.millrace.basic,
      'Bearer',
    ]
    for (const header of wrong) {
      assertRefused(await fixture.get('/bearer', withAuth(header)), 401, 'unknown_credential')
    }
  })

  it("another business's users and tokens are nobody", async () => {
    const otherOwner = await fixture.otherOwner()
    const answer = await fixture.get('/bearer', withAuth(`Bearer ${otherOwner.token}`))
    assertRefused(answer, 401, 'unknown_credential')
    const { accounts } = fixture.millrace.platform
    const user = { email: 'eve@example.com', password: 'a long password', role: 'Administrator' }
    await accounts.createUser(otherOwner.businessId, user)
    const basic = Buffer.from(`${user.email}:${user.password}`).toString('base64')
    assertRefused(
      await fixture.get('/basic', withAuth(`Basic ${basic}`)),
      401,
      'unknown_credential',
    )
  })

  it('apiKey: a key of the configuration, of which only the name is ever shown', async () => {
    const withKey = (value: string) => ({ headers: { 'X-API-Key': value } })
    assertRefused(await fixture.get('/key', withKey(key)), 401, 'unknown_credential')
    const configured = await configure({ api_keys: { shop: key, erp: `${key}2` } })
    assertStatus(configured, 200)
    assert.deepEqual(configured.json.parameters, { api_key_names: ['erp', 'shop'] })
    assert.ok(!JSON.stringify((await fixture.pump('GET', '/serviceconfig')).json).includes(key))
    const answer = await fixture.get('/key', withKey(key))
    assert.deepEqual(answer.json.security, { type: 'apiKey', name: 'shop' })
    assert.equal(answer.json.headers['x-api-key'], undefined)
    for (const wrong of ['', 'x', `${key}3`]) {
      assertRefused(await fixture.get('/key', withKey(wrong)), 401, 'unknown_credential')
    }
    assertRefused(await fixture.get(`/key?x-api-key=${key}`), 401, 'unknown_credential')
    // A change of something else keeps the keys; one that is null goes.
    assertStatus(await configure({ cors: { origin: '*' } }), 200)
    assert.equal((await fixture.get('/key', withKey(key))).status, 200)
    assertStatus(await configure({ api_keys: { shop: null } }), 200)
    assertRefused(await fixture.get('/key', withKey(key)), 401, 'unknown_credential')
    assert.equal((await fixture.get('/key', withKey(`${key}2`))).json.security.name, 'erp')
  })

  it('a configuration that is wrong is refused', async () => {
    const wrong = [
      [{ nothing: 1 }, /no setting "nothing"/],
      [{ api_keys: 'x' }, /api_keys must be an object/],
      [{ api_keys: { 'a b': key } }, /names of up to/],
      [{ api_keys: { a: 'short' } }, /api_keys\.a must be/],
      [{ api_keys: { a: `${key} ` } }, /api_keys\.a must be/],
      [
        { api_keys: { a: 'x'.repeat(webserviceLimits.endpointKeyCharsMax + 1) } },
        /api_keys\.a must be/,
      ],
      [{ cors: 'x' }, /cors must be an object/],
      [{ cors: {} }, /cors\.origin/],
      [{ cors: { origin: [] } }, /cors\.origin/],
      [{ cors: { origin: 'example.com' } }, /cors\.origin/],
      [{ cors: { origin: 'https://example.com/' } }, /cors\.origin/],
      [{ cors: { origin: 'null' } }, /cors\.origin/],
      [{ cors: { origin: 'https://*.example.com:*' } }, /cors\.origin/],
      [{ cors: { origin: 'http://localhost:8*' } }, /cors\.origin/],
      [{ cors: { origin: '*', methods: ['GET\r\nX: y'] } }, /cors\.methods/],
      [{ cors: { origin: '*', headers: 'x' } }, /cors\.headers/],
      [{ cors: { origin: '*', credentials: true } }, /every page of the web/],
      [{ cors: { origin: '*', other: 1 } }, /cors has no other/],
    ] as const
    for (const [body, message] of wrong) {
      assertFault(await configure(body), 'invalid_argument', message)
    }
  })
})

describe("who may call an endpoint on the console's origin", () => {
  shareInstance()

  beforeEach(prepare)

  it("on the console's origin a script sees none of its credentials", async () => {
    const headers = { Authorization: fixture.millrace.basic, Cookie: 'session=1', 'X-API-Key': key }
    for (const path of ['/open', '/basic']) {
      const answer = await fixture.shared(path, { headers })
      assert.equal(answer.status, 200)
      for (const name of ['authorization', 'cookie', 'x-api-key', 'proxy-authorization']) {
        assert.equal(answer.json.headers[name], undefined, `${path} ${name}`)
      }
    }
    assert.match((await fixture.shared('/basic', { headers })).json.security.subject, /^user:/)
    // A browser that is asked there for a password would send it to all of the origin.
    const asked = await fixture.shared('/basic')
    assertRefused(asked, 401, 'unknown_credential')
    assert.equal(asked.headers['www-authenticate'], undefined)
  })

  it("on the console's origin a page is in a sandbox, and sends no origin", async () => {
    const { headers, status } = await fixture.shared('/page')
    assert.equal(status, 200)
    const { date, connection, 'keep-alive': alive, ...rest } = headers
    assert.deepEqual(rest, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
      'x-own': 'yes',
      etag: '"1"',
      'content-length': '25',
    })
    for (const path of ['/none', '/basic']) {
      const refused = await fixture.shared(path)
      assert.equal(refused.headers['content-security-policy'], 'sandbox', path)
    }
    const unknown = await fixture.get('/solution/nobody/', { host: 'localhost' })
    assert.equal(unknown.headers['content-security-policy'], 'sandbox')
  })

  it("the console's pages take no code from there", async () => {
    const rows = [
      { 'Sec-Fetch-Dest': 'script' },
      { 'Sec-Fetch-Dest': 'worker' },
      { 'Sec-Fetch-Dest': 'serviceworker', 'Service-Worker': 'script' },
      { 'Service-Worker': 'script' },
      { 'Sec-Fetch-Dest': 'style' },
    ]
    for (const headers of rows) {
      assertRefused(await fixture.shared('/open', { headers }), 403, 'forbidden')
      assert.equal((await fixture.get('/open', { headers })).status, 200)
    }
    const empty = { headers: { 'Sec-Fetch-Dest': 'empty' } }
    assert.equal((await fixture.shared('/open', empty)).status, 200)
  })

  it('on its own host everything is its own', async () => {
    const { headers } = await fixture.get('/page')
    assert.deepEqual(headers['set-cookie'], ['a=1'])
    assert.equal(headers['content-security-policy'], 'default-src *')
    assert.equal(headers['access-control-allow-origin'], '*')
  })
})

describe('who may call an endpoint: pages of other origins', () => {
  shareInstance()

  beforeEach(prepare)

  it('other origins: no headers if nothing is configured', async () => {
    const answer = await fixture.get('/open', ask('https://a.example'))
    assert.equal(answer.headers['access-control-allow-origin'], undefined)
    assert.equal(answer.headers.vary, undefined)
    const before = await fixture.get('/open', preflight('https://a.example'))
    assert.equal(before.status, 204)
    assert.equal(before.headers['access-control-allow-methods'], undefined)
  })

  it('other origins: those that are named, with credentials if configured', async () => {
    const cors = {
      origin: ['https://a.example', 'http://b.example:8080'],
      methods: ['GET'],
      headers: ['x-own'],
      credentials: true,
    }
    assertStatus(await configure({ cors }), 200)
    for (const origin of cors.origin) {
      const { headers } = await fixture.get('/open', ask(origin))
      assert.equal(headers['access-control-allow-origin'], origin)
      assert.equal(headers['access-control-allow-credentials'], 'true')
      assert.equal(headers.vary, 'Origin')
    }
    for (const origin of ['https://a.example.evil', 'http://a.example', 'null']) {
      const { headers } = await fixture.get('/open', ask(origin))
      assert.equal(headers['access-control-allow-origin'], undefined, origin)
      assert.equal(headers.vary, 'Origin')
    }
    const { status, headers } = await fixture.get('/basic', preflight('https://a.example'))
    assert.equal(status, 204, 'a preflight carries no credential and needs none')
    assert.equal(headers['access-control-allow-methods'], 'GET')
    assert.equal(headers['access-control-allow-headers'], 'x-own')
    assert.equal(headers['access-control-max-age'], String(webserviceLimits.endpointCorsSeconds))
    const refused = await fixture.get('/basic', ask('https://a.example'))
    assert.equal(refused.status, 401)
    assert.equal(refused.headers['access-control-allow-origin'], 'https://a.example')
  })

  it('other origins: a host at any port', async () => {
    assertStatus(await configure({ cors: { origin: 'http://localhost:*' } }), 200)
    const allowed = async (origin: string) =>
      (await fixture.get('/open', ask(origin))).headers['access-control-allow-origin']
    for (const origin of ['http://localhost:3000', 'http://localhost']) {
      assert.equal(await allowed(origin), origin)
    }
    for (const origin of [
      'https://localhost:3000',
      'http://localhost.evil:1',
      'null',
      'http://a:*',
    ]) {
      assert.equal(await allowed(origin), undefined, origin)
    }
  })

  it("other origins: on the console's origin never with credentials", async () => {
    const cors = { origin: ['https://a.example'], credentials: true }
    assertStatus(await configure({ cors }), 200)
    const { headers } = await fixture.shared('/open', ask('https://a.example'))
    assert.equal(headers['access-control-allow-origin'], 'https://a.example')
    assert.equal(headers['access-control-allow-credentials'], undefined)
  })

  it('other origins: all of them; the script’s own headers count no more', async () => {
    assertStatus(await configure({ cors: { origin: '*' } }), 200)
    const { headers } = await fixture.get('/page', ask('https://a.example'))
    assert.equal(headers['access-control-allow-origin'], '*')
    const before = await fixture.get('/open', preflight('https://a.example'))
    assert.equal(before.headers['access-control-allow-methods'], 'GET, HEAD, OPTIONS')
    assert.match(before.headers['access-control-allow-headers'] ?? '', /content-type/)
    assertRefused(await fixture.get('/none', preflight('https://a.example')), 404, 'not_found')
  })
})

describe('who may call an endpoint: how often', () => {
  shareInstance()

  beforeEach(prepare)

  it('a rate: so many requests of an address to an endpoint, then 429 for a while', async () => {
    for (const path of ['/seldom', '/other']) {
      for (let count = 0; count < 2; count += 1) assert.equal((await fixture.get(path)).status, 200)
    }
    const third = await fixture.get('/seldom')
    assertRefused(third, 429, 'too_many_requests')
    assert.ok(Number(third.headers['retry-after']) > 50, third.headers['retry-after'])
    assertRefused(await fixture.shared('/seldom'), 429, 'too_many_requests')
    fixture.millrace.clock.advance(60_000)
    assert.equal((await fixture.get('/seldom')).status, 200)
  })
})
